import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// High-efficiency AAC whose header announces plain AAC (ISO 14496-3, 1.6.5.2): as when streams
/// with ADTS headers are put into MP4.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given AAC in MP4 whose header does not signal SBR` {
  /// A frame of silence, with or without an SBR payload that repeats the previous header.
  private static func frame(isReplicated: Bool) -> [UInt8] {
    let frame = BitBuilder.bytes { bits in
      // Single channel element: its tag and gain; then window, bands and tools: none.
      for (value, count) in [(0, 3), (0, 4), (100, 8), (0, 11), (0, 3)] { bits.write(value, count) }
      if isReplicated {
        // ID_FIL of two bytes: EXT_SBR_DATA.
        for (value, count) in [(6, 3), (2, 4), (13, 4), (0, 12)] { bits.write(value, count) }
      }
      bits.write(7, 3)
    }
    return frame + [UInt8](repeating: 0, count: 16 - frame.count)
  }

  private func facts(
    isReplicated: Bool, _ depth: RequestedDepth = .auto
  ) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try Self.make(isReplicated: isReplicated, in: folder)
    return try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }

  /// 24 packets of 1024 samples at this rate.
  ///
  /// - Parameter ticks: the ticks of a packet; for 2048 there are twice as many ticks a second.
  private static func make(
    isReplicated: Bool, ticks: UInt32 = 1024, in folder: ScratchFolder
  ) throws -> String {
    // An ES descriptor (ISO 14496-1, 7.2.6.5) of AAC-LC, 24 kHz, mono.
    let stream = BoxBuilder(
      "esds",
      fields: [
        .full(),
        .bytes([3, 25, 0, 1, 0, 4, 17, 0x40, 0x15, 0, 0, 0]), .zeros(8),
        .bytes([5, 2, 0x13, 0x08, 6, 1, 2]),
      ])
    var clip = ClipBuilder()
    clip.timescale = 24_000
    clip.duration = 24 * 1024
    clip.tracks[0].handler = "soun"
    clip.tracks[0].timescale = 24_000 * ticks / 1024
    clip.tracks[0].mediaDuration = 24 * UInt64(ticks)
    clip.tracks[0].trackDuration = 23 * 1024
    clip.tracks[0].entry = ClipBuilder.audioEntry("mp4a", channels: 1, rate: 24_000, [stream])
    clip.tracks[0].durations = [(24, ticks)]
    clip.tracks[0].sampleCount = 24
    clip.tracks[0].uniformSize = 16
    clip.tracks[0].chunkRuns = [(1, 24, 1)]
    clip.tracks[0].chunkOffsets = [0]
    clip.tracks[0].syncSamples = nil
    clip.tracks[0].edits = [(23 * 1024, Int64(ticks), 1)]
    clip.mediaContent = (0..<24).flatMap { _ in Self.frame(isReplicated: isReplicated) }
    return try folder.write(clip.bytes, to: "sound.m4a")
  }

  @Test(arguments: [RequestedDepth.auto, .packets, .frames])
  func `when the frames have SBR then it is described as decoded`(
    _ depth: RequestedDepth
  ) throws {
    let facts = try facts(isReplicated: true, depth)
    let track = try #require(facts.tracks.first)
    #expect(track.profile?.hasPrefix("HE-AAC") == true)
    #expect(track.audio?.sampleRate == 48_000)
    #expect(track.audio?.priming == 2048)
    #expect(facts.notes.contains { $0.id == .audioPriming && $0.text.contains("2048") })
    #expect(facts.durations.presented?.length == MediaDuration(23 * 1024, 24_000))
  }

  @Test func `when only headers are read then they are trusted`() throws {
    let track = try #require(try facts(isReplicated: true, .header).tracks.first)
    #expect(track.profile == "LC")
    #expect(track.audio?.sampleRate == 24_000)
  }

  @Test func `when the frames have no SBR then it is plain AAC`() throws {
    let track = try #require(try facts(isReplicated: false).tracks.first)
    #expect(track.profile == "LC")
    #expect(track.audio?.sampleRate == 24_000)
    #expect(track.audio?.priming == 1024)
  }

  /// FFmpeg takes hidden samples of an edit as core samples, and hid twice as much of its output.
  @Test(arguments: [1024, 2048] as [UInt32])
  func `when it is copied then FFmpeg plays it from IN on`(_ ticks: UInt32) async throws {
    let folder = try ScratchFolder()
    let path = try Self.make(isReplicated: true, ticks: ticks, in: folder)
    let output = folder.path(of: "cut.m4a")
    let range = try #require(MediaTimeRange(from: MediaTime(3, 10), to: MediaTime(7, 10)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let reported = try await ProgramRun(
      ["ffprobe", "-v", "error", "-show_entries", "frame=pts_time", "-of", "csv=p=0", output]
        .map { Array($0.utf8) }, limit: .seconds(60))
    let first = try #require(reported.outText.split(separator: "\n").first)
    #expect(first.hasPrefix("0.000"), "\(first)")
  }
}
