#if FFmpeg
  import Libav
  import Synchronization

  /// An output of a transport stream that is filled up with null packets (ISO/IEC 13818-1, 2.4.3.3),
  /// which readers leave out: of a stream of a few packets they do not see what it is.
  final class NullPackets: ByteOutput {
    private let output: any ByteOutput
    private let end = Mutex<Int64>(0)

    /// PID 0x1FFF, with a payload and no adaptation field.
    private static let packet: [UInt8] =
      [0x47, 0x1F, 0xFF, 0x10] + Array(repeating: 0xFF, count: 184)

    init(_ output: any ByteOutput) { self.output = output }

    func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
      try output.write(bytes, at: position)
      end.withLock { $0 = max($0, position + Int64(bytes.count)) }
    }

    /// - Throws: `OutputFault`.
    func fill(to count: Int64) throws(OutputFault) {
      var position = end.withLock { $0 }
      while position < count {
        let written = Self.packet.withUnsafeBytes { bytes in
          Result { () throws(OutputFault) in try output.write(bytes, at: position) }
        }
        try written.get()
        position += Int64(Self.packet.count)
      }
    }
  }
#endif
