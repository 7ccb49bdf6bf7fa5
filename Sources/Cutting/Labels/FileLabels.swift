import ExactTime
import Libav

/// Metadata of the whole file.
struct FileLabels {
  var tags: [(key: String, value: String)] = []
  /// The track whose tags these are, if the source has them on its tracks.
  var taggedTrack: Int?
  var chapters: [Muxer.Chapter] = []
  /// The timecode of the first frame; `nil` where the source states none, or its timecode track
  /// is kept.
  var timecode: Timecode?
  var covers: [FileCover] = []
  /// Chunks of a WAV or AIFF that are written after the sound.
  var chunks: [AddedChunk] = []
  /// There is no metadata besides the timecode.
  var isEmpty: Bool { tags.isEmpty && chapters.isEmpty && covers.isEmpty }
}
