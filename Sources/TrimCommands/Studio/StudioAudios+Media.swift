import MediaFacts
import Synchronization
import TrimStudio
import Trimming

extension StudioAudios {
  /// The audio tracks that are presented, in the order of the file.
  init(_ media: PlayedMedia, _ path: [UInt8], engine: EnginePort) {
    let heard = media.facts.tracks.filter { track in
      track.kind == .audio && track.isPresented && track.durations.presented?.start != nil
        && !track.isEncrypted
    }
    let opened = OpenedAudios(media, path, engine)
    self.init(
      tracks: heard.map { Track(id: $0.id, words: $0.words) },
      open: { id in
        guard let track = heard.first(where: { $0.id == id }) else {
          throw VideoFailure("There is no such audio track.")
        }
        return try await opened.pictures(of: track)
      })
  }
}

/// Each track is opened once, as a file of which it is the only one.
private final class OpenedAudios: Sendable {
  private let media: PlayedMedia
  private let path: [UInt8]
  private let engine: EnginePort
  private let worker = StudioWorker()
  private let known = Mutex<[Int: StudioPictures]>([:])

  init(_ media: PlayedMedia, _ path: [UInt8], _ engine: EnginePort) {
    (self.media, self.path, self.engine) = (media, path, engine)
  }

  func pictures(of track: TrackFacts) async throws -> StudioPictures {
    try await worker.value { [self] in
      if let opened = known.withLock({ $0[track.id] }) { return opened }
      var facts = media.facts
      facts.tracks = [track]
      guard let sound = try engine.pictures(path, facts, media.origin) else {
        throw VideoFailure("This build of trim cannot decode audio.")
      }
      let opened = StudioPictures(sound, bounds: media.bounds)
      known.withLock { $0[track.id] = opened }
      return opened
    }
  }
}
