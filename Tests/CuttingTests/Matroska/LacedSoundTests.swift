import ExactTime
import Foundation
import MediaEngine
import Support
import Testing
import Trimming

@testable import Cutting

/// Like mkvmerge writes sound: eight frames in a block, of which only the first has a timestamp
/// (RFC 9559, 10.3).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given audio in Matroska whose frames share blocks` {
  private static let rate: Int64 = 11_025
  /// Samples of a frame (ISO 13818-3, 2.4.2.1): 52.245 ms.
  private static let samples: Int64 = 576

  /// Four seconds of MP3 with laced frames.
  private static func file(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "sound.mp3")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=\(rate):d=4:seed=3:a=0.4", "-c:a",
      "libmp3lame", "-write_xing", "0", "-id3v2_version", "0", path,
    ])
    let sound = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let places = sound.source.tracks[0].coded.packets.indices
    try sound.source.prepare([0: [places]])
    let frames = try places.map { try sound.source.bytes(ofTrack: 0, $0) }
    return try folder.write(matroska(frames), to: "sound.mka")
  }

  private static func matroska(
    _ frames: [[UInt8]], codec: String = "A_MPEG/L3", configuration: ArraySlice<UInt8> = [],
    rate: Int64 = rate, samples: Int64 = samples
  ) -> [UInt8] {
    typealias EBML = EBMLBuilder
    let isStated = configuration.isEmpty
    var audio = EBML.element(0xB5, BoxBuilder.Field.u64(Double(rate).bitPattern).bytes)
    audio += EBML.number(0x9F, 1)
    if !isStated { audio += EBML.number(0x6264, 16) }
    let track: [[UInt8]] = [
      EBML.number(0xD7, 1), EBML.number(0x73C5, 1), EBML.number(0x83, 2),
      EBML.element(0x86, Array(codec.utf8)),
      isStated
        ? EBML.number(0x23E383, 52_244_898) : EBML.element(0x63A2, Array(configuration)),
      EBML.element(0xE1, audio),
    ]
    let blocks = stride(from: 0, to: frames.count, by: 8).flatMap { first -> [UInt8] in
      let laced = frames[first..<min(first + 8, frames.count)]
      let time = (Int64(first) * samples * 1000 + rate / 2) / rate
      // Xiph lacing: the number of further frames, and the size of each but the last.
      let sizes = laced.dropLast().flatMap { frame -> [UInt8] in
        [UInt8](repeating: 255, count: frame.count / 255) + [UInt8(frame.count % 255)]
      }
      var block: [UInt8] = [0x81]
      block += BoxBuilder.Field.u16(UInt16(time)).bytes
      block += [0x82, UInt8(laced.count - 1)]
      block += sizes
      block += laced.joined()
      return EBML.element(0xA3, block)
    }
    let segment: [[UInt8]] = [
      EBML.element(0x1549_A966, EBML.number(0x2AD7B1, 1_000_000)),
      EBML.element(0x1654_AE6B, EBML.element(0xAE, Array(track.joined()))),
      EBML.element(0x1F43_B675, EBML.number(0xE7, 0) + blocks),
    ]
    let head = EBML.element(0x1A45_DFA3, EBML.element(0x4282, Array("matroska".utf8)))
    return head + EBML.element(0x1853_8067, Array(segment.joined()))
  }

  @Test func `then each begins where the one before ends`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.file(in: folder)
    let source = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).source
    let track = source.tracks[0].coded
    #expect(track.packets.count > 70)
    for (number, packet) in track.packets.enumerated() {
      let exact = MediaTime(Int64(number) * Self.samples, Self.rate)
      let error = try track.time(atTick: packet.pts).distance(from: exact).checkedMagnitude()
      #expect(error < MediaDuration(1, 1000), "frame \(number)")
    }
  }

  @Test(arguments: ["mka", "mp4"])
  func `when a part is cut then nothing in it is early`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.file(in: folder)
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3, 2)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let cut = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8))).source
    let track = cut.tracks[0].coded
    let frame = try track.grid.ticks(of: MediaDuration(Self.samples, Self.rate), rounding: .down)
    for (packet, next) in zip(track.packets, track.packets.dropFirst()) {
      #expect((frame...frame + 1).contains(next.pts - packet.pts))
    }
  }

  /// FFmpeg gives the frames of a block no times of their own where neither the block, the track nor a
  /// parser states their length.
  @Test(arguments: ["mka", "m4a", "wav"])
  func `when only the first of a block has a time then the others follow from their lengths`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let whole = try await CutNoise.make(
      ["-c:a", "alac"], seconds: "3", as: "whole.m4a", in: folder)
    let sound = try FileCutter(isCancelled: { false }).open(.file(path: Array(whole.utf8))).source
    let places = sound.tracks[0].coded.packets.indices
    try sound.prepare([0: [places]])
    let frames = try places.map { try sound.bytes(ofTrack: 0, $0) }
    // The magic cookie follows the version and flags of its box.
    let bytes = try fileBytes(whole)
    let box = try #require(bytes.firstRange(of: [0, 0, 0, 36] + Array("alac".utf8))).upperBound
    let cookie = bytes[box + 4..<box + 28]
    let path = try folder.write(
      Self.matroska(
        frames, codec: "A_ALAC", configuration: cookie,
        rate: 48_000,
        samples: 4096), to: "sound.mka")
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    #expect(facts.notes.contains { $0.id == .timestampsMissing })
    let outputs = ["one", "other"].map { folder.path(of: $0 + "." + ending) }
    for (path, output) in zip([whole, path], outputs) {
      _ = try CutNoise.cut(path, MediaTime(1), MediaTime(2), into: output)
    }
    let (expected, heard) = (
      try await CutNoise.samples(outputs[0]), try await CutNoise.samples(outputs[1])
    )
    // Times in Matroska are whole milliseconds.
    #expect(abs(heard.count - 48_000) <= (ending == "mka" ? 4096 : 48))
    let lag = HeardAudio.lag(of: heard[10_000..<20_000], in: expected, near: 10_000, atMost: 48)
    #expect(ending == "mka" || abs(lag) <= 48)
  }
}
