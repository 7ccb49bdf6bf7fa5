import Bitstreams
package import Libav

/// Finds MP3 after stray bytes, as in broken downloads and cut streams.
package enum MPEGAudioSearch {
  /// How far it searches, and how many consecutive frames are required.
  private static let reach = 1 << 20
  private static let chain = 6

  /// - Returns: where the first of consecutive frames begins; `nil` when there is none.
  package static func firstFrame(in file: InputFile) -> Int64? {
    var bytes = [UInt8](repeating: 0, count: reach)
    let count =
      (try? bytes.withUnsafeMutableBytes { (buffer) throws(InputFault) in
        try file.read(into: buffer, at: 0)
      }) ?? 0
    return bytes.withUnsafeBytes { raw in
      (0..<max(0, count - 4)).first { isChain(raw, from: $0, count: count) }.map { Int64($0) }
    }
  }

  private static func isChain(_ raw: UnsafeRawBufferPointer, from start: Int, count: Int) -> Bool {
    var position = start
    var rate: Int?
    for _ in 0..<chain {
      guard position + 4 <= count,
        let header = MPEGAudioHeader(UnsafeRawBufferPointer(rebasing: raw[position..<count])),
        let length = header.byteCount, rate ?? header.sampleRate == header.sampleRate
      else { return false }
      rate = header.sampleRate
      position += length
    }
    return true
  }
}

/// A file from some byte on.
package final class ShiftedInput: ByteInput {
  private let file: InputFile
  private let shift: Int64

  package init(_ file: InputFile, by shift: Int64) {
    self.file = file
    self.shift = shift
  }

  package var byteCount: Int64? { file.byteCount.map { $0 - shift } }
  package var refusal: String? { file.refusal }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) throws(InputFault) -> Int {
    let (place, overflow) = position.addingReportingOverflow(shift)
    return overflow ? 0 : try file.read(into: buffer, at: place)
  }
}
