import ExactTime
import MediaFacts
import Testing
import TrimStudio

@testable import TrimCommands

@Suite struct `Given the file types that the page offers` {
  private func first(_ codecs: [(TrackKind, Codec)], own: String) -> [String] {
    var facts = MediaFacts(
      container: ContainerFacts(format: "mov", longName: "QuickTime"), depth: .header)
    facts.tracks = codecs.enumerated().map { index, codec in
      TrackFacts(id: index + 1, index: index, kind: codec.0, codec: codec.1)
    }
    return StudioSettings.FileType.all(for: facts, own: Array(own.utf8)).filter(\.isFirst)
      .map(\.ending)
  }

  @Test func `when it is a video, then its own, another, its audio and WAV come first`() {
    #expect(
      first([(.video, "h264"), (.audio, "aac")], own: "a.mp4") == ["mp4", "mkv", "m4a", "wav"])
    #expect(
      first([(.video, "h264"), (.audio, "mp3")], own: "a.mkv") == ["mkv", "mp4", "mp3", "wav"])
  }

  @Test func `when it is audio, then no video container comes first`() {
    #expect(first([(.audio, "flac")], own: "a.flac") == ["flac", "wav"])
  }

  @Test func `when all are listed, then each is there once`() {
    let facts = MediaFacts(
      container: ContainerFacts(format: "mov", longName: "QuickTime"), depth: .header)
    let all = StudioSettings.FileType.all(for: facts, own: Array("a.mp4".utf8))
    #expect(Set(all.map(\.ending)).count == all.count)
    #expect(Set(all.map(\.name)).count == all.count)
  }
}
