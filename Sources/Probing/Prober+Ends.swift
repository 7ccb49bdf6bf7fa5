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
  ) throws(MediaError) -> MediaFacts? {
    try MatroskaEnds.read(file) { (ends) throws(MediaError) in
      do throws(MediaError) {
        return try facts(of: file, ends, options, deadline, progress)
      } catch  where [.damaged, .notMedia, .limitExceeded].contains(error.code) {
        return .unknown
      }
    }
  }

  private func facts(
    of file: InputFile, _ ends: MatroskaEnds, _ options: ProbeOptions,
    _ deadline: ContinuousClock.Instant, _ progress: (ProbeProgress) -> Bool
  ) throws(MediaError) -> MatroskaEnds.Answer<MediaFacts> {
    var demuxer = try demuxer(
      VoidedInput(file, ends.voids), deadline, mostProbed: ends.head.end)
    let read = PacketProbe.Ends(ends, demuxer)
    guard let read, demuxer.tracks.allSatisfy(\.isDescribed), read.showsFirst else {
      return .needsFront
    }
    var probe = PacketProbe(demuxer, file: file, wantsKeyframes: options.wantsKeyframes)
    probe.bothEnds = read
    try probe.scan(&demuxer, progress: progress)
    let facts = probe.finished()
    guard facts.durations.presented != nil else { return .needsFront }
    guard probe.holdsLastPictures else { return .needsTail }
    // An ordered edition plays parts that were not read.
    return probe.following(facts) == nil ? .known(facts) : .unknown
  }
}

extension LibavTrack {
  /// Whether everything is known that FFmpeg takes from packets.
  var isDescribed: Bool {
    switch kind {
    case .video: width > 0 && pixelFormat != nil
    case .audio: sampleRate ?? 0 > 0 && channels ?? 0 > 0 && sampleFormat != nil
    default: true
    }
  }
}
