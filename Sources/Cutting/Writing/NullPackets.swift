import Libav
import Synchronization

/// A transport stream output that is padded with null packets (ISO/IEC 13818-1, 2.4.3.3), which
/// readers skip: without padding, they cannot identify a stream of only a few packets.
final class NullPackets: CorrectedOutput {
  private let output: any ByteOutput
  private let least: Int64
  private let unit: Int64
  private let next: (any CorrectedOutput)?
  private let end = Mutex<Int64>(0)

  /// PID 0x1FFF, with a payload and no adaptation field.
  private static let packet: [UInt8] =
    [0x47, 0x1F, 0xFF, 0x10] + Array(repeating: 0xFF, count: 184)

  /// - Parameters:
  ///   - least: minimum number of bytes.
  ///   - unit: packets per unit; the total is a whole multiple of it.
  ///   - next: the output that is finished after it.
  init(
    _ output: any ByteOutput, least: Int64, unit: Int64, before next: (any CorrectedOutput)? = nil
  ) {
    self.output = output
    self.least = least
    self.unit = unit * Int64(Self.packet.count)
    self.next = next
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
    try output.write(bytes, at: position)
    end.withLock { $0 = max($0, position + Int64(bytes.count)) }
  }

  func finish() throws(OutputFault) {
    var position = end.withLock { $0 }
    while position < least || position % unit != 0 {
      try output.write(Self.packet, at: position)
      position += Int64(Self.packet.count)
    }
    try next?.finish()
  }
}
