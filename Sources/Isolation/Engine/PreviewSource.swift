import ExactTime
import MediaEngine
import MediaFacts
import Synchronization

/// What kind of content is previewed.
package enum PreviewKind: String, Sendable, Hashable, Codable, CaseIterable {
  case video, sound
}

/// How a preview is made.
package enum PreviewCoding: String, Sendable, Hashable, Codable, CaseIterable {
  /// From the file's own packets.
  case copied
  /// Re-encoded in a format that every browser plays.
  case made
}

/// Makes preview segments; the source is opened when the first one is requested.
final class PreviewSource: Sendable {
  private let path: [UInt8]
  private let facts: MediaFacts
  private let origin: MediaTime
  private let index: [UInt8]
  private let isCancelled: @Sendable () -> Bool
  private let pictures = Mutex<PreviewPictures?>(nil)
  private let sound = Mutex<PreviewAudio?>(nil)
  private let copiedPictures = Mutex<CopiedPictures?>(nil)
  private let copiedSound = Mutex<CopiedAudio?>(nil)

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

  /// Larger pictures take longer, and a paused picture is shown at full size anyway.
  private static let size = PictureSize.within(width: 1280, height: 720)

  /// - Returns: `nil` if it cannot be made in this way; empty if there is nothing there.
  func segment(
    _ kind: PreviewKind, _ coding: PreviewCoding, _ range: MediaTimeRange
  ) throws(MediaError) -> PreviewSegment? {
    let bytes: [UInt8]
    switch (kind, coding) {
    case (.video, .copied):
      return try Self.opened(copiedPictures) { () throws(MediaError) in
        CopiedPictures(try track(), until: end)
      }.segment(range)
    case (.sound, .copied):
      return try Self.opened(copiedSound) { () throws(MediaError) in
        CopiedAudio(try soundTrack(), until: end)
      }.segment(range)
    case (.video, .made):
      bytes = try Self.opened(pictures) { () throws(MediaError) in
        try PreviewPictures(track(), size: Self.size)
      }.segment(range)
    case (.sound, .made):
      bytes = try Self.opened(sound) { () throws(MediaError) in
        PreviewAudio(try soundTrack())
      }.segment(range)
    }
    return PreviewSegment(bytes: bytes, type: "video/mp4", range: range)
  }

  /// The end of the file, counted from its origin.
  private var end: MediaTime {
    let presented = facts.durations.presented
    return presented.map { MediaTime(seconds: $0.length.seconds) } ?? .zero
  }

  private func track() throws(MediaError) -> PictureTrack {
    try PictureTrack(path, facts: facts, index: index, origin: origin, isCancelled: isCancelled)
  }

  private func soundTrack() throws(MediaError) -> AudioTrack {
    try AudioTrack(path, facts: facts, origin: origin, isCancelled: isCancelled)
  }

  private static func opened<Source: Sendable>(
    _ place: borrowing Mutex<Source?>, _ open: () throws(MediaError) -> Source
  ) throws(MediaError) -> Source {
    try place.withLock { (opened) throws(MediaError) in
      if let opened { return opened }
      let made = try open()
      opened = made
      return made
    }
  }
}
