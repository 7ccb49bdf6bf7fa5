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
        switch try facts(of: file, ends, options, deadline, progress) {
        case .known(let facts): return facts
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
    guard demuxer.tracks.allSatisfy(Self.isDescribed) else { return .needsFront }
    let counts = ends.head.tracks.filter { $0.type == 1 }.compactMap { ends.head.blocks.counts[$0.number] }
    let reordered = demuxer.tracks.filter { $0.kind == .video }.map(\.reorderedFrames).max() ?? 0
    // The first picture that is shown is among those that a decoder waits for.
    guard counts.allSatisfy({ $0 > reordered }) else { return .needsFront }
    var probe = PacketProbe(demuxer, file: file, wantsKeyframes: options.wantsKeyframes)
    probe.bothEnds = PacketProbe.Ends(ends, demuxer)
    try probe.scan(&demuxer, progress: progress)
    let facts = probe.finished()
    guard facts.durations.presented != nil else { return .needsFront }
    if !ends.holdsKeyframes, reordered > 0, !Self.endsAsDeclared(facts) { return .needsTail }
    return .known(probe.following(facts) ?? facts)
  }

  /// Whether everything is known that FFmpeg takes from packets.
  private static func isDescribed(_ track: LibavTrack) -> Bool {
    switch track.kind {
    case .video: track.width > 0 && track.pixelFormat != nil
    case .audio: track.sampleRate ?? 0 > 0 && track.channels ?? 0 > 0 && track.sampleFormat != nil
    default: true
    }
  }

  /// Whether the last picture that was read ends where the header says that the file does.
  private static func endsAsDeclared(_ facts: MediaFacts) -> Bool {
    guard let declared = facts.durations.declared?.length,
      let end = facts.durations.presented?.end,
      let length = facts.tracks.first(where: { $0.kind == .video })?.frameLength,
      let distance = try? end.distance(from: .zero).subtracting(declared).checkedMagnitude()
    else { return false }
    return distance < length
  }
}
