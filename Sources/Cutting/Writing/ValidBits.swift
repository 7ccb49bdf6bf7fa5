#if FFmpeg
  import MediaFiles

  /// States in a WAV how many bits of its samples count, as its source does: FFmpeg's muxer states all that
  /// are stored.
  struct ValidBits: HeadCorrection {
    let source: ExtensibleWAV

    let headSize = 4096

    /// Where the samples are stored in as many bits as in the source.
    func corrections(of head: [UInt8]) -> [(place: Int, bytes: [UInt8])] {
      guard let wave = ExtensibleWAV(head), wave.storedBits == source.storedBits else { return [] }
      let (bytes, place) = wave.fields(validBits: source.validBits)
      return [(Int(place), bytes)]
    }
  }
#endif
