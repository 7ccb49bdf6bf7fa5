import Libav
import Synchronization

/// A correction at the beginning of a file, made once the file is complete.
protocol HeadCorrection: Sendable {
  /// The size in bytes of the part it examines.
  var headSize: Int { get }

  /// Where in the file other bytes must be written.
  ///
  /// - Parameter head: the beginning of the file, of up to ``headSize`` bytes.
  func corrections(of head: [UInt8]) -> [(place: Int, bytes: [UInt8])]
}

/// An output that passes everything on, remembers the beginning of the file, and corrects it at
/// the end.
final class CorrectedHead: CorrectedOutput {
  private let output: any ByteOutput
  private let correction: any HeadCorrection
  private let head: Mutex<WrittenHead>

  init(_ output: any ByteOutput, _ correction: any HeadCorrection) {
    self.output = output
    self.correction = correction
    head = Mutex(WrittenHead(most: correction.headSize))
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
    try output.write(bytes, at: position)
    head.withLock { $0.write(bytes, at: position) }
  }

  func finish() throws(OutputFault) {
    for (place, bytes) in correction.corrections(of: head.withLock(\.bytes)) {
      try output.write(bytes, at: Int64(place))
    }
  }
}
