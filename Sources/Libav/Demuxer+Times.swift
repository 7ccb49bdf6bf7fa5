import CFFmpeg

/// Corrections of times that FFmpeg reads differently from what the format specifies.
extension Demuxer {
  /// Sets the PTS of Theora pictures, which are never reordered, to their DTS.
  ///
  /// Theora 3.2.0 numbers pictures in Ogg from 0. Where Ogg Skeleton states the first number,
  /// FFmpeg assumes counting from 1, and gives the first picture the PTS of the second.
  @unsafe func keepTheoraInOrder(_ packet: UnsafeMutablePointer<AVPacket>) {
    guard let stream = unsafe stream(Int(packet.pointee.stream_index)),
      unsafe stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_THEORA,
      unsafe packet.pointee.pts != trim_NOPTS && packet.pointee.dts != trim_NOPTS
    else { return }
    unsafe packet.pointee.pts = packet.pointee.dts
  }

  /// Makes FLV times signed: they have 32 bits and a sign (Video File Format Specification 10.1,
  /// E.4.1, TimestampExtended), but FFmpeg reads them as unsigned.
  @unsafe func signFLV(_ packet: UnsafeMutablePointer<AVPacket>) {
    guard formatName == "flv" else { return }
    let half: Int64 = 1 << 31
    if unsafe packet.pointee.dts >= half, unsafe packet.pointee.dts < 2 * half {
      unsafe packet.pointee.dts -= 2 * half
      if unsafe packet.pointee.pts != trim_NOPTS { unsafe packet.pointee.pts -= 2 * half }
    }
  }
}
