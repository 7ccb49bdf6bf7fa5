#if !FFmpeg
  // What a build without FFmpeg has in place of cutting and decoding: the same names, each refusing
  // in one sentence, so that every front end is one source.

  extension ProbeError {
    package static func withoutFFmpeg(_ what: String) -> ProbeError {
      ProbeError(.engineMissing, "\(what) needs FFmpeg, and this build was made without it")
    }
  }
#endif
