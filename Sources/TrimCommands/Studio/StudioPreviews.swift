import ExactTime
import Isolation
import MediaEngine
import Synchronization
import TrimStudio
import Trimming

/// Preview segments, the newest of which are cached: both players of a page request the same ones,
/// and a loop requests them again.
final class StudioPreviews: Sendable {
  private struct Key: Hashable {
    var kind: StudioPictures.Kind
    var coding: StudioPictures.Coding
    var range: MediaTimeRange
  }

  /// Cached segments, newest last.
  private struct Kept {
    var segments: [Key: StudioPictures.Segment] = [:]
    var order: [Key] = []
    var size = 0
  }

  private let media: MediaPictures
  private let kept = Mutex(Kept())
  private let (pictures, sound) = (StudioWorker(), StudioWorker())

  /// The maximum cache size in bytes.
  private static let mostKept = 48 << 20

  init(_ media: MediaPictures) { self.media = media }

  func segment(
    _ kind: StudioPictures.Kind, _ coding: StudioPictures.Coding, _ range: MediaTimeRange
  ) async throws -> StudioPictures.Segment? {
    let key = Key(kind: kind, coding: coding, range: range)
    if let known = known(key) { return known }
    let (worker, asked): (StudioWorker, PreviewKind) =
      switch kind {
      case .video: (pictures, .video)
      case .sound: (sound, .sound)
      }
    return try await worker.value { [self] in
      // Both players may have requested it before it was available.
      if let known = known(key) { return known }
      let how: PreviewCoding = coding == .copied ? .copied : .made
      guard let made = try media.segment(asked, how, range) else { return nil }
      var segment = StudioPictures.Segment(bytes: made.bytes, type: made.type, range: made.range)
      segment.start = made.start
      keep(segment, for: key)
      return segment
    }
  }

  private func known(_ key: Key) -> StudioPictures.Segment? {
    kept.withLock { kept in
      guard let segment = kept.segments[key] else { return nil }
      kept.order.removeAll { $0 == key }
      kept.order.append(key)
      return segment
    }
  }

  private func keep(_ segment: StudioPictures.Segment, for key: Key) {
    kept.withLock { kept in
      guard kept.segments.updateValue(segment, forKey: key) == nil else { return }
      kept.order.append(key)
      kept.size += segment.bytes.count
      while kept.size > Self.mostKept, kept.order.count > 1 {
        let oldest = kept.order.removeFirst()
        kept.size -= kept.segments.removeValue(forKey: oldest)?.bytes.count ?? 0
      }
    }
  }
}
