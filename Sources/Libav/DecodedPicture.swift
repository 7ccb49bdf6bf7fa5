import CFFmpeg
package import ExactTime

/// A decoded video frame in FFmpeg's memory, kept until the next one replaces it.
@safe package struct DecodedPicture: ~Copyable {
  let frame: UnsafeMutablePointer<AVFrame>

  /// How the stored values relate to light.
  package enum Transfer: Sendable, Hashable {
    case standard
    /// Perceptual quantizer (SMPTE ST 2084).
    case perceptualQuantizer
    /// Hybrid log-gamma (ARIB STD-B67).
    case hybridLogGamma
  }

  package init() throws(LibavError) {
    try LibavLibrary.load()
    guard let frame = unsafe av_frame_alloc() else {
      throw LibavError(.outOfMemory, "no memory for a picture")
    }
    unsafe self.frame = unsafe frame
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe frame
    unsafe av_frame_free(&frame)
  }

  /// False until something has been decoded into it.
  package var isFilled: Bool { unsafe frame.pointee.data.0 != nil }

  package var width: Int { unsafe Int(max(0, frame.pointee.width)) }
  package var height: Int { unsafe Int(max(0, frame.pointee.height)) }

  /// The pixel aspect ratio stated in the bitstream; `nil` when it states none.
  package var sampleAspectRatio: Rational? {
    let ratio = unsafe frame.pointee.sample_aspect_ratio
    guard ratio.num > 0, ratio.den > 0 else { return nil }
    return try? Rational(checked: Int128(ratio.num), over: Int128(ratio.den))
  }

  package var transfer: Transfer {
    switch unsafe frame.pointee.color_trc {
    case AVCOL_TRC_SMPTE2084: .perceptualQuantizer
    case AVCOL_TRC_ARIB_STD_B67: .hybridLogGamma
    default: .standard
    }
  }
}

extension Decoder {
  /// The frames for which a decoder skips work.
  package enum Skip: Sendable, Hashable {
    case nothing
    /// Frames to which no other one refers.
    case unreferenced
    /// Those, and bidirectionally predicted frames.
    case bidirectional
    case everything
  }

  /// Decodes into a picture; its previous contents are lost, whatever the result.
  package func receive(into picture: borrowing DecodedPicture) -> Output {
    let code = log.collecting { unsafe avcodec_receive_frame(context, picture.frame) }
    if code == trim_ERROR_AGAIN { return .needsInput }
    if code == trim_ERROR_EOF { return .ended }
    return unsafe code >= 0 ? .frame(FrameFacts(picture.frame)) : .failed
  }

  /// Resets the decoder to continue elsewhere; also after ``finish()``.
  package func flush() { unsafe avcodec_flush_buffers(context) }

  /// From the next packet on, these are not decoded at all.
  package func skipFrames(_ which: Skip) { unsafe context.pointee.skip_frame = which.discard }

  /// From the next packet on, the deblocking filter is skipped for these.
  package func skipSmoothing(_ which: Skip) {
    unsafe context.pointee.skip_loop_filter = which.discard
  }
}

extension Decoder.Skip {
  fileprivate var discard: AVDiscard {
    switch self {
    case .nothing: AVDISCARD_DEFAULT
    case .unreferenced: AVDISCARD_NONREF
    case .bidirectional: AVDISCARD_BIDIR
    case .everything: AVDISCARD_ALL
    }
  }
}
