import ExactTime
import MediaFacts
import Support
import Testing

@testable import Probing

private let text = " 00000000 00000800 00000240 0000000000005DC0 00000000 00000000 00000000"

@Suite struct `Given the iTunSMPB tag` {
  @Test func `then its second to fourth fields are priming, padding and samples`() throws {
    let tag = try #require(GaplessTag(text))
    #expect(tag.priming == 2048)
    #expect(tag.padding == 576)
    #expect(tag.sampleCount == 24_000)
  }

  @Test func `then lowercase reads the same`() {
    #expect(GaplessTag(text.lowercased()) == GaplessTag(text))
  }

  @Test(
    arguments: [
      "", " 0", " 0 840 1C0", "no digits at all", " 0 -800 240 5DC0", " 0 FFFFFFFF 0 1",
    ])
  func `then anything else is not such a tag`(_ text: String) {
    #expect(GaplessTag(text) == nil)
  }

  @Test func `then it counts for a track with that many samples, to a packet`() {
    let tag = GaplessTag(text)
    #expect(tag?.hidden(of: 26_624, packet: 1024)?.priming == 2048)
    #expect(tag?.hidden(of: 26_624, packet: 1024)?.padding == 576)
    #expect(tag?.hidden(of: 27_648, packet: 1024)?.padding == 1600)
    #expect(tag?.hidden(of: 27_649, packet: 1024) == nil)
    #expect(tag?.hidden(of: 0, packet: 1024) == nil)
  }

  @Test func `then without a number of samples the padding gives the end`() {
    let tag = GaplessTag(" 0 800 240 0")
    #expect(tag?.hidden(of: 10_240, packet: 1024)?.padding == 576)
  }
}

/// AAC of 26 packets at 8 kHz, without an edit list.
private func sound(
  _ tag: String, edits: [(duration: UInt64, time: Int64, rate: Int16)] = []
) -> ClipBuilder {
  func fullBox(_ type: String, _ text: String) -> BoxBuilder {
    BoxBuilder(type, fields: [.full(), .text(text)])
  }
  let item = BoxBuilder(
    "----",
    [
      fullBox("mean", "com.apple.iTunes"), fullBox("name", "iTunSMPB"),
      BoxBuilder("data", fields: [.full(flags: 1), .u32(0), .text(tag)]),
    ])
  let handler = BoxBuilder("hdlr", fields: [.full(), .u32(0), .text("mdirappl"), .zeros(9)])
  var clip = ClipBuilder()
  clip.timescale = 8000
  clip.duration = 26_624
  clip.movieBoxes = [
    BoxBuilder(
      "udta", [BoxBuilder("meta", fields: [.full()], [handler, BoxBuilder("ilst", [item])])])
  ]
  clip.tracks[0].handler = "soun"
  clip.tracks[0].timescale = 8000
  clip.tracks[0].mediaDuration = 26_624
  clip.tracks[0].entry = ClipBuilder.audioEntry("mp4a", channels: 1, rate: 8000)
  clip.tracks[0].durations = [(26, 1024)]
  clip.tracks[0].sampleCount = 26
  clip.tracks[0].chunkRuns = [(1, 26, 1)]
  clip.tracks[0].chunkOffsets = [0]
  clip.tracks[0].syncSamples = nil
  clip.tracks[0].edits = edits
  return clip
}

@Suite(.timeLimit(.minutes(1))) struct `Given AAC in MP4 with iTunSMPB` {
  private func facts(_ clip: ClipBuilder) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(clip.bytes, to: "sound.m4a")
    return try Prober().probe(.file(path: Array(path.utf8)))
  }

  @Test func `then its priming and its padding are not presented`() throws {
    let facts = try facts(sound(text))
    #expect(facts.durations.presented?.length == MediaDuration(3))
    #expect(facts.durations.presented?.start == MediaTime(32, 125))
    #expect(facts.tracks[0].audio?.priming == 2048)
    #expect(facts.tracks[0].audio?.padding == 576)
  }

  @Test func `then an edit list that hides the same amount takes precedence`() throws {
    let facts = try facts(sound(text, edits: [(24_000, 1024, 1)]))
    #expect(facts.durations.presented?.length == MediaDuration(3))
    #expect(facts.tracks[0].audio?.priming == 1024)
  }

  @Test func `then a tag of another recording is ignored, and that is reported`() throws {
    let facts = try facts(sound(" 00000000 00000800 00000240 000000000000FFFF"))
    #expect(facts.durations.presented?.length == MediaDuration(416, 125))
    #expect(facts.notes.contains { $0.id == .gaplessTagIgnored })
  }
}
