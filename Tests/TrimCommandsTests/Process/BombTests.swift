import Support
import Testing

/// A file that demands far more resources than its size.
struct Bomb: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var bytes: @Sendable () -> [UInt8]

  init(_ name: String, _ bytes: @escaping @Sendable () -> [UInt8]) {
    testDescription = name
    self.bytes = bytes
  }

  private static func clip(_ change: (inout ClipBuilder) -> Void) -> [UInt8] {
    var clip = ClipBuilder()
    change(&clip)
    return clip.bytes
  }

  static let headers = [
    Bomb("a compressed header of 1 GiB") { Bombs.compressedHeader(unpackingTo: 1 << 30) },
    Bomb("the same behind a preview") {
      BoxBuilder("pnot", fields: [.zeros(12)]).bytes + Bombs.compressedHeader(unpackingTo: 1 << 30)
    },
    Bomb("20 million samples in a few bytes") { clip { $0.tracks[0].sampleCount = 20_000_000 } },
    Bomb("80 million samples in a few bytes") { clip { $0.tracks[0].sampleCount = 80_000_000 } },
    Bomb("2^31 samples in a few bytes") { clip { $0.tracks[0].sampleCount = 1 << 31 } },
    Bomb("runs of 2^32 samples") {
      clip { $0.tracks[0].durations = Array(repeating: (.max, 1), count: 4) }
    },
    Bomb("5,000 tracks") {
      var clip = ClipBuilder()
      clip.tracks = []
      let boxes = clip.boxes
      let header = boxes[1].children[0]
      clip.tracks = [ClipBuilder.Track()]
      let track = clip.boxes[1].children[1].bytes
      return boxes[0].bytes
        + BoxBuilder(
          "moov", fields: [.bytes(header.bytes), .bytes(Bombs.repeated(track, count: 5000))]
        ).bytes
    },
    Bomb("20,000 nested boxes") {
      (1...20_000).reversed().flatMap {
        BoxBuilder.Field.u32(UInt32($0 * 8)).bytes + Array("moov".utf8)
      }
    },
    Bomb("100,000 edits") {
      clip { $0.tracks[0].edits = Array(repeating: (1, 0, 1), count: 100_000) }
    },
    Bomb("a million tags") {
      clip {
        let tag = BoxBuilder("©nam", fields: [.u16(4), .u16(0x55C4), .text("abcd")]).bytes
        $0.movieBoxes = [
          BoxBuilder("udta", fields: [.bytes(Bombs.repeated(tag, count: 1_000_000))])
        ]
      }
    },
    Bomb("a title of 10 MB") {
      clip {
        let text = BoxBuilder(
          "data", fields: [.u32(1), .u32(0), .bytes([UInt8](repeating: 0x78, count: 10 << 20))])
        let list = BoxBuilder("ilst", [BoxBuilder("©nam", [text])])
        $0.movieBoxes = [BoxBuilder("udta", [BoxBuilder("meta", fields: [.full()], [list])])]
      }
    },
    Bomb("a Matroska title of 10 MB") {
      EBMLBuilder.clip(tags: [("TITLE", [UInt8](repeating: 0x78, count: 10 << 20))])
    },
    Bomb("10,000 Matroska tags") {
      EBMLBuilder.clip(tags: (0..<10_000).map { ("K\($0)", [0x78]) })
    },
    Bomb("5,000 Matroska tracks") {
      let clip = EBMLBuilder.clip(tags: [])
      let entry = EBMLBuilder.element(
        0xAE,
        EBMLBuilder.number(0xD7, 1) + EBMLBuilder.number(0x83, 2)
          + EBMLBuilder.element(0x86, Array("A_OPUS".utf8)))
      return EBMLBuilder.element(0x1A45_DFA3, EBMLBuilder.element(0x4282, Array("matroska".utf8)))
        + EBMLBuilder.element(
          0x1853_8067, EBMLBuilder.element(0x1654_AE6B, Bombs.repeated(entry, count: 5000)))
        + clip
    },
    Bomb("20,000 nested Matroska elements") {
      let start = EBMLBuilder.element(
        0x1A45_DFA3, EBMLBuilder.element(0x4282, Array("matroska".utf8)))
      let opening: [UInt8] = [0x18, 0x53, 0x80, 0x67, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
      // SimpleTag may hold SimpleTag (RFC 9559, 5.1.8.1.2).
      let nested: [UInt8] = [0x67, 0xC8, 1, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
      return start + opening + [0x12, 0x54, 0xC3, 0x67, 1, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
        + [0x73, 0x73, 1, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF] + Bombs.repeated(nested, count: 20_000)
    },
    Bomb("5,000 AVI streams") {
      let clip = RIFFBuilder.clip(
        type: "auds", format: [1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0],
        packets: [[1, 2, 3, 4]], named: "00wb")
      let list = clip.firstRange(of: Array("strl".utf8))?.lowerBound ?? 0
      let size = (0..<4).reduce(0) { $0 | Int(clip[list - 4 + $1]) << ($1 * 8) }
      let stream = Array(clip[(list - 8)..<(list + size)])
      let header = Array(clip[24..<(24 + 64)])
      return RIFFBuilder.chunk(
        "RIFF",
        Array("AVI ".utf8)
          + RIFFBuilder.list("hdrl", header + Bombs.repeated(stream, count: 5000))
          + Array(clip[(list + size)...]))
    },
    Bomb("100,000 tags of Vorbis") {
      let tag = RIFFBuilder.little(5) + Array("A=bcd".utf8)
      let comments =
        RIFFBuilder.little(0) + RIFFBuilder.little(100_000) + Bombs.repeated(tag, count: 100_000)
      let size = BoxBuilder.Field.u32(UInt32(comments.count)).bytes.dropFirst()
      let information =
        [0x10, 0, 0x10, 0] + [UInt8](repeating: 0, count: 6)
        + [0x0A, 0xC4, 0x42, 0xF0] + [UInt8](repeating: 0, count: 20)
      return Array("fLaC".utf8) + [0, 0, 0, 34] + information + [0x84] + size + comments
    },
    Bomb("a Matroska block that unpacks to 64 MiB") { packedClip([64 << 20]) },
    Bomb("fifty Matroska blocks that unpack to 9 MB") {
      packedClip(Array(repeating: 9_000_000, count: 50))
    },
    Bomb("Matroska lacing of sizes that cannot be") {
      // EBML lacing (RFC 9559, 10.3.3): the frame count minus one, the size of the first, and the
      // size differences of the others.
      let most: [UInt8] = [1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE]
      let least: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
      let blocks = [
        [255] + Bombs.repeated(most, count: 255), [255] + Bombs.repeated(least, count: 255),
        [255, 0x81] + Bombs.repeated([0xBF], count: 254), [2] + most + least + [7], [255],
        [1, 0x84],
      ].map { EBMLBuilder.element(0xA3, [0x81, 0, 0, 0x86] + $0) }
      return EBMLBuilder.clip(
        tags: [],
        inSegment: Bombs.repeated(
          EBMLBuilder.element(0x1F43_B675, EBMLBuilder.number(0xE7, 0) + blocks.joined()),
          count: 500))
    },
    Bomb("20,000 Matroska clusters of unknown size, one inside the other") {
      let cluster: [UInt8] =
        [0x1F, 0x43, 0xB6, 0x75, 1] + [UInt8](repeating: 0xFF, count: 7)
        + EBMLBuilder.number(0xE7, 0)
      return EBMLBuilder.clip(tags: [], inSegment: Bombs.repeated(cluster, count: 20_000))
    },
  ]

  /// A Matroska file with zlib-compressed blocks (RFC 9559, 5.1.4.1.31), and the size of each
  /// block.
  private static func packedClip(_ sizes: [Int]) -> [UInt8] {
    let zlib = EBMLBuilder.element(0x5034, EBMLBuilder.number(0x4254, 0))
    let encodings = EBMLBuilder.element(0x6D80, EBMLBuilder.element(0x6240, zlib))
    let blocks = sizes.map {
      EBMLBuilder.element(0xA3, [0x81, 0, 0, 0x80] + Bombs.deflatedZeros($0))
    }
    return EBMLBuilder.clip(
      tags: [], inTrack: encodings,
      inSegment: EBMLBuilder.element(
        0x1F43_B675, EBMLBuilder.number(0xE7, 0) + blocks.joined()))
  }

  static let pictures = [
    Bomb("a PNG of 16,000 by 16,000 as video") {
      RIFFBuilder.clip(
        type: "vids", codec: Array("MPNG".utf8),
        format: RIFFBuilder.bitmap(width: 16_000, height: 16_000, codec: "MPNG"),
        packets: [Bombs.png(width: 16_000, height: 16_000)], named: "00dc")
    },
    Bomb("a PNG of 16,000 by 16,000 as a cover") {
      clip {
        let art = BoxBuilder(
          "data",
          fields: [.u32(14), .u32(0), .bytes(Bombs.png(width: 16_000, height: 16_000))])
        let list = BoxBuilder("ilst", [BoxBuilder("covr", [art])])
        $0.movieBoxes = [BoxBuilder("udta", [BoxBuilder("meta", fields: [.full()], [list])])]
      }
    },
    Bomb("H.264 that claims 16,384 by 16,384") {
      Bombs.h264(widthInMacroblocks: 1024, height: 1024, pictures: 30)
    },
    Bomb("H.264 that claims 11,008 by 11,008") {
      Bombs.h264(widthInMacroblocks: 688, height: 688, pictures: 30)
    },
    Bomb("H.264 that claims the most that a level allows") {
      Bombs.h264(widthInMacroblocks: 512, height: 272, pictures: 30)
    },
    Bomb("MJPEG that claims 65,535 by 65,535") {
      let frame: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0xFF, 0xFF, 0xFF, 0xFF, 3]
        + [1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0, 0xFF, 0xD9]
      return RIFFBuilder.clip(
        type: "vids", codec: Array("MJPG".utf8),
        format: RIFFBuilder.bitmap(width: 65_535, height: 65_535, codec: "MJPG"),
        packets: Array(repeating: frame, count: 30), named: "00dc")
    },
    Bomb("pictures of 65,535 by 65,535") {
      clip { $0.tracks[0].entry = ClipBuilder.videoEntry(width: .max, height: .max) }
    },
    Bomb("pictures of 0 by 0") {
      clip { $0.tracks[0].entry = ClipBuilder.videoEntry(width: 0, height: 0) }
    },
  ]
}

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given a small file that demands a lot of resources` {
  private func run(_ bomb: Bomb, peakBytes: KeyValuePairs<String, Int>) async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(bomb.bytes(), to: "clip.bin")
    for (depth, peakBytes) in peakBytes {
      let run = try await BuiltTool.run(
        "probe", "--json", "--depth", depth, path, limit: .seconds(120))
      expectHarmless(run, peakBytes: peakBytes)
      #expect(run.out.count < 4 << 20)
    }
    #expect(folder.names.count == 1)
  }

  @Test(arguments: Sample.of(Bomb.headers, 5))
  func `then a header takes no more memory than the file and the limits`(
    _ bomb: Bomb
  ) async throws {
    try await run(bomb, peakBytes: ["auto": 200 << 20, "frames": 200 << 20])
  }

  @Test(
    arguments: [
      ("a compressed header of 1 GiB", 65, "compressed"),
      ("20 million samples in a few bytes", 65, "20000000"),
      ("80 million samples in a few bytes", 65, "80000000"),
      ("2^31 samples in a few bytes", 65, "2147483648"),
      ("runs of 2^32 samples", 0, "sample-counts-disagree"),
      ("5,000 tracks", 65, "tracks"),
      ("20,000 nested boxes", 65, "describes no track"),
    ] as [(String, Int32, String)])
  func `then impossible structures are reported as such`(
    _ name: String, _ status: Int32, _ word: String
  ) async throws {
    let bomb = try #require(Bomb.headers.first { $0.testDescription == name })
    let folder = try ScratchFolder()
    let path = try folder.write(bomb.bytes(), to: "clip.bin")
    let run = try await BuiltTool.run("probe", "--json", path)
    expectHarmless(run, statuses: [status], peakBytes: 200 << 20)
    #expect((run.outText + run.errText).contains(word), "\(run.outText) \(run.errText)")
  }

  @Test(arguments: Sample.of(Bomb.pictures, 3))
  func `then a picture takes little memory to describe, and under a gigabyte to decode`(
    _ bomb: Bomb
  ) async throws {
    try await run(bomb, peakBytes: ["auto": 300 << 20, "frames": 1 << 30])
  }
}
