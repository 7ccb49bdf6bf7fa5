import ExactTime
import MediaFacts

/// How the declared duration of a file compares with the presented one.
enum DurationVerdict: String, Sendable {
  /// Equal to within one frame duration.
  case agrees
  case declaredTooLong = "declared_too_long"
  case declaredTooShort = "declared_too_short"
  /// The file ends before the duration stated by its container.
  case truncated
  /// The container states no duration.
  case undeclared
  /// The presented duration is not known.
  case unknown

  init(_ facts: MediaFacts) {
    guard let presented = facts.durations.presented?.length else {
      self = .unknown
      return
    }
    if facts.damage.contains(where: { $0.kind == .truncated }) {
      self = .truncated
    } else if let declared = facts.durations.declared?.length {
      let tolerance = Self.frameLength(facts)
      // A difference that needs more than 64 bits does not agree.
      let excess = try? declared.subtracting(presented)
      if let excess, excess <= tolerance, MediaDuration.zero - tolerance <= excess {
        self = .agrees
      } else {
        self = declared > presented ? .declaredTooLong : .declaredTooShort
      }
    } else {
      self = .undeclared
    }
  }

  /// The longest frame of the presented tracks: from the frame rate for video, 1152 samples (the
  /// longest MP3 frame, ISO 11172-3) for audio without video.
  private static func frameLength(_ facts: MediaFacts) -> MediaDuration {
    let tracks = facts.tracks.filter(\.isPresented)
    let pictures = tracks.compactMap { track in
      track.video.flatMap { $0.nominalFrameRate ?? $0.averageFrameRate }
    }
    let sounds = tracks.compactMap { $0.audio?.sampleRate.map { Rational(Int64($0)) } }
    let lengths =
      pictures.compactMap { try? Rational.one.divided(by: $0) }
      + (pictures.isEmpty ? sounds.compactMap { try? Rational(1152).divided(by: $0) } : [])
    let usual = Rational(1, 25)
    // No plausible frame lasts a second; a rate that implies it is ignored.
    return MediaDuration(seconds: lengths.filter { $0.isPositive && $0 < .one }.max() ?? usual)
  }
}
