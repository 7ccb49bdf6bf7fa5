#if !FFmpeg
  // What a build without FFmpeg has instead of cutting and decoding: the same names, each failing
  // with one sentence, so that every front end has a single source.

  extension ProbeError {
    package static func withoutFFmpeg(_ what: String) -> ProbeError {
      ProbeError(.engineMissing, "\(what) needs FFmpeg, and this build was made without it")
    }
  }
#endif
