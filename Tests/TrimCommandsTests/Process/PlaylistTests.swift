import Support
import Testing

/// A text that names other files, to get them opened.
struct Playlist: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var word: String
  /// The text with a target in place of `TARGET`.
  var text: String

  static let all = [
    Playlist(
      testDescription: "HLS", word: "HLS",
      text: "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:2.0,\nTARGET\n#EXT-X-ENDLIST\n"),
    Playlist(
      testDescription: "HLS with a byte order mark", word: "HLS",
      text: "\u{FEFF}#EXTM3U\n#EXTINF:2.0,\nTARGET\n"),
    Playlist(
      testDescription: "DASH", word: "DASH",
      text: """
        <?xml version="1.0" encoding="utf-8"?>
        <!-- a clip -->
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S">
        <Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1">
        <BaseURL>TARGET</BaseURL></Representation></AdaptationSet></Period></MPD>
        """),
    Playlist(
      testDescription: "ffconcat", word: "ffconcat", text: "ffconcat version 1.0\nfile TARGET\n"),
    Playlist(
      testDescription: "SDP", word: "SDP",
      text: """
        v=0
        o=- 0 0 IN IP4 127.0.0.1
        s=TARGET
        c=IN IP4 127.0.0.1
        m=video 5004 RTP/AVP 96
        a=rtpmap:96 H264/90000

        """),
    Playlist(
      testDescription: "IMF", word: "IMF",
      text: """
        <?xml version="1.0" encoding="UTF-8"?>
        <cpl:CompositionPlaylist xmlns:cpl="http://www.smpte-ra.org/schemas/2067-3/2016">
        <cpl:Id>urn:uuid:8713c020-2489-45f5-a9f7-87be539e20b5</cpl:Id>
        <cpl:ContentTitle>TARGET</cpl:ContentTitle></cpl:CompositionPlaylist>
        """),
    Playlist(
      testDescription: "PLS", word: "PLS", text: "[playlist]\nFile1=TARGET\nNumberOfEntries=1\n"),
  ]

  func bytes(naming target: String) -> [UInt8] {
    Array(
      text.split(separator: "TARGET", omittingEmptySubsequences: false).joined(
        separator: target
      ).utf8)
  }
}

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given a playlist that looks like a video` {
  @Test(arguments: Playlist.all, ["clip.mp4", "clip.mkv", "clip", "clip.m3u8"])
  func `then its name does not matter: it is refused by its kind`(
    _ playlist: Playlist, _ name: String
  ) async throws {
    let folder = try ScratchFolder()
    let real = try folder.write(SampleClips.bytes("broadcast.ts"), to: "real.ts")
    let path = try folder.write(playlist.bytes(naming: "file://" + real), to: name)
    let before = folder.names
    let run = try await BuiltTool.run("probe", path)
    expectHarmless(run, statuses: [65])
    #expect(run.errText.contains(playlist.word) && run.errText.contains("not media"))
    #expect(run.out.isEmpty)
    #expect(folder.names == before)
  }

  @Test(
    .enabled(if: SystemTrace.isPossible, Comment(rawValue: SystemTrace.absence)),
    arguments: Playlist.all)
  func `then nothing that it names is opened or connected to`(_ playlist: Playlist) async throws {
    let folder = try ScratchFolder()
    let listener = try LoopbackListener()
    let real = try folder.write(SampleClips.bytes("broadcast.ts"), to: "real.ts")
    let targets = ["file://" + real, "real.ts", "http://127.0.0.1:\(listener.port)/real.ts"]
    for target in targets {
      let path = try folder.write(playlist.bytes(naming: target), to: "clip.mp4")
      let trace = try await SystemTrace(["probe", path].map { Array($0.utf8) }, folder: folder)
      #expect(trace.run.status == 65)
      #expect(trace.openings(of: "clip.mp4").count == 1)
      #expect(trace.openings(of: "real.ts").isEmpty)
      #expect(trace.sockets.isEmpty)
    }
    #expect(!listener.wasCalled)
  }

  @Test func `then it is named as such in JSON too`() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Playlist.all[0].bytes(naming: "a.ts"), to: "clip.mp4")
    let run = try await BuiltTool.run("probe", "--json", path)
    expectHarmless(run, statuses: [65])
    #expect(run.outText.contains("\"notMedia\"") && run.outText.contains("playlist"))
  }
}
