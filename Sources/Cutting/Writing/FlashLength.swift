#if FFmpeg
  import ExactTime
  import Libav
  import MediaFiles
  import Synchronization

  /// States in an FLV how long it is shown (Video File Format Specification 10.1, E.5, `duration`): FFmpeg's muxer
  /// states when it ends, and where pictures wait for others it begins later than zero.
  ///
  /// An output that passes everything on and remembers the beginning of the file, where `onMetaData` is.
  final class FlashLength: CorrectedOutput {
    private let output: any ByteOutput
    private let length: Rational
    private let head = Mutex(WrittenHead(most: FlashLength.headSize))

    /// The tags of the source may stand before.
    private static let headSize = 1 << 20
    /// The property's name behind its size, and the marker of a number (Action Message Format 0, 2.2).
    private static let property: [UInt8] = [0, 8] + Array("duration".utf8) + [0]

    /// - Parameter length: the end of what is shown.
    init(_ output: any ByteOutput, lasting length: MediaTime) {
      self.output = output
      self.length = length.seconds
    }

    func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
      try output.write(bytes, at: position)
      head.withLock { $0.write(bytes, at: position) }
    }

    func finish() throws(OutputFault) {
      let head = head.withLock(\.bytes)
      guard let place = head.firstRange(of: Self.property)?.upperBound, place + 8 <= head.count
      else { return }
      let value = length.approximation.bitPattern.bigEndian
      try output.write(withUnsafeBytes(of: value) { Array($0) }, at: Int64(place))
    }
  }
#endif
