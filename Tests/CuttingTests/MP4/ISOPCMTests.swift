import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// ISO/IEC 23003-5: an entry `ipcm` or `fpcm` states 16 bits; its box `pcmC` states the actual number.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given MP4 with uncompressed audio of more than 16 bits` {
  /// Two channels at 48 kHz, two seconds.
  struct Samples: CustomTestStringConvertible, Sendable {
    /// FFmpeg's name for the raw format.
    var testDescription: String
    var entry: String
    var bits: UInt8
    var isLittleEndian: Bool
  }

  static let kinds: [Samples] = [
    Samples(testDescription: "s16be", entry: "ipcm", bits: 16, isLittleEndian: false),
    Samples(testDescription: "s24le", entry: "ipcm", bits: 24, isLittleEndian: true),
    Samples(testDescription: "s24be", entry: "ipcm", bits: 24, isLittleEndian: false),
    Samples(testDescription: "s32le", entry: "ipcm", bits: 32, isLittleEndian: true),
    Samples(testDescription: "f32be", entry: "fpcm", bits: 32, isLittleEndian: false),
    Samples(testDescription: "f64le", entry: "fpcm", bits: 64, isLittleEndian: true),
  ]

  private static let count = 96_000

  private static func samples(_ words: [String]) async throws -> [UInt8] {
    try await EncodedClip.ffmpeg(["-v", "error"] + words + ["-"]).out
  }

  private static func clip(_ kind: Samples, in folder: ScratchFolder) async throws -> String {
    let media = try await samples([
      "-f", "lavfi", "-i", "anoisesrc=r=48000:d=2:seed=3:a=0.4", "-ac", "2", "-c:a",
      "pcm_\(kind.testDescription)", "-f", kind.testDescription,
    ])
    let size = UInt32(kind.bits / 4)
    try #require(media.count == count * Int(size))
    var clip = ClipBuilder()
    (clip.timescale, clip.duration) = (48_000, UInt64(count))
    var track = ClipBuilder.Track()
    (track.handler, track.timescale) = ("soun", 48_000)
    (track.mediaDuration, track.trackDuration) = (UInt64(count), UInt64(count))
    track.entry = ClipBuilder.audioEntry(
      kind.entry,
      [
        BoxBuilder(
          "pcmC", fields: [.full(), .u8(kind.isLittleEndian ? 1 : 0), .u8(kind.bits)])
      ])
    track.durations = [(UInt32(count), 1)]
    track.syncSamples = nil
    track.chunkRuns = [(1, 4800, 1)]
    track.chunkOffsets = (0..<20).map { UInt64($0 * 4800) * UInt64(size) }
    (track.uniformSize, track.sampleCount) = (size, UInt32(count))
    clip.tracks = [track]
    clip.mediaContent = media
    return try folder.write(clip.bytes, to: "clip.mp4")
  }

  @Test(arguments: Sample.of(kinds, 2), ["mka", "mov", "wav"])
  func `when it is cut then the samples are those of the range`(
    _ kind: Samples, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(kind, in: folder)
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3, 2)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    // All formats fit into 64 bits.
    let found = try await Self.samples(["-i", output, "-f", "f64le"])
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=2:seed=3:a=0.4", "-ac", "2", "-c:a",
      "pcm_\(kind.testDescription)", folder.path(of: "all.nut"),
    ])
    let all = try await Self.samples(["-i", folder.path(of: "all.nut"), "-f", "f64le"])
    let isEqual = found == Array(all[(24_000 * 16)..<(72_000 * 16)])
    #expect(isEqual, "\(found.count) bytes")
  }
}

/// ISO/IEC 14496-1, table 5: object types 0x69 and 0x6B are all layers of MPEG audio.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given MP4 with MP2 in a sample entry that names no layer` {
  private static func make(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:a", "mp2", path,
    ])
    return path
  }

  @Test(arguments: [("mka", "mp2"), ("mov", "mp2"), ("mp3", "mp3"), ("avi", "mp2")])
  func `when it is cut then each container names it in its own way`(
    _ ending: String, _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    #expect(clip.facts.tracks.map(\.codec) == ["mp2"])
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(18, 25), to: MediaTime(74, 25)))
    _ = try clip.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let reported = try await ProgramRun(
      [
        "ffprobe", "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", output,
      ].map { Array($0.utf8) }, limit: .seconds(60))
    #expect(reported.outText.split(separator: "\n") == [Substring(codec)])
  }

  /// QuickTime's name for WAV's codec 0x55, which muxers use for all layers.
  @Test func `when QuickTime names it as WAV does then it is read the same`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mov")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:a", "mp2", path,
    ])
    var bytes = try fileBytes(path)
    let place = try #require(bytes.firstRange(of: Array(".mp2".utf8))).lowerBound
    bytes.replaceSubrange(place..<place + 4, with: Array("ms\0U".utf8))
    let named = try folder.write(bytes, to: "named.mov")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(named.utf8)))
    #expect(clip.facts.tracks.map(\.codec) == ["mp2"])
    let output = folder.path(of: "cut.mka")
    let range = try #require(MediaTimeRange(from: MediaTime(18, 25), to: MediaTime(74, 25)))
    _ = try clip.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let reported = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(reported.tracks.map(\.codec) == ["mp2"])
  }
}
