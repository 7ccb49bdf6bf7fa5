import CFFmpeg

/// A codec's configuration in FFmpeg's memory, with the zero padding that its readers need.
enum Extradata {
  @unsafe static func copy(
    _ bytes: [UInt8]
  ) throws(LibavError) -> (data: UnsafeMutablePointer<UInt8>?, size: Int32) {
    guard !bytes.isEmpty else { return (nil, 0) }
    let padded = bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let copy = unsafe av_mallocz(padded), let size = Int32(exactly: bytes.count) else {
      throw LibavError(.outOfMemory, "no memory for a codec's configuration")
    }
    unsafe UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
    return unsafe (copy.assumingMemoryBound(to: UInt8.self), size)
  }
}
