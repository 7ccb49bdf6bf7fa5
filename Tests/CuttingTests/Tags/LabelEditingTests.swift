import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.timeLimit(.minutes(1))) struct `Given a document that describes a whole file` {
  @Test func `then its frames, timecodes and date are those of the part`() throws {
    let text = """
      <?xml version="1.0"?><N:NonRealTimeMeta xmlns:N="urn"><Duration value="100"/>\
      <CreationDate value="2024-05-01T10:00:00+02:00"/><Event frameCount="0" status="start"/>\
      <Event frameCount="10" status="start"/><Event frameCount="60"><Note/></Event>\
      <Event frameCount="99" status="end"/></N:NonRealTimeMeta>
      """
    let document = try #require(MarkupText(text.utf8))
    let meta = NonRealTimeMeta(frames: 25..<50, lateness: MediaDuration(1))
    let bytes = try #require(meta.revised(document))
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        <?xml version="1.0"?><N:NonRealTimeMeta xmlns:N="urn"><Duration value="25"/>\
        <CreationDate value="2024-05-01T10:00:01+02:00"/><Event frameCount="0" status="start"/>\
        <Event frameCount="24" status="end"/></N:NonRealTimeMeta>
        """)
  }

  /// Tags without an end, quotation marks without a second one, and many or nested elements.
  @Test(arguments: ["<a ", "<a b='<a b=\"", "<duration>", "<duration/>", "<a x>", "<a x = 'y'>"])
  func `when it is crafted then the time to read it grows with its size only`(
    _ piece: String
  ) throws {
    let text = String(repeating: piece, count: 15_000)
    var document = try #require(MarkupText(text.utf8))
    _ = document.tags
    _ = document.removeElements(named: "duration")
    #expect(piece != "<duration/>" || document.bytes.isEmpty)
  }

  @Test func `then attributes end with their tag`() throws {
    let document = try #require(MarkupText("<a checked><b c = \"d\" e='f>'/>".utf8))
    #expect(document.tags.map(\.name) == ["a", "b"])
    #expect(document.tags[0].attributes.isEmpty)
    #expect(document.value("c", of: document.tags[1]) == "d")
    #expect(document.value("e", of: document.tags[1]) == "f>")
    #expect(document.tags[1].isEmpty)
  }
}

/// GoPro's metadata format: entries within entries.
@Suite struct `Given a camera's settings with highlights` {
  private static func entry(
    _ key: String, _ type: UInt8, _ size: UInt8, _ content: [UInt8]
  ) -> [UInt8] {
    let count = UInt16(content.count / Int(size))
    let padding = [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    return Array(key.utf8) + [type, size, UInt8(count >> 8), UInt8(count & 255)] + content + padding
  }

  private static let name = entry("DVNM", 0x63, 1, Array("Camera".utf8))

  @Test func `then their times are changed, and the other settings are kept`() throws {
    let times = Self.entry("HLMT", 0x4C, 4, [0, 0, 4, 0, 0, 0, 8, 0])
    let all = Self.entry("DEVC", 0, 1, Self.name + times + Self.name)
    let revised = try #require(
      GoProSettings(all).revised { words in
        #expect(words == [1024, 2048])
        return [1]
      })
    let changed = Self.entry("HLMT", 0x4C, 4, [0, 0, 0, 1])
    #expect(revised.bytes == Self.entry("DEVC", 0, 1, Self.name + changed + Self.name))
    #expect(revised.removed == 0)
  }

  private static func entry(_ content: [UInt8]) -> [UInt8] { entry("HLMT", 0, 1, content) }

  @Test func `when they are in another form then only they are removed`() throws {
    let all = Self.entry("DEVC", 0, 1, Self.name + Self.entry(Self.name))
    let revised = try #require(GoProSettings(all).revised { $0 })
    #expect(revised.bytes == Self.entry("DEVC", 0, 1, Self.name))
    #expect(revised.removed == 1)
  }

  @Test func `when an entry is longer than what holds it then nothing is kept`() {
    var all = Self.entry("DEVC", 0, 1, Self.name + Self.entry(Self.name))
    all[15] = 200
    #expect(GoProSettings(all).revised { $0 } == nil)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given an AIFF with markers` {
  private static func chunk(_ type: String, _ fields: [BoxBuilder.Field]) -> [UInt8] {
    let content = fields.flatMap(\.bytes)
    return Array(type.utf8) + BoxBuilder.Field.u32(UInt32(content.count)).bytes + content
      + (content.count % 2 == 1 ? [0] : [])
  }

  private static func markers(_ all: [(UInt16, UInt32, String)]) -> [UInt8] {
    chunk(
      "MARK",
      [.u16(UInt16(all.count))]
        + all.flatMap { number, sample, name -> [BoxBuilder.Field] in
          [.u16(number), .u32(sample), .u8(UInt8(name.utf8.count)), .text(name)]
            + (name.utf8.count % 2 == 0 ? [.u8(0)] : [])
        })
  }

  /// An instrument with a loop between two markers, and one that plays nothing.
  private static func instrument(_ loop: [UInt16]) -> [UInt8] {
    chunk("INST", [.bytes([60, 0, 0, 127, 1, 127, 0, 0])] + loop.map { .u16($0) } + [.zeros(6)])
  }

  @Test func `then they move with the sound, and loops stay where both ends do`() throws {
    let folder = try ScratchFolder()
    let count = 24_000
    // 8000 as an extended floating-point number.
    let common = Self.chunk(
      "COMM",
      [.u16(1), .u32(UInt32(count)), .u16(16), .bytes([0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0])])
    let sound = (0..<2 * count).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let comment: [BoxBuilder.Field] = [.u16(2), .u32(0), .u16(1), .u16(2), .text("no")]
    let all =
      Self.markers([(1, 4000, "a"), (2, 12_000, "bb"), (3, 16_000, "end"), (4, 16_000, "out")])
      + Self.instrument([1, 2, 3])
      + Self.chunk("COMT", comment + [.u32(0), .u16(2), .u16(3), .text("yes"), .u8(0)])
      + Self.chunk("APPL", [.text("abcd")])
    let body =
      Array("AIFF".utf8) + common + Self.chunk("SSND", [.u32(0), .u32(0), .bytes(sound)]) + all
    let form = Self.chunk("FORM", [.bytes(body)])
    try folder.write(form, to: "clip.aiff")
    let output = folder.path(of: "cut.aiff")
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let file = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(folder.path(of: "clip.aiff").utf8)))
    let report = try file.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let bytes = try fileBytes(output)
    #expect(
      bytes.firstRange(of: Self.markers([(2, 4000, "bb"), (3, 8000, "end")])) != nil,
      "a loop ends where the part does; the other marker there is out of range")
    #expect(bytes.firstRange(of: Self.instrument([1, 2, 3])) != nil)
    let kept = Self.chunk("COMT", [.u16(1), .u32(0), .u16(2), .u16(3), .text("yes"), .u8(0)])
    #expect(bytes.firstRange(of: kept) != nil)
    #expect(Array(bytes[4..<8]) == BoxBuilder.Field.u32(UInt32(bytes.count - 8)).bytes)
    #expect(report.leftOut.map(\.type) == ["APPL"])
    #expect(report.plan.leftOut == report.leftOut)
  }
}
