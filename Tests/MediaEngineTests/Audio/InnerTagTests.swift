import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// Files joined by `cat` have the tags of each in the middle.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given audio with tags between its frames` {
  enum Tag: CaseIterable {
    case id3, id3v1, extendedID3v1, ape, apeWithoutHeader, lyrics, oldLyrics, several

    /// - Parameter frames: what the tag contains: frames of the sound itself.
    func bytes(_ frames: [UInt8]) -> [UInt8] {
      switch self {
      case .id3:
        let size = [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: frames.count >> $0 & 0x7F) }
        return Array("ID3".utf8) + [3, 0, 0] + size + frames
      case .id3v1: return Array("TAG".utf8) + frames.prefix(125)
      case .extendedID3v1:
        return Array("TAG+".utf8) + frames.prefix(223) + Tag.id3v1.bytes(frames)
      case .ape:
        let items = Self.item(frames)
        return Self.edge(items.count, 0xA0) + items + Self.edge(items.count, 0x80)
      case .apeWithoutHeader:
        let items = Self.item([UInt8](repeating: 0x20, count: 40)) + Self.item(frames)
        return items + Self.edge(items.count, 0)
      case .lyrics:
        let text = Array("LYRICSBEGIN".utf8) + frames
        let digits = String(text.count)
        let size = String(repeating: "0", count: 6 - digits.count) + digits
        return text + Array((size + "LYRICS200").utf8)
      case .oldLyrics: return Array("LYRICSBEGIN".utf8) + frames + Array("LYRICSEND".utf8)
      case .several:
        return [.lyrics, .ape, .id3v1, .id3, .id3].flatMap { (tag: Tag) in tag.bytes(frames) }
      }
    }

    private static func number(_ count: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    }

    private static func item(_ value: [UInt8]) -> [UInt8] {
      number(value.count) + [2, 0, 0, 0] + Array("Cover Art".utf8) + [0] + value
    }

    private static func edge(_ items: Int, _ flags: UInt8) -> [UInt8] {
      Array("APETAGEX".utf8) + [0xD0, 7, 0, 0] + number(items + 32) + [1, 0, 0, 0]
        + [0, 0, 0, flags] + [UInt8](repeating: 0, count: 8)
    }
  }

  /// A second of sound.
  private func sound(_ ending: String, in folder: ScratchFolder) async throws -> [UInt8] {
    let path = folder.path(of: "whole." + ending)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=1:r=44100", "-write_xing", "0",
      "-id3v2_version", "0", "-b:a", "64k", path,
    ])
    return try fileBytes(path)
  }

  private func probe(_ path: String, _ depth: RequestedDepth) throws -> MediaFacts {
    try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }

  @Test(arguments: ["mp3", "aac"])
  func `when they contain frames then these are not audio, for a probe or a cut`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let whole = try await sound(ending, in: folder)
    let plain = try folder.write(whole + whole, to: "plain." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3, 2)))
    func cut(_ path: String) throws -> [UInt8] {
      let output = folder.path(of: path.hasPrefix(plain) ? "plain.wav" : "cut.wav")
      let order = CutOrder(CutRequest(range: range), to: Array(output.utf8), replaces: true)
      _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(order)
      return try fileBytes(output)
    }
    let expected = try probe(plain, .packets)
    let samples = try cut(plain)
    for tag in Tag.allCases {
      let bytes = tag.bytes(Array(whole.prefix(3000)))
      let path = try folder.write(whole + bytes + whole, to: "joined." + ending)
      for depth in [RequestedDepth.packets, .frames] {
        let facts = try probe(path, depth)
        #expect(facts.durations.presented == expected.durations.presented, "\(tag)")
        #expect(facts.tracks[0].sampleCount == expected.tracks[0].sampleCount, "\(tag)")
        #expect(facts.damage.isEmpty, "\(tag)")
      }
      #expect(try cut(path) == samples, "\(tag)")
    }
  }

  @Test func `when one is the last thing in the file then it is not audio either`() async throws {
    let folder = try ScratchFolder()
    let whole = try await sound("mp3", in: folder)
    let plain = try folder.write(whole, to: "plain.mp3")
    let tag = Tag.id3.bytes(Array(whole.prefix(3000)))
    for tail in [tag, tag.dropLast(200), tag + Tag.id3v1.bytes(whole)] {
      let path = try folder.write(whole + tail, to: "tagged.mp3")
      #expect(
        try probe(path, .frames).durations.presented == probe(plain, .frames).durations.presented)
    }
  }

  @Test func `when bytes that belong to nothing follow them then the search ends`() async throws {
    let folder = try ScratchFolder()
    let whole = try await sound("mp3", in: folder)
    let frames = try probe(folder.write(whole, to: "plain.mp3"), .packets).tracks[0].sampleCount
    // An item at every eleventh byte, each of which leads far away.
    let item: [UInt8] = [2, 0, 1, 0, 0, 0, 0, 0, 0x61, 0x62, 0]
    let items = [[UInt8]](repeating: item, count: 20_000).flatMap { $0 }
    let lyrics = [[UInt8]](repeating: Array("LYRICSBEGIN".utf8), count: 2000).flatMap { $0 }
    let ends = [Tag.ape.bytes([1]) + Tag.id3v1.bytes(whole) + [0], items, lyrics]
    for end in ends {
      let path = try folder.write(whole + end, to: "tagged.mp3")
      #expect(try probe(path, .packets).tracks[0].sampleCount == frames)
    }
  }

  @Test func `when one cuts a frame short then nothing of the tag is presented`() async throws {
    let folder = try ScratchFolder()
    let whole = try await sound("mp3", in: folder)
    let tag = Tag.id3.bytes(Array(whole.prefix(3000)))
    let path = try folder.write(whole.dropLast(60) + tag + whole, to: "joined.mp3")
    let plain = try folder.write(whole + whole, to: "plain.mp3")
    let facts = try probe(path, .packets)
    let frames = try #require(facts.tracks[0].sampleCount)
    let expected = try #require(try probe(plain, .packets).tracks[0].sampleCount)
    #expect(frames <= expected)
  }

  @Test func `then the place of damage counts from the start of the file`() async throws {
    let folder = try ScratchFolder()
    let whole = try await sound("mp3", in: folder)
    let tag = Tag.id3.bytes(Array(whole.prefix(3000)))
    let garbage = [UInt8](repeating: 0x12, count: 300)
    let path = try folder.write(whole + tag + whole + garbage + whole, to: "joined.mp3")
    let damage = try #require(try probe(path, .packets).damage.first)
    #expect(damage.kind == .garbage)
    let place = Int64(2 * whole.count + tag.count)
    #expect(damage.byteOffset == place)
  }
}
