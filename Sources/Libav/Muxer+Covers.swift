import CFFmpeg
package import MediaFacts

extension Muxer {
  /// A cover picture.
  package struct Cover {
    /// FFmpeg's name of its codec.
    package var codec: Codec
    package var picture: [UInt8]
    /// Whether it is an attached file, as in Matroska.
    package var isAttachment: Bool
    /// Zero where it is not known.
    package var size: (width: Int, height: Int)
    package var tags: [(key: String, value: String)]

    package init(
      codec: Codec, picture: [UInt8], isAttachment: Bool, size: (width: Int, height: Int),
      tags: [(key: String, value: String)]
    ) {
      (self.codec, self.picture) = (codec, picture)
      (self.isAttachment, self.size, self.tags) = (isAttachment, size, tags)
    }
  }

  /// Adds a stream for a picture, after all others.
  @unsafe static func add(
    _ cover: Cover, to context: UnsafeMutablePointer<AVFormatContext>
  ) throws(LibavError) {
    guard let made = unsafe avformat_new_stream(context, nil),
      let parameters = unsafe made.pointee.codecpar,
      let descriptor = unsafe avcodec_descriptor_get_by_name(cover.codec.rawValue)
    else { throw LibavError(.outOfMemory, "no memory for a stream") }
    unsafe parameters.pointee.codec_id = unsafe descriptor.pointee.id
    // A muxer requires a size; the placeholder for an unknown size is written only to FLAC.
    unsafe parameters.pointee.width = Int32(clamping: max(1, cover.size.width))
    unsafe parameters.pointee.height = Int32(clamping: max(1, cover.size.height))
    if cover.isAttachment {
      unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
      unsafe try replaceExtradata(of: parameters, by: cover.picture)
    } else {
      unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
      unsafe made.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
    }
    for (key, value) in cover.tags {
      _ = unsafe av_dict_set(&made.pointee.metadata, key, value, 0)
    }
  }
}
