import MediaFiles
import Support
import Synchronization
import Testing

@testable import Cutting

/// Vorbis has two block sizes: each packet is read to determine its duration.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Vorbis in MP4` {
  private final class Switch: Sendable {
    private let state = Mutex(false)
    var isOn: Bool { state.withLock { $0 } }
    func turnOn() { state.withLock { $0 = true } }
  }

  @Test
  func
    `when the durations of its packets are read then they add up, and reading can be cancelled`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=3:seed=3:a=0.4", "-c:a", "libvorbis",
      path,
    ])
    let file = try InputFile(path: Array(path.utf8))
    func opened(_ cancel: Switch) throws -> ISOCutSource {
      let source = try ISOCutSource(file, limits: .standard) { cancel.isOn }
      return try #require(source)
    }
    let lengths = try opened(Switch()).packetLengths(ofTrack: 0)
    #expect(Set(lengths).count > 1)
    #expect((144_000..<147_000).contains(lengths.reduce(0) { $0 + Int($1) }))

    let cancel = Switch()
    let source = try opened(cancel)
    cancel.turnOn()
    let error = #expect(throws: MediaError.self) { try source.packetLengths(ofTrack: 0) }
    #expect(error?.code == .cancelled)
  }
}
