extension AudioFrameLength {
  /// The decoded samples of a frame in a raw stream, where its header states a rate other than the stream's
  /// (ISO 11172-3, 2.4.2.3; ISO 14496-3, 1.A.2.2).
  ///
  /// - Returns: `nil` where the rate is the stream's, and for other codecs.
  package static func atOwnRate(
    codec: String, bytes: UnsafeRawBufferPointer, frameSize: Int, streamRate: Int
  ) -> (samples: Int, rate: Int)? {
    switch codec {
    case "mp1", "mp2", "mp3":
      guard let header = MPEGAudioHeader(bytes), header.sampleRate != streamRate else { return nil }
      return (header.sampleCount, header.sampleRate)
    case "aac":
      // With spectral band replication, the stream has twice the rate stated in headers, and frames twice as
      // long.
      guard bytes.first == 0xFF, let header = ADTSHeader(Array(bytes.prefix(16))),
        let rate = header.sampleRate,
        rate * (frameSize > 0 ? frameSize : 1024) != streamRate * 1024
      else { return nil }
      return (header.sampleCount, rate)
    default: return nil
    }
  }

  /// The samples of an AAC frame with more than one block (ISO 14496-3, 1.A.2.2.1); `nil` for any other.
  package static func ofSeveralBlocks(
    codec: String, bytes: UnsafeRawBufferPointer, frameSize: Int
  ) -> Int? {
    guard codec == "aac", bytes.first == 0xFF, let header = ADTSHeader(Array(bytes.prefix(16))),
      !header.isOneFrame
    else { return nil }
    return (frameSize > 0 ? frameSize : 1024) * header.blockCount
  }
}
