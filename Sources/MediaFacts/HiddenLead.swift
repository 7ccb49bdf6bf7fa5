extension TrackFacts {
  /// True where the samples before the first presented one are encoder priming, not source audio:
  /// their number is one that encoders for the codec are known to use.
  ///
  /// A cut that copies packets hides audio before its start in the same way, but that audio is from
  /// the source.
  public var isPrimedByEncoder: Bool {
    guard let priming = audio?.priming, priming > 0 else { return false }
    return switch codec {
    // FFmpeg, libfdk_aac and Apple (TN2258); with SBR counted at either rate.
    case .aac: [1024, 2048, 2112, 2624, 3072, 4224, 5058, 5186].contains(priming)
    // LAME and its derivatives: 576, 1152 and the decoder's 529 (which the LAME tag may or may not
    // count).
    case .mp3: priming <= 1152 + 529 + 528
    // The header's pre-skip; RFC 7845, 5.1, recommends at least 80 ms for a cut.
    case .opus: priming < 3840
    case .ac3, .eac3: [256, 512].contains(priming)
    default: true
    }
  }
}
