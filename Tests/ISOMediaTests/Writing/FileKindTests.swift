import Support
import Testing

@testable import ISOMedia

@Suite struct `Given a QuickTime header that is converted to MP4` {
  private static let handler = BoxBuilder(
    "hdlr", fields: [.full(), .u32(0), .text("mdta"), .zeros(14)])

  private static var clip: ISOSourceBoxes {
    get throws {
      var clip = ClipBuilder.with {
        // Macintosh's number for Spanish.
        $0.language = 6
        $0.trackBoxes = [
          BoxBuilder("tapt", fields: [.zeros(12)]), BoxBuilder("meta", [handler]),
        ]
        $0.entry = ClipBuilder.videoEntry(
          "avc1",
          [BoxBuilder("colr", fields: [.text("nclc"), .u16(9), .u16(16), .u16(9)])])
      }
      clip.brand = "qt  "
      clip.movieBoxes = [
        BoxBuilder("meta", [handler]), BoxBuilder("udta", [BoxBuilder("meta", [handler])]),
      ]
      return try ISOSourceBoxes(reading: InMemoryBytes(clip.bytes))
    }
  }

  @Test func `then languages are letter codes, and colors state their range`() throws {
    var clip = try Self.clip
    clip.become(.mp4)
    #expect(clip.movie.brands?.major == "isom")
    #expect(Language.code(clip.tracks[0].language) == "spa")
    #expect(clip.tracks[0].language >= 0x400)
    let colours = try #require(clip.tracks[0].sampleEntries[0].payload(of: "colr"))
    #expect(colours == Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0])
  }

  @Test func `then its metadata are full boxes, and QuickTime-only boxes are gone`() throws {
    var clip = try Self.clip
    clip.become(.mp4)
    let handler = Self.handler.bytes
    for boxes in [clip.movie.boxes, clip.movie.userData, clip.tracks[0].boxes] {
      #expect(boxes.first("meta")?.payload.elementsEqual([0, 0, 0, 0] + handler) == true)
    }
    #expect(clip.tracks[0].boxes.first("tapt") == nil)
  }

  @Test func `then nothing changes when it stays QuickTime`() throws {
    var clip = try Self.clip
    clip.become(.quickTime)
    #expect(clip.movie.brands?.major == "qt  ")
    #expect(clip.movie.boxes == (try Self.clip).movie.boxes)
    #expect(clip.tracks[0].boxes.map(\.type) == ["tapt", "meta"])
    #expect(clip.tracks[0].language == 6)
  }

  @Test(
    arguments: [
      ("M4A ", ISOBrands.Family.mp4, "isom"), ("3gp5", .mp4, "isom"), ("f4v ", .mp4, "isom"),
      ("mp42", .mp4, "mp42"), ("dash", .mp4, "dash"), ("M4B ", .m4a, "M4B "),
      ("mp42", .m4a, "M4A "),
      ("qt  ", .m4a, "M4A "), ("mp42", .quickTime, "qt  "), ("mp42", .threeGP, "3gp6"),
      ("3g2a", .threeGP, "3g2a"),
    ] as [(FourCC, ISOBrands.Family, FourCC)])
  func `then the major brand is that of the file type, and the others are kept`(
    _ brand: FourCC, _ family: ISOBrands.Family, _ expected: FourCC
  ) {
    let brands = ISOBrands(major: brand, compatible: [brand, "avc1"]).becoming(family)
    #expect(brands.major == expected)
    #expect(brands.compatible.contains("qt  ") == (family == .quickTime))
    #expect(brands.compatible.contains("avc1") == (family != .quickTime))
  }
}
