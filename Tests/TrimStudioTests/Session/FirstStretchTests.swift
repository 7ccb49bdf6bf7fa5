import ExactTime
import Support
import Testing
import Trimming

@testable import TrimStudio

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given a video that was opened in a studio` {
  /// What is prepared for a video before a page has requested anything.
  private func stretches(
    of mediaType: String?, hasSound: Bool = true, seconds: Int64 = 10
  ) async throws -> [String] {
    let asked = Recorder<String>()
    var file = StudioStage.file(
      "clip", seconds, nil, StudioMedia(type: "video/mp4") { .init(descriptor: -1, size: 0) })
    file.about.shape = Rational(16, 9)
    file.about.mediaType = mediaType
    file.about.hasSound = hasSound
    file.pictures.segment = { kind, coding, range in
      asked.record("\(kind) \(coding) \(range.start.seconds) \(range.end.seconds)")
      return kind == .sound && coding == .copied ? nil : .init(bytes: [7], type: "", range: range)
    }
    await OpenFile(file, limit: .standard).warmUp()
    return asked.take()
  }

  @Test(arguments: ["", "video/mp4; codecs=\"hvc1.1.6.L93.B0\""])
  func `when few browsers decode it, then its first stretch is made in advance`(
    mediaType: String
  ) async throws {
    #expect(
      try await stretches(of: mediaType) == [
        "video made 0 1/4", "sound copied 0 1", "sound made 0 1",
      ])
    #expect(try await stretches(of: mediaType, hasSound: false) == ["video made 0 1/4"])
  }

  @Test func `when browsers decode it, then nothing is made in advance`() async throws {
    #expect(try await stretches(of: "video/mp4; codecs=\"avc1.640028\"").isEmpty)
  }
}
