import ExactTime
import MediaFacts
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

/// The title and artist of a song also apply to a part of it.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given audio with tags` {
  private static let codecs = ["mp3": "libmp3lame", "opus": "libopus", "flac": "flac"]
  private static let tags = [
    "title": "Dawn", "artist": "Anna", "album": "Days", "track": "3/12", "isrc": "XY1",
  ]

  private static func cut(
    _ ending: String, to output: String, in folder: ScratchFolder
  ) async throws -> OpenedFile {
    let path = folder.path(of: "sound." + ending)
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "sine=d=2", "-c:a", try #require(codecs[ending])]
        + tags.flatMap { ["-metadata", "\($0.key)=\($0.value)"] } + [path])
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3, 2)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
  }

  private static func reported(_ facts: [(key: String, value: String)]) -> [String: [String]] {
    Dictionary(grouping: facts, by: { $0.key.lowercased() }).mapValues { $0.map(\.value) }
  }

  /// Ogg has tags on tracks, where others have them on the file; AIFF's own chunks and FFmpeg's MP4
  /// muxer hold only some.
  @Test(
    arguments: [
      ("opus", ["mp3", "flac", "mka", "m4a"]), ("mp3", ["aiff", "m4a", "mp4", "flac"]),
      ("flac", ["flac", "caf"]),
    ] as [(String, [String])])
  func `when it is cut into another container then each tag is kept once`(
    _ ending: String, _ outputs: [String]
  ) async throws {
    let folder = try ScratchFolder()
    for output in outputs {
      let clip = try await Self.cut(ending, to: folder.path(of: "cut." + output), in: folder)
      let file = Self.reported(clip.source.facts.tags.map { ($0.key, $0.value) })
      let track = Self.reported(clip.source.tracks[0].facts.tags.map { ($0.key, $0.value) })
      for (key, value) in Self.tags {
        #expect(file[key] == [value], "\(output): \(key)")
        #expect(track[key] == nil, "\(output): \(key)")
      }
      #expect(clip.source.tracks[0].facts.title == nil, "\(output)")
    }
  }

  /// FFmpeg writes Opus chapters that begin after the middle of a second one second late, and drops
  /// others.
  @Test(arguments: ["opus", "ogg", "flac", "mp3", "mka", "m4a", "aiff"])
  func `when it has chapters then each begins where it should`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.m4a")
    try folder.write(
      Array(
        (";FFMETADATA1\n"
          + [(0, "One"), (2, "Two"), (3, "Three")].map {
            "[CHAPTER]\nTIMEBASE=1/1\nSTART=\($0.0)\nEND=\($0.0 + 1)\ntitle=\($0.1)\n"
          }.joined()).utf8), to: "chapters.txt")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=4", "-i", folder.path(of: "chapters.txt"),
      "-map_metadata", "1", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(14, 10), to: MediaTime(34, 10)))
    let output = folder.path(of: "cut." + ending)
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let chapters = clip.source.facts.chapters
    #expect(chapters.map(\.title) == ["One", "Two", "Three"])
    #expect(chapters.map(\.start) == [MediaTime(0), MediaTime(6, 10), MediaTime(16, 10)])
  }

  /// A transport stream names its service in a table of its own (EN 300 468, 5.2.3).
  ///
  /// A name that does not fit into the table is left out.
  @Test(
    arguments: ["ts", "m2ts"],
    [("Das Erste", "Das Erste"), (String(repeating: "a", count: 247), "Service01")])
  func `when it belongs to a service then the part belongs to the same one`(
    _ ending: String, _ names: (reported: String, kept: String)
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.ts")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=2", "-c:a", "mp2", "-metadata",
      "service_name=" + names.reported, "-metadata", "service_provider=ARD", path,
    ])
    let tags = try programTags(of: path, cutInto: "cut." + ending, in: folder)
    let provider = names.kept == names.reported ? "ARD" : "FFmpeg"
    #expect(tags == ["service_name": [names.kept], "service_provider": [provider]])
  }

  /// FFmpeg's muxer uses the title as the service name, whose length is one byte; Ogg writes its
  /// key in capitals.
  @Test(arguments: ["ts", "m2ts"], ["mp3", "ogg"])
  func `when its title is too long for the name of a service then it is shortened`(
    _ ending: String, _ source: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound." + source)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=2", "-c:a",
      source == "ogg" ? "libopus" : "mp3", "-metadata",
      (source == "ogg" ? "TITLE=" : "title=") + String(repeating: "ä", count: 300), path,
    ])
    let tags = try programTags(of: path, cutInto: "cut." + ending, in: folder)
    #expect(tags["service_name"] == [String(repeating: "ä", count: 120)])
  }

  private func programTags(
    of path: String, cutInto name: String, in folder: borrowing ScratchFolder
  ) throws -> [String: [String]] {
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3, 2)))
    let output = folder.path(of: name)
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    return try clip.source.withDemuxer { (demuxer) throws(MediaError) in
      Self.reported(demuxer.programTags(ofStream: 0))
    }
  }

  /// Each of the two tracks has its own.
  @Test(
    arguments: [
      ("mka", [1], ["Dusk"], [nil]), ("mkv", nil, [], ["Dawn", "Dusk"]),
      ("mp4", nil, ["Dawn"], [nil, nil]),
    ] as [(String, Set<Int>?, [String], [String?])])
  func `when several tracks have tags then those of a track that is not written are dropped`(
    _ ending: String, _ chosen: Set<Int>?, _ file: [String], _ tracks: [String?]
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.ogg")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=2", "-f", "lavfi", "-i", "sine=300:d=2", "-map",
      "0", "-map", "1", "-c:a", "libvorbis", "-metadata:s:0", "title=Dawn", "-metadata:s:1",
      "title=Dusk", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3, 2)))
    var request = CutRequest(range: range)
    if let chosen {
      request.tracks = TrackChoice(ids: Set(chosen.map { clip.source.tracks[$0].facts.id }))
    }
    let output = folder.path(of: "cut." + ending)
    _ = try clip.cut(CutOrder(request, to: Array(output.utf8)))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let reported = Self.reported(written.source.facts.tags.map { ($0.key, $0.value) })
    #expect(reported["title"] ?? [] == file)
    #expect(written.source.tracks.map(\.facts.title) == tracks)
  }

  /// Encoders sign pictures and sound alike.
  @Test(arguments: ["mkv", "mov"])
  func `when one of several tracks has tags then they become the file's`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.ogg")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=2", "-f", "lavfi", "-i", "sine=300:d=2", "-map",
      "0", "-map", "1", "-c:a", "libvorbis", "-metadata:s:1", "title=Dusk", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    try #require(clip.source.tracks[0].facts.tags.map { $0.key.lowercased() } == ["encoder"])
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3, 2)))
    let output = folder.path(of: "cut." + ending)
    _ = try clip.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    #expect(
      Self.reported(written.source.facts.tags.map { ($0.key, $0.value) })["title"] == ["Dusk"])
    #expect(written.source.tracks.allSatisfy { $0.facts.title == nil })
  }

  @Test(arguments: ["opus", "flac"])
  func `when it is cut into Ogg then they become its track's`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let clip = try await Self.cut(ending, to: folder.path(of: "cut.ogg"), in: folder)
    #expect(clip.source.tracks[0].facts.title == "Dawn")
    let track = Self.reported(clip.source.tracks[0].facts.tags.map { ($0.key, $0.value) })
    for (key, value) in Self.tags where key != "title" { #expect(track[key] == [value], "\(key)") }
  }
}
