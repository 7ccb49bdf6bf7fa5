import ExactTime
import Libav
import MediaFacts
import MediaFiles

extension Prober {
  /// The facts of a large Matroska file at an address, from its index and the media at both ends.
  ///
  /// - Returns: `nil` where these do not show them.
  func endFacts(
    of file: InputFile, _ options: ProbeOptions, _ deadline: ContinuousClock.Instant,
    _ progress: (ProbeProgress) -> Bool
  ) throws(ProbeError) -> MediaFacts? {
    for front in MatroskaEnds.fronts {
      guard var ends = MatroskaEnds(file, front: front) else { continue }
      while true {
        let found: EndFacts
        do throws(ProbeError) {
          found = try facts(of: file, ends, options, deadline, progress)
        } catch  where [.damaged, .notMedia, .limitExceeded].contains(error.code) {
          return nil
        }
        switch found {
        case .known(let facts): return facts
        case .needsAll: return nil
        case .needsFront: break
        case .needsTail:
          if ends.extend() { continue }
          return nil
        }
        break
      }
    }
    return nil
  }

  private enum EndFacts {
    case known(MediaFacts)
    /// An ordered edition plays parts that were not read.
    case needsAll
    /// More of the front is needed to describe the streams, or to know when they begin.
    case needsFront
    /// More of the end is needed to know which picture is shown last.
    case needsTail
  }

  private func facts(
    of file: InputFile, _ ends: MatroskaEnds, _ options: ProbeOptions,
    _ deadline: ContinuousClock.Instant, _ progress: (ProbeProgress) -> Bool
  ) throws(ProbeError) -> EndFacts {
    var demuxer = try demuxer(
      VoidedInput(file, ends.voids), deadline, mostProbed: ends.head.end)
    let read = PacketProbe.Ends(ends, demuxer)
    guard let read, demuxer.tracks.allSatisfy(Self.isDescribed), read.showsFirst else {
      return .needsFront
    }
    var probe = PacketProbe(demuxer, file: file, wantsKeyframes: options.wantsKeyframes)
    probe.bothEnds = read
    try probe.scan(&demuxer, progress: progress)
    let facts = probe.finished()
    guard facts.durations.presented != nil else { return .needsFront }
    guard probe.holdsLastPictures else { return .needsTail }
    return probe.following(facts) == nil ? .known(facts) : .needsAll
  }

  /// Whether everything is known that FFmpeg takes from packets.
  private static func isDescribed(_ track: LibavTrack) -> Bool {
    switch track.kind {
    case .video: track.width > 0 && track.pixelFormat != nil
    case .audio: track.sampleRate ?? 0 > 0 && track.channels ?? 0 > 0 && track.sampleFormat != nil
    default: true
    }
  }
}
