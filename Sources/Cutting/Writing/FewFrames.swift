#if FFmpeg
  import Bitstreams

  /// States in an MP3 of a few frames the bit rate of the first, which is its tag.
  ///
  /// FFmpeg's muxer writes 0 there. With a delay of 2048 to 2111 samples behind it that looks like the start
  /// code of an H.263 picture, and FFmpeg takes so short a file for H.263 as readily as for MP3.
  struct FewFrames: HeadCorrection {
    /// Of the other tags and the frames together with the pictures among the tags.
    let headSize: Int

    /// - Parameter tagged: bytes of pictures among the tags before it.
    init(tagged: Int) { headSize = (1 << 16) + tagged }

    func corrections(of head: [UInt8]) -> [(place: Int, bytes: [UInt8])] {
      var start = 0
      if head.count > 10, head.starts(with: "ID3".utf8) {
        // ID3v2, 3.1: the size is seven bits of each of four bytes.
        start = 10 + head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      }
      guard head.count < headSize,
        let frame = MPEGAudioInfo.withLowestBitRate(head.dropFirst(start))
      else { return [] }
      return [(start, Array(frame))]
    }
  }
#endif
