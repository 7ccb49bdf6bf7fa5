import CFFmpeg

extension TrackReader {
  /// Whether the container signals that the packets of a stream are encrypted.
  @unsafe static func isEncrypted(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    unsafe hasSideData(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO)
      || hasSideData(stream, AV_PKT_DATA_ENCRYPTION_INFO)
      // Of WebM's encryption data FFmpeg keeps only the key ID.
      || copiedTags(stream.pointee.metadata).contains { $0.key == "enc_key_id" }
  }

  /// Whether any stream is encrypted.
  @unsafe static func hasEncryption(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    unsafe (0..<Int(context.pointee.nb_streams)).contains {
      unsafe context.pointee.streams[$0].map { unsafe isEncrypted($0) } == true
    }
  }
}
