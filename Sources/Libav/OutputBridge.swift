import CFFmpeg
import Synchronization

/// The state behind a muxer's write callbacks: the output and the position.
final class OutputBridge: Sendable {
  private struct State {
    var position: Int64 = 0
    var end: Int64 = 0
    var fault: OutputFault?
  }

  private let output: any ByteOutput
  private let state = Mutex(State())

  init(_ output: any ByteOutput) { self.output = output }

  /// The first fault; FFmpeg reports it only as "I/O error".
  var fault: OutputFault? { state.withLock { $0.fault } }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    state.withLock { state in
      guard state.fault == nil else { return trim_ERROR_IO }
      do throws(OutputFault) {
        try unsafe output.write(bytes, at: state.position)
      } catch {
        state.fault = error
        return trim_ERROR_IO
      }
      state.position += Int64(bytes.count)
      state.end = max(state.end, state.position)
      return Int32(bytes.count)
    }
  }

  func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    state.withLock { state in
      let target: Int64
      switch whence & ~AVSEEK_FORCE {
      case AVSEEK_SIZE: return state.end
      case 0: target = offset
      case 1: target = state.position &+ offset
      case 2: target = state.end &+ offset
      default: return -1
      }
      guard target >= 0 else { return -1 }
      state.position = target
      return target
    }
  }
}

extension BridgeContext {
  convenience init(writing bridge: OutputBridge) throws(LibavError) {
    try unsafe self.init(bridge, "write") { buffer, size, opaque in
      unsafe avio_alloc_context(
        buffer, size, 1, opaque, nil,
        { opaque, bytes, count in
          guard let opaque = unsafe opaque, let bytes = unsafe bytes, count >= 0 else {
            return trim_ERROR_IO
          }
          let bridge = unsafe Unmanaged<OutputBridge>.fromOpaque(opaque).takeUnretainedValue()
          return unsafe bridge.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        },
        { opaque, offset, whence in
          guard let opaque = unsafe opaque else { return -1 }
          let bridge = unsafe Unmanaged<OutputBridge>.fromOpaque(opaque).takeUnretainedValue()
          return bridge.seek(offset, whence)
        })
    }
  }
}
