#if !FFmpeg
  extension CutError {
    package static var withoutFFmpeg: CutError { CutError(.withoutFFmpeg("cutting")) }
  }
#endif
