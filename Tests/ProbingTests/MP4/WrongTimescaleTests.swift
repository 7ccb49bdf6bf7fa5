import ExactTime
import MediaFacts
import Probing
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Given MP4 whose media timescale is wrong` {
  /// 52 packets of 1024 samples at 44.1 kHz.
  private func sound(timescale: UInt32, header: UInt64 = 53_248) throws -> MediaFacts {
    var clip = ClipBuilder()
    clip.timescale = 44_100
    clip.duration = header
    var track = ClipBuilder.Track()
    track.handler = "soun"
    track.entry = ClipBuilder.audioEntry(rate: 44_100)
    track.timescale = timescale
    track.mediaDuration = 53_248
    track.trackDuration = header
    track.durations = [(52, 1024)]
    track.syncSamples = nil
    track.uniformSize = 10
    track.sampleCount = 52
    track.chunkRuns = [(1, 52, 1)]
    track.chunkOffsets = [0]
    clip.tracks = [track]
    return try probe(clip)
  }

  private func probe(_ clip: ClipBuilder) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(clip.bytes, to: "clip.mp4")
    return try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: .header))
  }

  /// One bit of the second is wrong.
  @Test(arguments: [134_261_828, 44_100 | 1 << 30, 100] as [UInt32])
  func `when rate and movie header contradict it then the rate is used, and it is damage`(
    _ timescale: UInt32
  ) throws {
    let facts = try sound(timescale: timescale)
    #expect(facts.durations.presented?.length == MediaDuration(53_248, 44_100))
    #expect(facts.damage.map(\.kind) == [.invalidStructure])
  }

  @Test func `when nothing confirms the rate then what cannot last is not presented`() throws {
    let facts = try sound(timescale: .max, header: 4_410_000)
    #expect(facts.durations.presented == nil)
    #expect(facts.damage.map(\.kind) == [.invalidStructure])
    var clip = ClipBuilder()
    clip.tracks[0].timescale = 4_000_000_000
    clip.tracks[0].durations = [(10, 100)]
    let video = try probe(clip)
    #expect(video.durations.presented == nil)
    #expect(video.damage.map(\.kind) == [.invalidStructure])
  }

  @Test(arguments: [44_100, 48_000, 90_000, 22_050] as [UInt32])
  func `when it may be right then it is believed`(_ timescale: UInt32) throws {
    let facts = try sound(timescale: timescale)
    #expect(facts.durations.presented?.length == MediaDuration(53_248, Int64(timescale)))
    #expect(facts.damage.isEmpty)
  }

  @Test(.enabled(if: Cases.folder != nil, Comment(rawValue: Cases.absence)))
  func `then the reported file lasts as long as its samples`() throws {
    let path = Cases.path(
      "real/Serial-ATA+lofty-rs/steam_at_mention_IDX_34_RAND_4491956654166691611931.m4a")
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: .frames))
    // 53,248 samples, of which the tag iTunSMPB hides 2112 and 432.
    #expect(facts.durations.presented?.length == MediaDuration(50_704, 44_100))
    #expect(facts.durations.decoded.map { $0.length > MediaDuration(1) } == true)
    #expect(facts.damage.contains { $0.kind == .invalidStructure })
    #expect(!facts.notes.contains { $0.id == .gaplessTagIgnored })
  }
}
