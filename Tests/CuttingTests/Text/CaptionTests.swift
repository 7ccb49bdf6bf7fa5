import ExactTime
import Support
import Testing
import Trimming

@testable import Bitstreams
@testable import Cutting

private enum Caption {
  /// ITU-T T.35: cc_data of two bytes that identify the picture (ANSI/SCTE 128, 8.1).
  static func registered(_ picture: Int) -> [UInt8] {
    let data: [UInt8] = [0x41, 0xFF, 0xFC, 0x20 | UInt8(picture >> 6), UInt8(picture & 0x3F), 0xFF]
    return [0xB5, 0, 0x31] + Array("GA94".utf8) + [3] + data
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given H.264 with captions in its pictures` {
  private typealias Cuts = `Given a file made by an encoder`

  private static func message(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
    [type, UInt8(content.count)] + content
  }

  private static func caption(of picture: Int) -> [UInt8] {
    message(4, Caption.registered(picture))
  }

  private static func stamp(of picture: Int) -> [UInt8] {
    message(5, [UInt8](repeating: 0x55, count: 16) + [UInt8(picture)])
  }

  private static let settings = message(
    5,
    [
      0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE,
      0xEF,
    ] + Array("x264".utf8))

  private static func unit(_ messages: [UInt8]) -> [UInt8] {
    [6] + NALEscaping.escaped(messages + [0x80])
  }

  private static func clip(in folder: ScratchFolder) async throws -> String {
    let made = try await EncodedClip.named("H.264, open groups with a pyramid").make(in: folder)
    let path = folder.path(of: "captions.mp4")
    try SampleRewriting.rewrite(
      made, to: path, patching: { _ in },
      sample: { number, bytes in
        let units = NALUnits(bytes: bytes[...], framing: .lengthPrefixed(4)).map { Array($0) }
        return Framing.lengthPrefixed(4).pack(
          [unit(settings + caption(of: number)), unit(stamp(of: number))] + units)
      })
    return path
  }

  @Test(arguments: ["mp4", "mkv", "ts"], [CutMode.smart, .reencode])
  func `when a part is cut then re-encoded pictures keep theirs`(
    _ ending: String, _ mode: CutMode
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let output = folder.path(of: "cut." + ending)
    let container = try #require(OutputContainer(nameEnding: ending))
    let request = CutRequest(range: try Cuts.range(17..<70), mode: mode)
    let report = try clip.cut(request, to: Array(output.utf8), as: container)
    try #require(report.plan.encodedFrames > 0)
    let (_, log) = try await EncodedClip.pictures(output)
    #expect(log.isEmpty, "\(log)")

    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let (old, new) = (clip.source.tracks[0], written.source.tracks[0])
    // The source's pictures in display order.
    let shown = old.coded.packets.indices.sorted {
      old.coded.packets[$0].pts < old.coded.packets[$1].pts
    }
    let places = new.coded.packets.indices.sorted {
      new.coded.packets[$0].pts < new.coded.packets[$1].pts
    }
    try written.source.prepare([0: [new.coded.packets.indices]])
    #expect(places.count == 53)
    for (place, origin) in zip(places, shown[17..<70]) {
      let bytes = try written.source.bytes(ofTrack: 0, place)
      let units = NALUnits(bytes: bytes[...], framing: new.framing).map { Array($0) }
      let messages = units.filter { $0[0] & 0x1F == 6 }
      #expect(messages.count { $0 == Self.unit(Self.stamp(of: origin)) } == 1)
      let isCopied = messages.contains(Self.unit(Self.settings + Self.caption(of: origin)))
      // Re-encoded pictures do not use the source encoder's settings.
      let isKept = messages.contains(Self.unit(Self.caption(of: origin)))
      #expect(isCopied != isKept)
      let slice = try #require(units.firstIndex { (1...5).contains($0[0] & 0x1F) })
      #expect(units[slice...].allSatisfy { $0[0] & 0x1F != 6 })
    }
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given AV1 with captions in its pictures` {
  private typealias Cuts = `Given a file made by an encoder`

  /// Metadata by ITU-T T.35 (AV1 bitstream, 5.8.2), with its trailing bit.
  private static func caption(of picture: Int) -> [UInt8] {
    let payload = [4] + Caption.registered(picture) + [0x80]
    return [5 << 3 | 2, UInt8(payload.count)] + payload
  }

  @Test(arguments: ["mp4", "mkv"], [CutMode.smart, .reencode])
  func `when a part is cut then re-encoded pictures keep theirs`(
    _ ending: String, _ mode: CutMode
  ) async throws {
    let folder = try ScratchFolder()
    let made = try await EncodedClip.named("AV1").make(in: folder)
    let path = folder.path(of: "captions.mp4")
    try SampleRewriting.rewrite(made, to: path) { number, bytes in
      let frame = OpenBitstreamUnits(bytes: bytes[...]).filter { [3, 6].contains($0.type) }.last
      guard let place = frame?.bytes.startIndex else { return bytes }
      return bytes[..<place] + Self.caption(of: number) + bytes[place...]
    }
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let output = folder.path(of: "cut." + ending)
    let container = try #require(OutputContainer(nameEnding: ending))
    let request = CutRequest(range: try Cuts.range(17..<70), mode: mode)
    let report = try clip.cut(request, to: Array(output.utf8), as: container)
    try #require(report.plan.encodedFrames > 0)
    let (_, log) = try await EncodedClip.pictures(output)
    #expect(log.isEmpty, "\(log)")

    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let places = written.source.tracks[0].coded.packets.indices
    try written.source.prepare([0: [places]])
    #expect(places.count == 53)
    for (place, origin) in zip(places, 17..<70) {
      let bytes = try written.source.bytes(ofTrack: 0, place)
      let units = Array(OpenBitstreamUnits(bytes: bytes[...]))
      let metadata = units.indices.filter { units[$0].type == 5 }
      #expect(metadata.map { Array(units[$0].bytes) } == [Self.caption(of: origin)])
      #expect(metadata.first.map { [3, 6].contains(units[$0 + 1].type) } == true)
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given the SEI unit of a picture` {
  private static let messages: [UInt8] = [4, 1, 0xAA, 1, 2, 3, 4, 6, 1, 0x80, 4, 0]

  @Test func `then messages of one type are kept, or removed`() {
    let unit = Self.messages + [0x80]
    #expect(SEIMessage.keeping(in: unit) { type, _ in type == 4 } == [4, 1, 0xAA, 4, 0, 0x80])
    #expect(
      SEIMessage.keeping(in: unit) { _, content in content == [3, 4] } == [1, 2, 3, 4, 0x80])
    #expect(SEIMessage.keeping(in: unit) { type, _ in type == 5 } == nil)
    #expect(SEIMessage.removing(4, from: unit) == [1, 2, 3, 4, 6, 1, 0x80, 0x80])
    #expect(SEIMessage.removing(6, from: [6, 1, 0x80, 0x80]) == nil)
  }

  @Test func `when a message claims to be longer than the unit then nothing is removed from it`() {
    let unit: [UInt8] = [4, 1, 0xAA, 6, 200, 1, 0x80]
    #expect(SEIMessage.keeping(in: unit) { type, _ in type == 4 } == nil)
    #expect(SEIMessage.removing(6, from: unit) == unit)
  }
}
