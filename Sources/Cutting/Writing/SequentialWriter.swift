import Libav
import MediaFiles

/// Gathers contiguous bytes and writes them in large pieces.
struct SequentialWriter {
  private let output: any ByteOutput
  private var position: Int64 = 0
  private var pending: [UInt8] = []

  private static let pieceSize = 1 << 20

  init(_ output: any ByteOutput) {
    self.output = output
    pending.reserveCapacity(Self.pieceSize * 2)
  }

  mutating func append(_ bytes: [UInt8]) throws(MediaError) {
    pending.append(contentsOf: bytes)
    if pending.count >= Self.pieceSize { try finish() }
  }

  mutating func finish() throws(MediaError) {
    let position = position
    let fault = pending.withUnsafeBytes { bytes -> OutputFault? in
      do throws(OutputFault) {
        try output.write(bytes, at: position)
        return nil
      } catch {
        return error
      }
    }
    if let fault { throw MediaError(writing: fault.code) }
    self.position += Int64(pending.count)
    pending.removeAll(keepingCapacity: true)
  }
}
