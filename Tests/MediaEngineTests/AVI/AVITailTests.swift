import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given an AVI of 25 frames` {
  /// The file, written without an index.
  private func clip(
    _ codec: String, adding words: [String] = [], behind: [[UInt8]] = [], _ folder: ScratchFolder
  ) async throws -> [UInt8] {
    let path = folder.path(of: "made.avi")
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-c:v", codec, "-g", "5",
      ] + words + [path])
    let bytes = try fileBytes(path)
    var pictures: [[UInt8]] = []
    var place = try #require(bytes.firstRange(of: Array("movi".utf8))).upperBound
    while bytes[place..<place + 4].elementsEqual("00dc".utf8) {
      let size = bytes[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      pictures.append(Array(bytes[place + 8..<place + 8 + size]))
      place += 8 + size + size % 2
    }
    try #require(pictures.count == 25)
    let name = codec == "mjpeg" ? "MJPG" : "FMP4"
    return RIFFBuilder.clip(
      type: "vids", codec: Array(name.utf8),
      format: RIFFBuilder.bitmap(width: 64, height: 48, codec: name), packets: pictures + behind,
      named: "00dc")
  }

  private func probe(_ path: String, _ depth: RequestedDepth = .packets) throws -> MediaFacts {
    try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth, wantsFrames: true))
  }

  private func cut(_ path: String, _ folder: ScratchFolder) throws -> MediaFacts {
    let output = folder.path(of: "cut.mkv")
    let range = try #require(MediaTimeRange(from: MediaTime(1, 5), to: MediaTime(2)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .matroska)
    return try probe(output)
  }

  @Test(arguments: ["mjpeg", "mpeg4"])
  func `when the file ends inside the last one then it is not presented, and a cut ends before it`(
    _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(
      Array(try await clip(codec, folder).dropLast(6)), to: "clip.avi")
    for depth in [RequestedDepth.packets, .frames] {
      let facts = try probe(path, depth)
      #expect(facts.tracks[0].frameCount == 24)
      #expect(facts.durations.presented?.length == MediaDuration(24, 25))
      #expect(facts.damage.map(\.kind) == [.truncated])
      #expect(facts.notes.contains { $0.id == .lastFrameCutShort })
      if depth == .frames {
        #expect(facts.durations.decoded?.length == facts.durations.presented?.length)
      }
    }
    let part = try cut(path, folder)
    #expect(part.tracks[0].frameCount == 19)
    #expect(part.durations.presented?.length == MediaDuration(19, 25))
  }

  /// Whether the stream header counts the empty chunks.
  @Test(arguments: [true, false])
  func `when empty chunks follow the last one then each extends its time`(
    _ isCounted: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let empty = [[UInt8]](repeating: [], count: 5)
    var bytes = try await clip("mpeg4", behind: empty, folder)
    if !isCounted {
      let header = try #require(bytes.firstRange(of: Array("vids".utf8))).lowerBound
      bytes.replaceSubrange(header + 32..<header + 36, with: RIFFBuilder.little(25))
    }
    let path = try folder.write(bytes, to: "clip.avi")
    for depth in [RequestedDepth.packets, .frames] {
      let facts = try probe(path, depth)
      #expect(facts.tracks[0].frameCount == 25)
      #expect(facts.durations.presented?.length == MediaDuration(6, 5))
      #expect(facts.tracks[0].shownFrames.last?.duration == MediaDuration(6, 25))
      #expect(facts.damage.isEmpty)
      if depth == .frames {
        #expect(facts.durations.decoded?.length == MediaDuration(6, 5))
      }
    }
    let part = try cut(path, folder)
    #expect(part.tracks[0].frameCount == 20)
    #expect(part.durations.presented?.length == MediaDuration(1))
  }

  @Test(arguments: [[], ["-bf", "2"]])
  func `when empty chunks follow the last one then a cut into AVI shows it as long`(
    _ words: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let empty = [[UInt8]](repeating: [], count: 5)
    let path = try folder.write(
      try await clip("mpeg4", adding: words, behind: empty, folder), to: "clip.avi")
    let output = folder.path(of: "cut.avi")
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(2)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutRequest(range: range), to: Array(output.utf8), as: .avi)
    let cut = try probe(output)
    #expect(cut.tracks[0].frameCount == 25)
    #expect(cut.durations.presented?.length == MediaDuration(6, 5))
  }
}
