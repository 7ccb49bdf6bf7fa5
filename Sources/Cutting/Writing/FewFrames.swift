#if FFmpeg
  import Bitstreams
  import Libav
  import Synchronization

  /// An output of an MP3 of a few frames, whose first tells the bit rate in its tag.
  ///
  /// FFmpeg's muxer writes 0 there. With a delay of 2048 to 2111 samples behind it that looks like the start
  /// code of an H.263 picture, and FFmpeg takes so short a file for H.263 as readily as for MP3.
  final class FewFrames: CorrectedOutput {
    private let output: any ByteOutput
    private let head: Mutex<WrittenHead>
    private let headSize: Int

    /// - Parameter tagged: bytes of pictures among the tags before it.
    init(_ output: any ByteOutput, tagged: Int) {
      self.output = output
      // With the other tags and the frames.
      headSize = (1 << 16) + tagged
      head = Mutex(WrittenHead(most: headSize))
    }

    func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
      try output.write(bytes, at: position)
      head.withLock { $0.write(bytes, at: position) }
    }

    func finish() throws(OutputFault) {
      let head = head.withLock(\.bytes)
      var start = 0
      if head.count > 10, head.starts(with: "ID3".utf8) {
        // ID3v2, 3.1: the size is seven bits of each of four bytes.
        start = 10 + head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      }
      guard head.count < headSize,
        let frame = MPEGAudioInfo.withLowestBitRate(head.dropFirst(start))
      else { return }
      try output.write(frame, at: Int64(start))
    }
  }
#endif
