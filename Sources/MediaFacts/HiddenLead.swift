extension TrackFacts {
  /// True where the samples before the first presented one are an encoder's priming, and not sound
  /// of the source: their number is one that encoders of the codec are known for.
  ///
  /// A cut that copies packets hides in the same way what lies before its beginning, and that is
  /// sound of its source.
  public var isPrimedByEncoder: Bool {
    guard let priming = audio?.priming, priming > 0 else { return false }
    return switch codec {
    // FFmpeg, libfdk_aac and Apple (TN2258); with SBR counted at either rate.
    case "aac": [1024, 2048, 2112, 2624, 3072, 4224, 5058, 5186].contains(priming)
    // LAME and its kin: 576, 1152 and a decoder's 529 (the LAME tag counts those or not).
    case "mp3": priming <= 1152 + 529 + 528
    // The header's pre-skip; 80 ms are what RFC 7845, 5.1, advises at least for a cut.
    case "opus": priming < 3840
    case "ac3", "eac3": [256, 512].contains(priming)
    default: true
    }
  }
}
