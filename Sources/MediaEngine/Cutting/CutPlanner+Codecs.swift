#if FFmpeg
  import ISOMedia
  import Libav
  import MediaFacts
  import Trimming

  extension CutPlanner {
    /// Whether the output's container holds a track.
    func fits(_ track: SourceTrack) -> Bool { fits(track, container) }

    private func fits(_ track: SourceTrack, _ container: OutputContainer) -> Bool {
      if track.isChapterTrack || track.timecode != nil { return true }
      let codec = track.facts.codec
      if let native = source as? ISOCutSource, container.isISO {
        // What described it there describes it here.
        if native.movie.isQuickTime == (container == .mov) { return true }
      }
      if container == .avi, ["h264", "hevc"].contains(codec) {
        // A reader must guess when reordered pictures are shown; what came from there has none.
        return source.facts.container.format == "avi"
      }
      if track.facts.kind == .audio, [.avi, .wav].contains(container),
        !OutputContainer.isSoundOfRIFF(codec), !isDescribedAAC(track, container)
      {
        return false
      }
      if let codecs = container.codecs, !codecs.contains(codec) { return false }
      let answer = try? source.withDemuxer { (demuxer) throws(CutError) -> Bool? in
        container.isISO
          ? MadeISOBoxes.describes(track, in: container, demuxer)
          : Muxer.holds(format: container.muxer, codecOf: track.stream, demuxer)
      }
      return (answer ?? nil) ?? true
    }

    /// Why a track cannot leave MP4; `nil` where it can.
    func undescribed(_ track: SourceTrack) -> String? {
      guard let native = source as? ISOCutSource, track.facts.codec == "aac",
        track.configuration.isEmpty,
        !container.isISO || native.movie.isQuickTime != (container == .mov)
      else { return nil }
      return "its configuration is missing"
    }

    /// AVI has a place for the configuration of AAC, and none for its headers.
    private func isDescribedAAC(_ track: SourceTrack, _ container: OutputContainer) -> Bool {
      container == .avi && track.facts.codec == "aac" && !track.configuration.isEmpty
    }

    func doesNotFit(_ track: SourceTrack) -> CutError {
      let codec = track.facts.codec
      let others = OutputContainer.allCases.filter { other in
        // Nobody looks for pictures there.
        let isMeant = track.facts.kind == .audio || other != .m4a
        return other != container && isMeant && fits(track, other)
      }
      let names = others.map(\.endings).joined(separator: ", ")
      return CutError(
        .codecDoesNotFit,
        "\(container.endings) does not hold \(codec) (track \(track.facts.id))",
        hint: names.isEmpty ? nil : "These would: \(names).")
    }
  }
#endif
