import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// Audio that shares AAC's description but is none (ISO/IEC 14496-3, table 1.17).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given MPEG-4 audio that is no AAC` {
  struct Kind: Sendable, CustomTestStringConvertible {
    var codec: Codec
    var profile: String
    /// AudioSpecificConfig for 48 kHz and one channel.
    var configuration: [UInt8]
    var testDescription: String { profile }

    static let all = [
      // The lossless coding, whose own header follows: rate, samples and channels less one (11.6.1).
      Kind(
        codec: "mp4als", profile: "ALS",
        configuration: [0xF8, 0x86, 0x20] + Array("ALS".utf8)
          + [0, 0, 0, 0xBB, 0x80, 0, 1, 0x77, 0, 0, 0]),
      // Unified speech and audio coding (ISO/IEC 23003-3).
      Kind(codec: "usac", profile: "xHE-AAC", configuration: [0xF9, 0x46, 0x20, 0, 0]),
    ]
  }

  private static let plain: [UInt8] = [0x11, 0x88, 0x56, 0xE5, 0x00]

  /// AAC with the description of another kind; its packets are not looked at where they are copied.
  private static func clip(_ kind: Kind, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "plain.m4a")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=2", "-c:a", "aac", path,
    ])
    var bytes = try fileBytes(path)
    let place = try #require(bytes.firstRange(of: plain))
    bytes.replaceSubrange(place, with: kind.configuration)
    let growth = kind.configuration.count - plain.count
    for box in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "mp4a", "esds"] {
      let type = try #require(bytes.firstRange(of: Array(box.utf8))).lowerBound
      let size = bytes[type - 4..<type].reduce(0) { $0 << 8 | Int($1) } + growth
      bytes.replaceSubrange(type - 4..<type, with: BoxBuilder.Field.u32(UInt32(size)).bytes)
    }
    // ES_Descriptor, DecoderConfigDescriptor and DecoderSpecificInfo (ISO/IEC 14496-1, 7.2.6).
    let box = try #require(bytes.firstRange(of: Array("esds".utf8))).upperBound
    for tag: UInt8 in [3, 4, 5] {
      let start = try #require(bytes[box...].firstRange(of: [tag, 0x80, 0x80, 0x80])).upperBound
      bytes[start] += UInt8(growth)
    }
    return try folder.write(bytes, to: "clip.m4a")
  }

  private static func cut(_ path: String, to output: String) throws -> CutReport {
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3, 2)))
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
  }

  @Test(arguments: Kind.all)
  func `then it is named, copied into MP4 and QuickTime, and not decoded`(
    _ kind: Kind
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(kind, in: folder)
    for depth in [RequestedDepth.header, .packets] {
      let facts = try Prober().probe(
        .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
      #expect(facts.tracks.map(\.codec) == [kind.codec], "\(depth)")
      #expect(facts.tracks.map(\.profile) == [kind.profile], "\(depth)")
    }
    // FFmpeg describes no lossless coding in QuickTime.
    for ending in ["m4a", "mp4"] + (kind.codec == "usac" ? ["mov"] : []) {
      let output = folder.path(of: "cut." + ending)
      let report = try Self.cut(path, to: output)
      #expect(report.plan.tracks.map(\.encoded) == [0], "\(ending)")
      let facts = try Prober().probe(.file(path: Array(output.utf8)))
      #expect(facts.tracks.map(\.codec) == [kind.codec], "\(ending)")
    }
    let error = #expect(throws: MediaError.self) {
      try Self.cut(path, to: folder.path(of: "cut.wav"))
    }
    #expect(error?.code == .codecMissing)
    #expect(error?.message.contains(kind.codec.rawValue) == true, "\(error?.message ?? "")")
  }
}
