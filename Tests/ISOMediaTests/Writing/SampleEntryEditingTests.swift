import Support
import Testing

@testable import ISOMedia

@Suite struct `Given a sample entry whose boxes are changed` {
  private func video(_ boxes: [BoxBuilder]) throws -> ISORawSampleEntry {
    try Synthetic.entry(ClipBuilder.videoEntry("avc1", boxes), .video)
  }

  /// The entry as the reader parses it.
  private func read(_ entry: ISORawSampleEntry, handler: FourCC) throws -> ISOSampleEntry {
    let box = try #require(HeaderBytes.boxes(entry.format, in: entry.bytes).first)
    return ISOSampleEntry(box, handler: handler, descriptionVersion: 0)
  }

  @Test func `then the content of a box is replaced and the others stay`() throws {
    let entry = try video([
      BoxBuilder("avcC", fields: [.bytes([1, 2, 3])]), BoxBuilder("pasp", fields: [.u64(1)]),
    ])
    let changed = try entry.replacing(box: "avcC", with: [9, 8, 7, 6, 5])
    #expect(changed.payload(of: "avcC") == [9, 8, 7, 6, 5])
    #expect(changed.payload(of: "pasp") == entry.payload(of: "pasp"))
    #expect(try read(changed, handler: "vide").boxes.map(\.type) == ["avcC", "pasp"])
    #expect(try read(changed, handler: "vide").video?.width == 320)
  }

  @Test func `then a box is added, replaced or removed`() throws {
    let entry = try video([BoxBuilder("avcC", fields: [.bytes([1])])])
    let rates: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 5]
    let added = entry.setting(box: "btrt", to: rates)
    #expect(added.payload(of: "btrt") == rates)
    #expect(added.setting(box: "btrt", to: rates) == added)
    #expect(added.removing(box: "btrt") == entry)
    #expect(entry.removing(box: "btrt") == entry)
    #expect(throws: ISOWriteError.self) { try entry.replacing(box: "hvcC", with: [1]) }
  }

  @Test func `then a terminating zero stays at the end of the list`() throws {
    let list = BoxBuilder("avcC", fields: [.bytes([1])])
    let entry = try Synthetic.entry(
      BoxBuilder(
        "avc1",
        fields: [.bytes(Array(ClipBuilder.videoEntry("avc1", [list]).bytes.dropFirst(8))), .u32(0)]),
      .video)
    let added = entry.setting(box: "pasp", to: [0, 0, 0, 1, 0, 0, 0, 1])
    #expect(added.bytes.suffix(4) == [0, 0, 0, 0])
    #expect(added.payload(of: "pasp") == [0, 0, 0, 1, 0, 0, 0, 1])
  }

  @Test func `then its type is changed`() throws {
    let entry = try video([])
    #expect(entry.named("avc3").format == "avc3")
    #expect(entry.named("avc3").bytes.count == entry.bytes.count)
  }

  @Test func `then the decoder configuration within esds is replaced, in wave too`() throws {
    let plain = ClipBuilder.audioEntry("mp4a", [Clips.elementaryStream])
    var fields = BoxBuilder.Field.zeros(6).bytes + BoxBuilder.Field.u16(1).bytes
    fields += BoxBuilder.Field.u16(1).bytes + [UInt8](repeating: 0, count: 6)
    fields += BoxBuilder.Field.u16(2).bytes + BoxBuilder.Field.u16(16).bytes
    fields += [UInt8](repeating: 0, count: 4) + BoxBuilder.Field.u32(48_000 << 16).bytes
    fields += [UInt8](repeating: 0, count: 16)
    let wrapped = BoxBuilder(
      "mp4a", fields: [.bytes(fields)],
      [
        BoxBuilder("wave", [BoxBuilder("frma", fields: [.text("mp4a")]), Clips.elementaryStream]),
        BoxBuilder("chan", fields: [.zeros(12)]),
      ])
    let long = [UInt8](repeating: 7, count: 300)
    for builder in [plain, wrapped] {
      let entry = try Synthetic.entry(builder, .audio(descriptionVersion: 0))
      let changed = try entry.replacingDecoderConfiguration(with: long)
      let stream = try #require(try read(changed, handler: "soun").elementaryStream)
      #expect(stream.decoderConfiguration == long)
      #expect(stream.objectType == 0x40)
      #expect(stream.averageBitRate == 128_000)
      #expect(changed.payload(of: "chan") == entry.payload(of: "chan"))
    }
  }

  @Test func `then bytes that are not a whole box are refused`() {
    for bytes: [UInt8] in [[], [0, 0, 0, 16], [UInt8](repeating: 0, count: 86)] {
      #expect(throws: ISOWriteError.self) { try ISORawSampleEntry(bytes: bytes, kind: .video) }
    }
  }
}
