import Bitstreams
import Libav
import Synchronization

/// An output that adds chunks to a WAV or AIFF after FFmpeg's muxer has written it, and corrects
/// the size that its header states.
final class AppendedChunks: CorrectedOutput {
  private let output: any ByteOutput
  private let inner: (any CorrectedOutput)?
  private let chunks: [AddedChunk]
  private let state: Mutex<(head: WrittenHead, end: Int64)>

  init(
    _ output: any ByteOutput, after inner: (any CorrectedOutput)?, _ chunks: [AddedChunk]
  ) {
    self.output = output
    self.inner = inner
    self.chunks = chunks
    state = Mutex((WrittenHead(most: 32), 0))
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
    if let inner {
      try inner.write(bytes, at: position)
    } else {
      try output.write(bytes, at: position)
    }
    state.withLock {
      $0.head.write(bytes, at: position)
      $0.end = max($0.end, position + Int64(bytes.count))
    }
  }

  func finish() throws(OutputFault) {
    try inner?.finish()
    let (head, end) = state.withLock { ($0.head.bytes, $0.end) }
    let order: ByteOrder = head.starts(with: "FORM".utf8) ? .big : .little
    var added: [UInt8] = end % 2 == 1 ? [0] : []
    for chunk in chunks {
      added += Array(chunk.type.utf8) + UInt32(clamping: chunk.content.count).bytes(order)
      added += chunk.content + (chunk.content.count % 2 == 1 ? [0] : [])
    }
    try output.write(added, at: end)
    let size = end + Int64(added.count) - 8
    // EBU Tech 3306: RF64 states it in 64 bits, at the beginning of `ds64`.
    if head.starts(with: "RIFF".utf8) || order == .big, let size = UInt32(exactly: size) {
      try output.write(size.bytes(order), at: 4)
    } else if head.starts(with: "RF64".utf8), head.count >= 28,
      head[12..<16].elementsEqual("ds64".utf8)
    {
      try output.write(size.bytes(.little), at: 20)
    }
  }
}
