import Support

/// Files for several suites.
enum Clips {
  /// A file with every kind of box in its header.
  static var rich: ClipBuilder {
    var clip = ClipBuilder.with {
      $0.edits = [(500, -1, 1), (1000, 100, 1)]
      $0.compositionOffsets = [(1, 200), (1, -100), (8, 100)]
      $0.entry = ClipBuilder.videoEntry(
        "encv",
        [
          BoxBuilder("avcC", fields: [.bytes([1, 100, 0, 31])]),
          BoxBuilder("pasp", fields: [.u32(4), .u32(3)]),
          BoxBuilder("colr", fields: [.text("nclx"), .u16(9), .u16(16), .u16(9), .u8(0x80)]),
          BoxBuilder("fiel", fields: [.u8(2), .u8(9)]),
          BoxBuilder("mdcv", fields: [.zeros(24)]),
          BoxBuilder("clli", fields: [.zeros(4)]),
          BoxBuilder("dvvC", fields: [.zeros(24)]),
          BoxBuilder(
            "sinf",
            [
              BoxBuilder("frma", fields: [.text("avc1")]),
              BoxBuilder("schm", fields: [.full(), .text("cenc"), .u32(0x1_0000)]),
            ]),
        ])
      $0.tableBoxes = [
        BoxBuilder("sdtp", fields: [.full(), .bytes(Array(repeating: 0x60, count: 10))]),
        BoxBuilder("stps", fields: [.full(), .u32(1), .u32(3)]),
        BoxBuilder(
          "cslg", fields: [.full(), .i32(100), .i32(-100), .i32(200), .i32(0), .i32(1200)]),
        BoxBuilder(
          "sgpd", fields: [.full(1), .text("roll"), .u32(2), .u32(1), .i16(-2)]),
        BoxBuilder(
          "sbgp", fields: [.full(), .text("roll"), .u32(2), .u32(4), .u32(0), .u32(6), .u32(1)]),
      ]
      $0.trackBoxes = [
        BoxBuilder("udta", [BoxBuilder("name", fields: [.text("Main picture")])])
      ]
    }
    var sound = ClipBuilder.Track()
    sound.id = 2
    sound.handler = "soun"
    sound.entry = ClipBuilder.audioEntry("mp4a", [elementaryStream])
    sound.syncSamples = nil
    clip.tracks.append(sound)
    clip.movieBoxes = [metadata, BoxBuilder("pssh", fields: [.full(), .zeros(16), .u32(0)])]
    return clip
  }

  /// An `esds` box of AAC-LC, 48 kHz, stereo.
  static var elementaryStream: BoxBuilder {
    let configuration: [UInt8] = [0x05, 0x02, 0x11, 0x90]
    let decoder: [UInt8] =
      [0x04, 0x80, 0x80, 0x80, UInt8(13 + configuration.count), 0x40, 0x15, 0, 0, 0]
      + BoxBuilder.Field.u32(192_000).bytes + BoxBuilder.Field.u32(128_000).bytes + configuration
    return BoxBuilder(
      "esds",
      fields: [.full(), .u8(0x03), .u8(UInt8(3 + decoder.count)), .u16(1), .u8(0), .bytes(decoder)])
  }

  static func text(_ value: String) -> BoxBuilder {
    BoxBuilder("data", fields: [.u32(1), .u32(0), .text(value)])
  }

  /// iTunes metadata: title, track number, cover, a free-form key.
  static var metadata: BoxBuilder {
    let number = BoxBuilder(
      "data", fields: [.u32(0), .u32(0), .zeros(2), .u16(3), .u16(12), .u16(0)])
    let picture = BoxBuilder(
      "data", fields: [.u32(13), .u32(0), .bytes([0xFF, 0xD8, 0xFF, 0xE0])])
    let free = BoxBuilder(
      "----",
      [
        BoxBuilder("mean", fields: [.full(), .text("com.apple.iTunes")]),
        BoxBuilder("name", fields: [.full(), .text("iTunSMPB")]), text("00000000 00000840"),
      ])
    let list = BoxBuilder(
      "ilst",
      [
        BoxBuilder("©nam", [text("A clip")]), BoxBuilder("©too", [text("Lavf")]),
        BoxBuilder("trkn", [number]), BoxBuilder("covr", [picture]), free,
      ])
    return BoxBuilder("udta", [BoxBuilder("meta", fields: [.full()], [list])])
  }

  /// Three fragments; the second one does not state its start time.
  static var manyFragments: ClipBuilder {
    let sample = FragmentBuilder.Sample()
    let delta = FragmentBuilder.Sample(isSync: false, compositionOffset: -50)
    return .fragmented(
      [
        FragmentBuilder([sample, delta, delta], start: 1000),
        FragmentBuilder([sample, delta], start: nil),
        FragmentBuilder([sample], start: 2000),
      ], extends: FragmentBuilder.extends(total: 1100))
  }

  /// A file with a QuickTime chapter track, a shorter Nero list and a timecode track.
  static var chaptered: ClipBuilder {
    var clip = ClipBuilder.with { $0.references = [("chap", [2]), ("tmcd", [3])] }
    var titles = ClipBuilder.Track()
    titles.id = 2
    titles.handler = "text"
    titles.entry = BoxBuilder("text", fields: [.zeros(6), .u16(1), .zeros(43)])
    titles.durations = [(1, 400), (1, 600)]
    titles.syncSamples = nil
    titles.uniformSize = 0
    titles.sizes = [8, 8]
    titles.chunkRuns = [(1, 2, 1)]
    titles.chunkOffsets = [1000]
    var timecode = titles
    timecode.id = 3
    timecode.handler = "tmcd"
    timecode.entry = BoxBuilder(
      "tmcd",
      fields: [
        .zeros(6), .u16(1), .u32(0), .u32(1), .u32(30_000), .u32(1001), .u8(30), .u8(0),
      ])
    timecode.durations = [(1, 1000)]
    timecode.sizes = [4]
    timecode.chunkOffsets = [1016]
    clip.tracks += [titles, timecode]
    clip.mediaContent =
      Array(repeating: 0, count: 1000) + [0, 5] + Array("First\u{0}".utf8)
      + [0, 6] + Array("Second".utf8) + BoxBuilder.Field.u32(107_892).bytes
    clip.movieBoxes = [
      BoxBuilder(
        "udta",
        [
          BoxBuilder(
            "chpl",
            fields: [.full(1), .u32(0), .u8(1), .u64(5_000_000), .u8(3), .text("One")])
        ])
    ]
    return clip
  }
}
