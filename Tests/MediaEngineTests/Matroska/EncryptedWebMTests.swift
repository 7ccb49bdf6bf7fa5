import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given WebM whose frames are encrypted` {
  static let kinds = [
    ["-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=2", "-c:v", "libvpx"],
    ["-f", "lavfi", "-i", "sine=d=2", "-c:a", "libvorbis"],
    ["-f", "lavfi", "-i", "sine=d=2", "-c:a", "libopus"],
  ]

  /// A track whose name is replaced by WebM's encryption element (RFC 9559, 5.1.4.1.31), and whose
  /// frames are noise after a byte that marks encryption.
  private func encrypted(_ words: [String], _ folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clear.webm")
    let name = String(repeating: "n", count: 60)
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error"] + words + ["-metadata:s", "title=" + name, path])
    var bytes = try fileBytes(path)
    let key = [0x47, 0xE2, 0x90] + [UInt8](repeating: 0x11, count: 16)
    let encryption = [0x50, 0x35, 0x97, 0x47, 0xE1, 0x81, 5] + key
    let encoding =
      [0x50, 0x31, 0x81, 0, 0x50, 0x32, 0x81, 1, 0x50, 0x33, 0x81, 1] + encryption
    let encodings = [0x6D, 0x80, 0xA9, 0x62, 0x40, 0xA6] + encoding
    let place = try #require(bytes.firstRange(of: [0x53, 0x6E, 0xBC] + Array(name.utf8)))
    let void = place.count - encodings.count - 2
    bytes.replaceSubrange(
      place, with: encodings + [0xEC, 0x80 | UInt8(void)] + [UInt8](repeating: 0, count: void))
    // A SimpleBlock: its size, the track, a time of 16 bits, flags; then the frame.
    var random = SeededGenerator(seed: 4)
    let cluster = try #require(bytes.firstRange(of: [0x1F, 0x43, 0xB6, 0x75])).upperBound
    // After its size and its time, which is zero.
    var block = try #require(bytes[cluster...].firstRange(of: [0xE7, 0x81, 0])).upperBound
    while let next = bytes[block...].firstIndex(of: 0xA3), next + 12 < bytes.count {
      block = next + 1
      let sizeLength = bytes[block].leadingZeroBitCount + 1
      guard sizeLength <= 3 else { continue }
      let size =
        bytes[block..<block + sizeLength].reduce(0) { $0 << 8 | Int($1) }
        & ((1 << (7 * sizeLength)) - 1)
      let frame = block + sizeLength + 4
      guard size > 5, block + sizeLength + size <= bytes.count, bytes[block + sizeLength] == 0x81
      else { continue }
      bytes[frame] = 1
      for byte in frame + 1..<block + sizeLength + size {
        bytes[byte] = UInt8.random(in: 0 ... .max, using: &random)
      }
      block += sizeLength + size
    }
    return try folder.write(bytes, to: "encrypted.webm")
  }

  @Test(arguments: kinds) func `then that is reported, and its length is that of its packets`(
    _ words: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await encrypted(words, folder)
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    #expect(facts.tracks.map(\.isEncrypted) == [true])
    #expect(facts.notes.contains { $0.id == .encrypted })
    let length = try #require(facts.durations.presented?.length)
    #expect(try length.subtracting(MediaDuration(2)).magnitude <= MediaDuration(1, 25))
    let error = #expect(throws: MediaError.self) {
      try Prober().probe(
        .file(path: Array(path.utf8)), options: ProbeOptions(depth: .frames))
    }
    #expect(error?.code == .encrypted)
  }

  @Test(arguments: [
    ["-c:v", "libvpx"], ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"],
  ])
  func `then its keyframes are those that the container marks`(_ codec: [String]) async throws {
    let folder = try ScratchFolder()
    let path = try await encrypted(
      ["-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=2"] + codec
        + ["-g", "10", "-keyint_min", "10"], folder)
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(wantsKeyframes: true))
    #expect(facts.tracks[0].keyframes.map(\.frame) == [0, 10, 20, 30, 40])
  }

  @Test(arguments: kinds) func `when it is cut then it is refused for that reason`(
    _ words: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await encrypted(words, folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(1)))
    let error = #expect(throws: MediaError.self) {
      _ = try clip.plan(CutRequest(range: range), for: .webm)
    }
    #expect(error?.message.contains("encrypted") == true)
  }
}
