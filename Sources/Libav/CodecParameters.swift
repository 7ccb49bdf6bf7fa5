import CFFmpeg

/// The codec parameters of a stream encoded here, for a container.
@safe package final class CodecParameters {
  let pointer: UnsafeMutablePointer<AVCodecParameters>

  @unsafe init(of encoder: UnsafeMutablePointer<AVCodecContext>) throws(LibavError) {
    guard let made = unsafe avcodec_parameters_alloc() else {
      throw LibavError(.outOfMemory, "no memory for a codec's description")
    }
    unsafe pointer = unsafe made
    let code = unsafe avcodec_parameters_from_context(made, encoder)
    guard code >= 0 else {
      throw LibavError(.outOfMemory, "no memory for a codec's description")
    }
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecParameters>? = unsafe pointer
    unsafe avcodec_parameters_free(&pointer)
  }
}
