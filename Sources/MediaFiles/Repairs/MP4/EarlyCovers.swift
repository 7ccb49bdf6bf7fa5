import ISOMedia
import Libav

/// Hides cover art before the tracks of an MP4, where taggers put it in files without any tags.
///
/// FFmpeg numbers its streams in box order, so that each track would get another's number.
enum EarlyCovers {
  /// Makes FFmpeg skip covers, which then get no stream number.
  static func patches(for movie: ISOMovie) -> [OverlaidInput.Patch] {
    guard let track = movie.tracks.compactMap({ $0.firstEntry?.offset }).min() else { return [] }
    return Set(movie.coverArt.map(\.boxOffset)).filter { $0 < track }.sorted()
      .map { .type("free", ofBoxAt: $0) }
  }
}
