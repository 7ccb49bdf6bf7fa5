#if FFmpeg
  import Bitstreams
  import Libav
  import Synchronization

  /// An output of an MP3 of a few frames, whose first tells the bit rate in its tag.
  ///
  /// FFmpeg's muxer says 0 there. A delay of 2048 to 2111 samples behind it then looks like the start code
  /// of H.263's pictures, and its demuxers take so short a file for that as readily.
  final class FewFrames: CorrectedOutput {
    private let output: any ByteOutput
    private let head = Mutex(WrittenHead(most: FewFrames.headSize))

    /// The tags before it, which hold no pictures, and the frames.
    private static let headSize = 1 << 16

    init(_ output: any ByteOutput) { self.output = output }

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
      guard head.count < Self.headSize,
        let frame = MPEGAudioInfo.tellingBitRate(of: head.dropFirst(start))
      else { return }
      try output.write(frame, at: Int64(start))
    }
  }
#endif
