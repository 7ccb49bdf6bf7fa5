import ExactTime
import MediaEngine
import MediaFacts
import Synchronization

/// What of a video is previewed.
package enum PreviewKind: String, Sendable, Hashable, Codable, CaseIterable {
  case video, sound
}

#if FFmpeg
  /// Makes stretches of a preview; what they are made of is opened when the first is asked for.
  final class PreviewSource: Sendable {
    private let path: [UInt8]
    private let facts: MediaFacts
    private let origin: MediaTime
    private let index: [UInt8]
    private let isCancelled: @Sendable () -> Bool
    private let pictures = Mutex<PreviewPictures?>(nil)
    private let sound = Mutex<PreviewSound?>(nil)

    init(
      _ path: [UInt8], _ facts: MediaFacts, _ origin: MediaTime, index: [UInt8] = [],
      isCancelled: @escaping @Sendable () -> Bool
    ) {
      self.path = path
      self.facts = facts
      self.origin = origin
      self.index = index
      self.isCancelled = isCancelled
    }

    /// Larger pictures cost time, and the one that stands still is shown in full size.
    private static let size = PictureSize.within(width: 1280, height: 720)

    func segment(_ kind: PreviewKind, _ range: MediaTimeRange) throws(ProbeError) -> [UInt8] {
      switch kind {
      case .video: try openedPictures().segment(range)
      case .sound: try openedSound().segment(range)
      }
    }

    private func openedPictures() throws(ProbeError) -> PreviewPictures {
      try pictures.withLock { (opened) throws(ProbeError) in
        if let opened { return opened }
        let made = try PreviewPictures(
          PictureTrack(
            path, facts: facts, index: index, origin: origin, isCancelled: isCancelled),
          size: Self.size)
        opened = made
        return made
      }
    }

    private func openedSound() throws(ProbeError) -> PreviewSound {
      try sound.withLock { (opened) throws(ProbeError) in
        if let opened { return opened }
        let made = PreviewSound(
          try SoundTrack(path, facts: facts, origin: origin, isCancelled: isCancelled))
        opened = made
        return made
      }
    }
  }
#endif
