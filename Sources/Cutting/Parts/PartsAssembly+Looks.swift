#if FFmpeg
  import Bitstreams
  import MediaFacts
  import Trimming

  extension PartsAssembly {
    /// Finds out what pictures look like where each part enters the stream.
    ///
    /// How they look in the first part describes the track.
    func settleLooks(_ assemblies: inout [CutAssembly]) throws(CutError) {
      guard !(source is ISOCutSource) else { return }
      // All parts are read at once.
      try source.prepare(
        assemblies.reduce(into: [:]) { $0.merge($1.needed, uniquingKeysWith: +) })
      for number in assemblies.indices {
        for track in assemblies[number].part.tracks {
          guard let cut = track.video else { continue }
          var looks = try EntryLooks(cut, of: source, track: track.source)
          if plan.container.isISO, !source.tracks[track.source].isReframed {
            try looks.lookWithin(cut, of: source, track: track.source)
          }
          assemblies[number].looks[track.source] = looks
          try checkSlots(cut, looks, track.source)
          if number > 0 {
            try checkLooks(looks, behind: assemblies[0].looks[track.source], track.source)
          } else if let look = looks.main, let place = looks.place,
            let stated = try CodedLook(ofFirst: track.source, of: source), stated != look
          {
            try source.describe(track.source, as: look, at: place)
          }
        }
      }
    }

    /// Where pictures have places and no times, what is re-encoded under other sets may wait for more or less than the
    /// others; and FFmpeg's decoder of MPEG-2 forgets the picture that it holds where others begin that look otherwise, so
    /// that all behind it are shown too early.
    private func checkSlots(
      _ cut: VideoCut, _ looks: EntryLooks, _ track: Int
    ) throws(CutError) {
      let container = plan.container
      guard container.rules.hasFixedFrameRate else { return }
      var changes = looks.isHeadApart || looks.isTailApart
      if ["mpeg1video", "mpeg2video"].contains(source.tracks[track].facts.codec) {
        try source.prepare([track: [cut.copied]])
        if try CodedLook.change(in: cut.copied, of: source, track: track) != nil { changes = true }
      }
      guard changes else { return }
      throw CutError(
        .notCuttable,
        "\(container.rules.ending) has no place for pictures that change their size, shape or format",
        hint: "Write .mkv, or cut where they do not change.")
    }

    private func checkLooks(
      _ looks: EntryLooks, behind first: EntryLooks?, _ track: Int
    ) throws(CutError) {
      guard ["h264", "hevc"].contains(source.tracks[track].facts.codec),
        let look = looks.main, let other = first?.main, look != other
      else { return }
      throw CutError(
        .notCuttable,
        "pictures of one part have another size, shape or format than those of another",
        hint: "Cut the parts into files of their own, without --join.")
    }
  }
#endif
