import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// The encoder's priming, and where it may be stated: it is hidden once.
@Suite struct `Given audio whose first 312 samples are priming` {
  /// Ten packets of Opus, 960 samples each; its configuration announces the priming (RFC 7845, 5.1).
  private func sound(editedFrom start: Int64? = nil) throws -> TrackFacts {
    let configuration = BoxBuilder(
      "dOps", fields: [.u8(0), .u8(2), .u16(312), .u32(48_000), .u16(0), .u8(0)])
    var clip = ClipBuilder()
    clip.timescale = 48_000
    clip.tracks[0].handler = "soun"
    clip.tracks[0].timescale = 48_000
    clip.tracks[0].mediaDuration = 9600
    clip.tracks[0].entry = ClipBuilder.audioEntry("Opus", [configuration])
    clip.tracks[0].durations = [(10, 960)]
    clip.tracks[0].syncSamples = nil
    // Each packet states that it holds 20 ms (RFC 6716, 3.1).
    let packet = [0x08] + [UInt8](repeating: 0, count: 99)
    clip.mediaContent = Array(repeatElement(packet, count: 10).joined())
    if let start { clip.tracks[0].edits = [(UInt64(9600 - start), start, 1)] }
    let folder = try ScratchFolder()
    let path = try folder.write(clip.bytes, to: "clip.mp4")
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    return try #require(facts.tracks.first)
  }

  private static let heard = MediaDuration(9600 - 312, 48_000)

  @Test func `then without an edit list its own configuration hides them`() throws {
    let track = try sound()
    #expect(track.durations.presented?.length == Self.heard)
    #expect(track.durations.presented?.start == MediaTime(312, 48_000))
    #expect(track.audio?.priming == 312)
  }

  @Test func `then an edit list that hides them is enough`() throws {
    let track = try sound(editedFrom: 312)
    #expect(track.durations.presented?.length == Self.heard)
    #expect(track.durations.presented?.start == .zero)
    #expect(track.audio?.priming == 312)
  }

  @Test func `then an edit list that hides something else has the last word`() throws {
    let track = try sound(editedFrom: 1000)
    #expect(track.durations.presented?.length == MediaDuration(8600, 48_000))
    #expect(track.audio?.priming == 1000)
  }

  @Test func `then the sample table still counts them`() throws {
    #expect(try sound().durations.indexed?.length == MediaDuration(1, 5))
  }
}

/// A file that ends before its container states, and whether anything is lost.
@Suite struct `Given a file whose media box claims more than the file holds` {
  private func damage(missing count: Int) throws -> [Damage.Kind] {
    var clip = ClipBuilder()
    clip.mediaBytes = 1000
    let whole = clip.bytes
    let start = whole.count - 1008
    // The box says 5,000 bytes more than it has.
    let claim = BoxBuilder.Field.u32(1008 + 5000).bytes
    let bytes = Array(whole[..<start]) + claim + whole[(start + 4)...].dropLast(count)
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "clip.mp4")
    return try Prober().probe(.file(path: Array(path.utf8))).damage.map(\.kind)
  }

  @Test func `then nothing is damaged while every sample is there`() throws {
    #expect(try damage(missing: 0).isEmpty)
  }

  @Test func `then one byte less of the last sample is damage, reported with its cost`() throws {
    #expect(try damage(missing: 1) == [.truncated, .missingMedia])
  }
}

/// What a fragmented file declares: its `moov` may cover none of the fragments.
@Suite struct `Given a fragmented file` {
  private func declared(movie: UInt64, fragments: UInt32?) throws -> MediaDuration? {
    var clip = ClipBuilder.fragmented(
      [FragmentBuilder([.init(), .init()], start: 0)],
      extends: FragmentBuilder.extends(total: fragments))
    clip.duration = movie
    let folder = try ScratchFolder()
    let path = try folder.write(clip.bytes, to: "clip.mp4")
    return try Prober().probe(.file(path: Array(path.utf8))).durations.declared?.length
  }

  @Test func `then the length of all fragments is declared, where it is stated`() throws {
    #expect(try declared(movie: 100, fragments: 200) == MediaDuration(1, 5))
    #expect(try declared(movie: 100, fragments: nil) == MediaDuration(1, 10))
  }
}
