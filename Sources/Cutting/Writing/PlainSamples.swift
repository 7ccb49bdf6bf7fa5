import MediaFiles

/// Tags a WAV as plain PCM where that says as much: FFmpeg's muxer writes WAVE_FORMAT_EXTENSIBLE
/// above 16 bits or 48 kHz, which simple readers do not know.
struct PlainSamples: HeadCorrection {
  let headSize = 4096

  func corrections(of head: [UInt8]) -> [(place: Int, bytes: [UInt8])] {
    guard let wave = ExtensibleWAV(head), wave.isPlain else { return [] }
    let (bytes, place) = wave.plainTag
    return [(Int(place), bytes)]
  }
}
