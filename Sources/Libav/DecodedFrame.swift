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

  /// True where part of it could not be decoded, or a reference is missing.
  package var isDamaged: Bool {
    unsafe pointer.pointee.decode_error_flags != 0
      || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
  }
}
