import ISOMedia
import Libav

/// Covers that stand before the tracks of an MP4, where taggers put them into files without any tags: FFmpeg numbers
/// its streams in the order of the boxes, so that each track had another's number.
enum EarlyCovers {
  /// Passed over, covers have no number.
  static func patches(for movie: ISOMovie) -> [OverlaidInput.Patch] {
    guard let track = movie.tracks.compactMap({ $0.firstEntry?.offset }).min() else { return [] }
    return Set(movie.coverArt.map(\.boxOffset)).filter { $0 < track }.sorted()
      .map { .type("free", ofBoxAt: $0) }
  }
}
