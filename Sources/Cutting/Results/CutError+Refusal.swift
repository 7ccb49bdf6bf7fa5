#if !FFmpeg
  import MediaFiles

  extension CutError {
    package static var withoutFFmpeg: CutError { CutError(.withoutFFmpeg("cutting")) }
  }
#endif
