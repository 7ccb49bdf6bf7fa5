import ExactTime
import MediaFacts
import Support
import Testing

@testable import ISOMedia
@testable import Probing

@Suite struct `Given a sample entry of MP4 or QuickTime` {
  static func track(_ entry: BoxBuilder, handler: String) throws -> TrackFacts {
    var clip = ClipBuilder()
    clip.tracks[0].handler = handler
    clip.tracks[0].entry = entry
    let movie = try ISOMovie(reading: InMemoryBytes(clip.bytes))
    return ISOTrackDescription.facts(of: try #require(movie.tracks.first), in: movie, at: 0)
  }

  @Test(arguments: [
    ("raw ", "pcm_u8"), ("twos", "pcm_s16be"), ("sowt", "pcm_s16le"), ("in24", "pcm_s24be"),
    ("fl32", "pcm_f32be"), ("ulaw", "pcm_mulaw"), ("mp4a", "aac"), ("Opus", "opus"),
    ("ec-3", "eac3"), (".mp3", "mp3"), ("what", "what"),
  ])
  func `when it is for audio then its format names the codec`(
    _ format: String, _ codec: Codec
  ) throws {
    // An 8-bit entry is what `raw ` needs; the others say 16.
    var entry = ClipBuilder.audioEntry(format)
    if format == "raw " { entry.fields[4] = .u16(8) }
    let facts = try Self.track(entry, handler: "soun")
    #expect(facts.codec == codec)
    #expect(facts.codecTag == format)
  }

  /// Bits of a sample, and formatSpecificFlags: 1 for floating point, 2 for big-endian, 4 for signed.
  @Test(
    arguments: [
      (16, 4, "pcm_s16le"), (24, 6, "pcm_s24be"), (32, 1, "pcm_f32le"), (64, 3, "pcm_f64be"),
      (8, 0, "pcm_u8"), (8, 4, "pcm_s8"), (32, 12, "pcm_s32le"),
    ] as [(UInt32, UInt32, Codec)])
  func `when it is QuickTime's sound description version 2 then its flags name the samples`(
    _ bits: UInt32, _ flags: UInt32, _ codec: Codec
  ) throws {
    let entry = BoxBuilder(
      "lpcm",
      fields: [
        .zeros(6), .u16(1), .u16(2), .zeros(6), .u16(3), .u16(16), .zeros(4), .u32(0x1_0000),
        .u32(72), .u64((48_000.0).bitPattern), .u32(2), .u32(0x7F00_0000), .u32(bits),
        .u32(flags), .u32(bits / 4), .u32(1),
      ])
    #expect(try Self.track(entry, handler: "soun").codec == codec)
  }

  @Test func `when there are several then that of the first samples counts`() throws {
    var clip = ClipBuilder()
    clip.tracks[0].entry = ClipBuilder.videoEntry("mp4v", width: 64, height: 48)
    clip.tracks[0].moreEntries = [ClipBuilder.videoEntry("avc1", width: 320, height: 240)]
    clip.tracks[0].chunkRuns = [(1, 5, 2)]
    let movie = try ISOMovie(reading: InMemoryBytes(clip.bytes))
    let facts = ISOTrackDescription.facts(of: try #require(movie.tracks.first), in: movie, at: 0)
    #expect(facts.codec == "h264")
    #expect(facts.video?.width == 320)
  }

  @Test(arguments: [
    ("raw ", "rawvideo"), ("avc3", "h264"), ("hev1", "hevc"), ("apch", "prores"), ("jpeg", "mjpeg"),
    ("av01", "av1"), ("vp09", "vp9"), ("mp4v", "mpeg4"), ("what", "what"), ("xd54", "mpeg2video"),
    ("ULY0", "utvideo"), ("div3", "msmpeg4v3"),
  ])
  func `when it is for video then its format names the codec`(
    _ format: String, _ codec: Codec
  ) throws {
    #expect(try Self.track(ClipBuilder.videoEntry(format), handler: "vide").codec == codec)
  }

  @Test func `when it is dvh1 then its configuration tells Dolby Vision from DVCPRO HD`() throws {
    let plain = ClipBuilder.videoEntry("dvh1")
    #expect(try Self.track(plain, handler: "vide").codec == "dvvideo")
    var vision = plain
    vision.children.append(BoxBuilder("hvcC", fields: [.bytes([UInt8](repeating: 1, count: 23))]))
    #expect(try Self.track(vision, handler: "vide").codec == "hevc")
  }

  @Test(arguments: [(0x02, "adpcm_ms"), (0x55, "mp3")])
  func `when its format is a WAV codec number then that names the codec`(
    _ number: UInt8, _ codec: Codec
  ) throws {
    let format = "ms\u{0}" + String(UnicodeScalar(number))
    #expect(try Self.track(ClipBuilder.audioEntry(format), handler: "soun").codec == codec)
  }

  @Test func `when it states two channels of AC-3 then the codec's own box overrides it`() throws {
    // 48 kHz, acmod 7 and LFE: 5.1.
    let box = BoxBuilder("dac3", fields: [.bytes([0x10, 0x3D, 0xC0])])
    let facts = try Self.track(
      ClipBuilder.audioEntry("ac-3", channels: 2, [box]), handler: "soun")
    #expect(facts.audio?.channels == 6)
    #expect(facts.audio?.channelLayout == "5.1(side)")
  }

  @Test func `when it is AMR then it has one channel, whatever it states`() throws {
    let facts = try Self.track(ClipBuilder.audioEntry("samr", channels: 2), handler: "soun")
    #expect(facts.audio?.channels == 1)
  }

  @Test func `when color and pixel shape are stated then they are reported as FFmpeg names them`()
    throws
  {
    let color = BoxBuilder(
      "colr", fields: [.text("nclx"), .u16(9), .u16(16), .u16(9), .u8(0x80)])
    let shape = BoxBuilder("pasp", fields: [.u32(40), .u32(33)])
    let facts = try Self.track(ClipBuilder.videoEntry("hvc1", [color, shape]), handler: "vide")
    #expect(facts.video?.colorPrimaries == "bt2020")
    #expect(facts.video?.colorTransfer == "smpte2084")
    #expect(facts.video?.colorMatrix == "bt2020nc")
    #expect(facts.video?.colorRange == "pc")
    #expect(facts.video?.sampleAspectRatio == Rational(40, 33))
    #expect(HDRNotes.notes(of: facts).map(\.id) == [.hdrPQ])
  }

  @Test(
    arguments: [
      ("mdcv", .hdrMasteringDisplay), ("clli", .hdrContentLight),
      ("dvcC", .hdrDolbyVision),
    ] as [(String, Note.ID)])
  func `when it has an HDR box then a note reports it`(_ type: String, _ note: Note.ID) throws {
    var clip = ClipBuilder()
    clip.tracks[0].entry = ClipBuilder.videoEntry(
      "hvc1", [BoxBuilder(type, fields: [.bytes([UInt8](repeating: 1, count: 24))])])
    let movie = try ISOMovie(reading: InMemoryBytes(clip.bytes))
    let track = try #require(movie.tracks.first)
    let facts = ISOTrackDescription.facts(of: track, in: movie, at: 0)
    #expect(HDRNotes.notes(of: facts).map(\.id) == [note])
  }

  @Test func `when a handler has a name then that is a tag and not a title`() throws {
    let facts = try Self.track(ClipBuilder.videoEntry(), handler: "vide")
    #expect(facts.title == nil)
    #expect(facts.tags.contains(Tag(key: "handler_name", value: "Handler")))
  }
}
