import CFFmpeg

/// A frame borrowed from its decoder for the duration of a closure.
@safe package struct DecodedFrame: ~Copyable {
  let pointer: UnsafeMutablePointer<AVFrame>

  @unsafe init(_ pointer: UnsafeMutablePointer<AVFrame>) {
    unsafe self.pointer = unsafe pointer
  }

  package var time: Int64? {
    let stamp = unsafe pointer.pointee.best_effort_timestamp
    return stamp == trim_NOPTS ? nil : stamp
  }

  /// The PTS of the packet it was decoded from, or FFmpeg's guess if that had none: where two
  /// frames have the same PTS, the guess may be the time of another frame.
  package var statedTime: Int64? {
    let stamp = unsafe pointer.pointee.pts
    return stamp == trim_NOPTS ? time : stamp
  }

  /// The captions that its coded picture carried, as triplets of cc_data (ANSI/CTA-708-E, 4.4); `nil` where it
  /// had none.
  package var captions: [UInt8]? {
    guard let found = unsafe av_frame_get_side_data(pointer, AV_FRAME_DATA_A53_CC),
      let data = unsafe found.pointee.data, unsafe found.pointee.size > 0
    else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: data, count: found.pointee.size))
  }

  /// Whether it has an alpha channel; in palettes, the byte beside the colors means nothing in most files.
  package var hasAlpha: Bool {
    let format = unsafe AVPixelFormat(pointer.pointee.format)
    guard let found = unsafe av_pix_fmt_desc_get(format) else { return false }
    let flags = unsafe found.pointee.flags
    return flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 && flags & UInt64(AV_PIX_FMT_FLAG_PAL) == 0
  }

  /// True where part of it could not be decoded, or a reference is missing.
  package var isDamaged: Bool {
    unsafe pointer.pointee.decode_error_flags != 0
      || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
  }
}
