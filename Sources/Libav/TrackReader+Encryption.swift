#if FFmpeg
  import CFFmpeg

  extension TrackReader {
    /// Whether the container says that the packets of a stream are encrypted.
    @unsafe static func isEncrypted(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
      unsafe hasSideData(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO)
        || hasSideData(stream, AV_PKT_DATA_ENCRYPTION_INFO)
        // Of WebM's encryption FFmpeg keeps the key's name alone.
        || copiedTags(stream.pointee.metadata).contains { $0.key == "enc_key_id" }
    }

    /// The same of any stream.
    @unsafe static func hasEncryption(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
      unsafe (0..<Int(context.pointee.nb_streams)).contains {
        unsafe context.pointee.streams[$0].map { unsafe isEncrypted($0) } == true
      }
    }
  }
#endif
