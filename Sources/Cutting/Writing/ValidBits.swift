import MediaFiles

/// States the number of valid bits per sample in a WAV, as the source does: FFmpeg's muxer states
/// all stored bits.
struct ValidBits: HeadCorrection {
  let source: ExtensibleWAV

  let headSize = 4096

  /// Applies if samples are stored in the same number of bits as in the source.
  func corrections(of head: [UInt8]) -> [(place: Int, bytes: [UInt8])] {
    guard let wave = ExtensibleWAV(head), wave.storedBits == source.storedBits else { return [] }
    let (bytes, place) = wave.fields(validBits: source.validBits)
    return [(Int(place), bytes)]
  }
}
