import CFFmpeg

/// An `AVIOContext` over a bridge; frees both with its last owner.
@safe final class BridgeContext {
  let pointer: UnsafeMutablePointer<AVIOContext>
  private let bridge: Unmanaged<AnyObject>

  /// FFmpeg's default for files is 32 KiB; a larger buffer means fewer calls.
  static let bufferSize = 256 << 10

  /// - Parameters:
  ///   - purpose: what it is for, as in the message of an error.
  ///   - allocate: makes the context over a buffer, its size, and the bridge for the callbacks.
  init(
    _ bridge: AnyObject, _ purpose: String,
    _ allocate: (
      UnsafeMutablePointer<UInt8>, Int32, UnsafeMutableRawPointer
    ) -> UnsafeMutablePointer<AVIOContext>?
  ) throws(LibavError) {
    let retained = unsafe Unmanaged.passRetained(bridge)
    guard let buffer = unsafe av_malloc(Self.bufferSize) else {
      unsafe retained.release()
      throw LibavError(.outOfMemory, "no memory for a \(purpose) buffer")
    }
    let context = unsafe allocate(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), retained.toOpaque())
    guard let context = unsafe context else {
      unsafe av_free(buffer)
      unsafe retained.release()
      throw LibavError(.outOfMemory, "no memory for a \(purpose) context")
    }
    unsafe self.pointer = unsafe context
    unsafe self.bridge = unsafe retained
  }

  deinit {
    // FFmpeg may have replaced the buffer with a larger one.
    unsafe av_free(pointer.pointee.buffer)
    var context: UnsafeMutablePointer<AVIOContext>? = unsafe pointer
    unsafe avio_context_free(&context)
    unsafe bridge.release()
  }
}
