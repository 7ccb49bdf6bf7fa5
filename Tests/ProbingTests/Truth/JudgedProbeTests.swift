import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// The correct answers for a file that was once reported wrong.
private struct Judgement: CustomTestStringConvertible {
  var name: String
  /// The presented length at every depth; `nil` where nothing is.
  var presented: Rational?
  var notes: Set<Note.ID> = []
  var damage: Set<Damage.Kind> = []

  var testDescription: String { name }

  static let all = [
    Judgement(name: "androidx+media/bbb_1ch_8kHz_aac_lc.m4a", presented: Rational(3)),
    Judgement(name: "mozilla+firefox-esr-140/1856145.ogg", presented: Rational(128, 125)),
    Judgement(name: "bytedance+xgplayer/h265_aac_44100.flv", presented: Rational(3899, 500)),
    Judgement(
      name: "mozilla+firefox-esr-140/chained-audio-video.ogg",
      presented: Rational(128_001_196, 30_000_299), notes: [.chainedStreamsDiffer]),
    Judgement(
      name: "androidx+media/sample_cbs_truncated.adts", presented: Rational(36_352, 11_025),
      notes: [.lastFrameCutShort], damage: [.truncated]),
    // Ten seconds of pictures, with a decoder delay of two; the sound begins earlier.
    Judgement(name: "bilibili+web-demuxer/avi_h264_aac.avi", presented: Rational(3772, 375)),
    Judgement(name: "sannies+mp4parser/MOV00006.3gp", presented: Rational(76, 5)),
    Judgement(
      name: "mozilla+firefox-esr-140/crashtests--track-with-zero-dimensions.mp4",
      presented: Rational(117, 125), notes: [.sizeDiffers]),
    Judgement(
      name: "mozilla+firefox-esr-140/gtest--test.webm", presented: Rational(627, 2000),
      notes: [.beforeKeyframe], damage: [.truncated]),
    Judgement(
      name: "mozilla+firefox-esr-140/bipbop-cenc-video-10s.mp4", presented: Rational(1001, 100),
      notes: [.lastDurationZero]),
    Judgement(
      name: "androidx+media/sample_eac3.mp4", presented: Rational(638, 375),
      notes: [.lastPacketShorter]),
    Judgement(
      name: "mozilla+firefox-esr-140/test_case_1519617-track2-trafs-removed.mp4",
      presented: Rational(888_901, 90_000)),
    Judgement(
      name: "androidx+media/sample_malformed_free_box.mp4", presented: Rational(117_661, 110_250),
      damage: [.invalidStructure]),
    Judgement(
      name: "androidx+media/mv_with_2_top_shots.mp4", presented: Rational(39_913, 22_500),
      notes: [.lastDurationZero]),
    Judgement(
      name: "abema+go-mp4/sample_qt.mp4", presented: Rational(8, 375), damage: [.missingMedia]),
    Judgement(name: "sindresorhus+file-type/fixture-null.webm", presented: Rational(1061, 250)),
  ]
}

@Suite(
  .enabled(if: Judged.folder != nil, Comment(rawValue: Judged.absence)),
  .timeLimit(.minutes(1)))
struct `Given files that were once reported incorrectly` {
  private func probe(_ name: String, _ depth: RequestedDepth) throws -> MediaFacts {
    try Prober().probe(
      .file(path: Array(Judged.path(name).utf8)), options: ProbeOptions(depth: depth))
  }

  @Test(arguments: Judgement.all)
  fileprivate func `then what is presented is right, at every depth`(_ clip: Judgement) throws {
    for depth in [RequestedDepth.auto, .packets] {
      let facts = try probe(clip.name, depth)
      #expect(facts.durations.presented?.length.seconds == clip.presented, "\(depth)")
      #expect(Set(facts.notes.map(\.id)).isSuperset(of: clip.notes), "\(depth)")
      #expect(Set(facts.damage.map(\.kind)).isSuperset(of: clip.damage), "\(depth)")
    }
  }

  @Test func `then HEVC in FLV has its size, and its sequence header is not a frame`() throws {
    let facts = try probe("bytedance+xgplayer/h265_aac_44100.flv", .auto)
    let track = try #require(facts.tracks.first { $0.kind == .video })
    #expect(track.codec == "hevc")
    #expect(track.frameCount == 117)
    #expect([track.video?.width, track.video?.height] == [544, 960])
  }

  @Test func `then the frames of an AVI last as long as the file`() throws {
    let facts = try probe("bilibili+web-demuxer/avi_h264_aac.avi", .auto)
    let track = try #require(facts.tracks.first { $0.kind == .video })
    #expect(track.durations.presented?.length == MediaDuration(10))
  }

  @Test func `then AMR has the one rate that it can have`() throws {
    let facts = try probe("sannies+mp4parser/MOV00006.3gp", .auto)
    #expect(facts.tracks.compactMap(\.audio?.sampleRate) == [8000])
  }

  @Test func `then a size comes from the bitstream, which decodes`() throws {
    let facts = try probe(
      "mozilla+firefox-esr-140/crashtests--track-with-zero-dimensions.mp4", .frames)
    let track = try #require(facts.tracks.first { $0.kind == .video })
    #expect([track.video?.width, track.video?.height] == [32, 18])
    #expect(track.durations.decoded != nil)
  }

  @Test func `then a scan that ends early is reported, and no note contradicts it`() throws {
    let facts = try probe("mozilla+firefox-esr-140/bipbop-cenc-video-10s.mp4", .packets)
    #expect(facts.notes.contains { $0.id == .packetsUnread })
    #expect(!facts.notes.contains { $0.id == .packetsDiffer })
  }

  @Test func `then a malformed box is reported with its place`() throws {
    let facts = try probe("androidx+media/sample_malformed_free_box.mp4", .frames)
    let damage = try #require(facts.damage.first { $0.kind == .invalidStructure })
    #expect(damage.byteOffset == 32)
    #expect(damage.text.contains("“free”"))
    #expect(facts.tracks.allSatisfy { $0.durations.decoded != nil })
  }
}
