import ExactTime
import MediaFacts
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

/// Cover pictures are stored in the tags of sound (`APIC` of ID3v2.4, 4.14; `PICTURE` of FLAC, RFC
/// 9639, 8.8; `covr` of MP4), and among the attachments of Matroska.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file with cover art` {
  private static let codecs = [
    "mp3": "libmp3lame", "flac": "flac", "m4a": "aac", "aiff": "pcm_s16be", "mka": "libvorbis",
  ]

  /// Noise, so that the picture is larger than what is read as a header.
  private static func picture(_ ending: String, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "picture." + ending)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "nullsrc=s=240x200,geq=random(1)*255:128:128",
      "-frames:v", "1", "-pix_fmt", ending == "png" ? "rgb24" : "yuvj444p", "-q:v", "1", path,
    ])
    return path
  }

  private static func clip(
    _ ending: String, _ picture: String, in folder: ScratchFolder
  ) async throws -> String {
    let path = folder.path(of: "sound." + ending)
    let codec = try #require(codecs[ending])
    let sound = ["-v", "error", "-f", "lavfi", "-i", "sine=d=3"]
    let cover =
      ending == "mka"
      ? ["-attach", picture, "-metadata:s:1", "mimetype=image/png"]
      : [
        "-i", picture, "-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v", "attached_pic",
        "-metadata:s:v", "comment=Cover (back)",
      ]
    let options = ending == "aiff" ? ["-write_id3v2", "1"] : []
    _ = try await EncodedClip.ffmpeg(sound + cover + ["-c:a", codec] + options + [path])
    return path
  }

  private static func cut(
    _ path: String, to output: String, _ parts: [(Int64, Int64)] = [(1, 2)]
  ) throws -> CutReport {
    let ranges = try parts.map {
      try #require(MediaTimeRange(from: MediaTime($0.0, 10), to: MediaTime($0.1, 10)))
    }
    var request = CutRequest(range: ranges[0], verification: .full)
    for range in ranges.dropFirst() { request.join(range) }
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
  }

  private static func covers(_ path: String) throws -> [(facts: TrackFacts, picture: [UInt8])] {
    let source = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).source
    return try source.facts.tracks.filter(\.isCoverArt).map {
      ($0, try source.cover(ofTrack: $0.index))
    }
  }

  @Test(
    arguments: [
      ("mp3", "jpg", ["mp3", "m4a", "mka"]), ("flac", "png", ["flac", "ogg"]),
      ("m4a", "jpg", ["m4a", "mp3", "opus"]), ("mka", "png", ["mka", "m4a", "flac"]),
      ("aiff", "jpg", ["aiff", "mov"]),
    ] as [(String, String, [String])])
  func `when it is cut then the cover is kept unchanged`(
    _ ending: String, _ kind: String, _ outputs: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let picture = try await Self.picture(kind, in: folder)
    let path = try await Self.clip(ending, picture, in: folder)
    for output in outputs {
      let cut = folder.path(of: "cut." + output)
      let report = try Self.cut(path, to: cut, [(5, 15)])
      #expect(report.plan.tracks.allSatisfy { $0.dropped == nil }, "\(output)")
      let (found, bytes) = (try Self.covers(cut), try fileBytes(picture))
      #expect(found.map(\.facts.codec) == [kind == "png" ? "png" : "mjpeg"], "\(output)")
      #expect(found.first?.picture == bytes, "\(output)")
      // Video and sound are not displaced by it.
      let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(cut.utf8)))
      #expect(clip.source.tracks[0].facts.kind == .audio, "\(output)")
      let examined = try #require(report.examination?.tracks)
      #expect(examined.count == 2 && examined[1].packets == 1, "\(output)")
    }
  }

  /// ID3, FLAC and Ogg state the type of a picture.
  @Test func `then its picture type is stated`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(
      "mp3", try await Self.picture("jpg", in: folder), in: folder)
    for output in ["cut.mp3", "cut.flac", "cut.ogg"] {
      _ = try Self.cut(path, to: folder.path(of: output))
      let tags = try #require(try Self.covers(folder.path(of: output)).first).facts.tags
      #expect(tags.contains { $0.key == "comment" && $0.value == "Cover (back)" }, "\(output)")
    }
  }

  /// Only the second has a title.
  private static func pair(in folder: ScratchFolder) async throws -> (String, [[UInt8]]) {
    let pictures = [
      try await picture("jpg", in: folder), try await picture("png", in: folder),
    ]
    let path = folder.path(of: "pair.mp3")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=3", "-i", pictures[0], "-i", pictures[1], "-map",
      "0", "-map", "1", "-map", "2", "-c:a", "libmp3lame", "-c:v", "copy",
      "-disposition:v", "attached_pic", "-metadata:s:v:1", "title=The back", path,
    ])
    return (path, try pictures.map { try fileBytes($0) })
  }

  @Test(arguments: ["mp3", "flac", "mka", "m4a"])
  func `when there are several then all are kept, with their titles`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let (path, pictures) = try await Self.pair(in: folder)
    let output = folder.path(of: "cut." + ending)
    _ = try Self.cut(path, to: output)
    let covers = try Self.covers(output)
    #expect(covers.map(\.picture) == pictures)
    if ending != "m4a" { #expect(covers.map(\.facts.title) == [nil, "The back"]) }
  }

  /// FFmpeg's muxer cannot write two comments with the same name.
  @Test func `when Ogg can hold only one then the first is kept`() async throws {
    let folder = try ScratchFolder()
    let (path, pictures) = try await Self.pair(in: folder)
    let output = folder.path(of: "cut.opus")
    let report = try Self.cut(path, to: output)
    #expect(try Self.covers(output).map(\.picture) == [pictures[0]])
    #expect(report.plan.tracks[2].dropped == ".opus holds only one cover")
  }

  /// MP4 has no picture type; players look for the front cover.
  @Test func `when its picture type is not stated then it is the front cover`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip("m4a", try await Self.picture("jpg", in: folder), in: folder)
    let output = folder.path(of: "cut.mp3")
    _ = try Self.cut(path, to: output)
    let tags = try #require(try Self.covers(output).first).facts.tags
    #expect(tags.contains { $0.key == "comment" && $0.value == "Cover (front)" })
  }

  @Test func `when parts are joined then it is kept once`() async throws {
    let folder = try ScratchFolder()
    let picture = try await Self.picture("jpg", in: folder)
    let path = try await Self.clip("mp3", picture, in: folder)
    let output = folder.path(of: "cut.mp3")
    let report = try Self.cut(path, to: output, [(2, 8), (12, 20)])
    let bytes = try fileBytes(picture)
    #expect(try Self.covers(output).map(\.picture) == [bytes])
    let cover = try #require(report.plan.tracks.last)
    #expect(cover.isCover && cover.copiedBytes == bytes.count)
    #expect(report.plan.frames == 0)
  }

  /// Its first frame, after the picture, states a bit rate.
  @Test func `when few frames are left then readers recognize them`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(
      "mp3", try await Self.picture("png", in: folder), in: folder)
    let output = folder.path(of: "cut.mp3")
    _ = try Self.cut(path, to: output, [(10, 13)])
    let bytes = try fileBytes(output)
    let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }
    try #require(size > 1 << 16)
    let frame = bytes.dropFirst(10 + size)
    let tag = try #require(frame.firstRange(of: Array("Lavf".utf8))).lowerBound
    // LAME's tag: encoder, version and method, low-pass filter, loudness, flags, bit rate.
    #expect(frame[tag + 20] != 0)
  }

  @Test(arguments: ["wav", "ts"])
  func `when the container cannot hold it then that is reported`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(
      "mp3", try await Self.picture("jpg", in: folder), in: folder)
    let report = try Self.cut(path, to: folder.path(of: "cut." + ending))
    #expect(report.plan.tracks.map(\.dropped) == [nil, ".\(ending) cannot hold a cover"])
  }

  @Test func `when a plan names something that is not a cover then it is refused`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(
      "mp3", try await Self.picture("jpg", in: folder), in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let plan = try clip.plan(CutRequest(range: range), for: .mp3)
    for change in [
      { $0.tracks[1].index = 7 }, { $0.tracks[1].index = 0 }, { $0.tracks.append($0.tracks[1]) },
      { $0.container = .wav },
    ] as [(inout CutPlan) -> Void] {
      var changed = plan
      change(&changed)
      let error = #expect(throws: MediaError.self) {
        try clip.cut(changed, to: Array(folder.path(of: "cut.mp3").utf8))
      }
      #expect(error?.code == .planDiffers)
    }
  }
}
