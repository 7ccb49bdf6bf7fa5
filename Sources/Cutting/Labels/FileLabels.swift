#if FFmpeg
  import ExactTime
  import Libav

  /// What is said of the whole file.
  struct FileLabels {
    var tags: [(key: String, value: String)] = []
    /// The track whose tags these are, where the source has them with its tracks.
    var taggedTrack: Int?
    var chapters: [Muxer.Chapter] = []
    /// The label of the first frame; `nil` where the source states none, or a track of it goes along.
    var timecode: Timecode?
    var covers: [FileCover] = []
    /// Nothing is said besides the timecode.
    var isEmpty: Bool { tags.isEmpty && chapters.isEmpty && covers.isEmpty }
  }
#endif
