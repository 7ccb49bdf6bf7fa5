#if FFmpeg
  import Bitstreams
  import MediaFacts
  import Trimming

  extension PartsAssembly {
    /// Reads the video format at the entry points of every part.
    ///
    /// The format at the start of the first part is the one the output states.
    func settleLooks(_ assemblies: inout [CutAssembly]) throws(CutError) {
      guard !(source is ISOCutSource) else { return }
      // Read all parts in one pass over the file.
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

    /// Refuses format changes in containers without timestamps (AVI).
    ///
    /// There, timing follows from the number of decoded pictures. An edge with its own SPS may have another reordering
    /// delay, and FFmpeg's MPEG-2 decoder drops the picture it holds at a change, so that all later ones are early.
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
        "\(container.rules.ending) cannot hold video that changes its size, aspect ratio or pixel format",
        hint: "Write .mkv, or choose a range without the change.")
    }

    private func checkLooks(
      _ looks: EntryLooks, behind first: EntryLooks?, _ track: Int
    ) throws(CutError) {
      guard ["h264", "hevc"].contains(source.tracks[track].facts.codec),
        let look = looks.main, let other = first?.main, look != other
      else { return }
      throw CutError(
        .notCuttable,
        "the parts differ in size, aspect ratio or pixel format",
        hint: "Cut them into separate files, without --join.")
    }
  }
#endif
