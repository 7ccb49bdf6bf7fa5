import Libav
import Support
import Testing

@testable import MediaFiles

/// Files of the kinds in which FFmpeg's time grows with the square of what they state.
@Suite(.timeLimit(.minutes(1))) struct `Given a file with a great many metadata entries` {
  struct Kind: Sendable, CustomTestStringConvertible {
    var name: String
    var make: @Sendable (Int) -> [UInt8]
    var testDescription: String { name }
  }

  private static func big(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func little(_ value: Int) -> [UInt8] { big(value).reversed() }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8) + Array(type.utf8) + content
  }

  private static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
    id + [0x08] + Array(big(content.count)) + content
  }

  private static func fourLetters(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(ascii: "A") + UInt8(number >> ($0 / 2) & 0xF) }
  }

  static let kinds = [
    Kind(name: "items of MP4") { count in
      let items = (0..<count).flatMap { big(8) + fourLetters($0) }
      return box("ftyp", Array("isom".utf8) + big(0))
        + box("moov", box("udta", box("meta", big(0) + box("ilst", items))))
    },
    Kind(name: "keys of QuickTime") { count in
      let keys = (0..<count).flatMap { big(12) + Array("mdta".utf8) + fourLetters($0) }
      return box("ftyp", Array("qt  ".utf8) + big(0))
        + box("moov", box("meta", box("hdlr", big(0)) + box("keys", big(0) + big(count) + keys)))
    },
    Kind(name: "texts of QuickTime") { count in
      box("moov", box("udta", (0..<count).flatMap { big(8) + fourLetters($0) }))
    },
    Kind(name: "tags of Matroska") { count in
      let tag = element([0x67, 0xC8], element([0x45, 0xA3], Array("K".utf8)))
      let tags = element(
        [0x12, 0x54, 0xC3, 0x67],
        element([0x73, 0x73], Array([[UInt8]](repeating: tag, count: count).joined())))
      return element([0x1A, 0x45, 0xDF, 0xA3], []) + [0x18, 0x53, 0x80, 0x67, 0xFF] + tags
    },
    Kind(name: "frames of ID3") { count in
      let frame: [UInt8] = Array("TXXX".utf8) + big(1) + [0, 0, 0]
      let frames = [UInt8]([[UInt8]](repeating: frame, count: count).joined())
      let size = [21, 14, 7, 0].map { UInt8(frames.count >> $0 & 0x7F) }
      return Array("ID3".utf8) + [3, 0, 0] + size + frames
    },
    Kind(name: "comments of FLAC") { count in
      let block = little(0) + little(count) + [UInt8](repeating: 0, count: 4 * count)
      return Array("fLaC".utf8) + [0x84] + big(block.count).dropFirst() + block
    },
    Kind(name: "comments of Opus") { count in
      let packet = Array("OpusTags".utf8) + little(0) + little(count)
      return Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [1, 16] + packet
        + [UInt8](repeating: 0, count: 4 * count)
    },
    Kind(name: "entries of AVI") { count in
      let entries = (0..<count).flatMap { fourLetters($0) + little(0) }
      return Array("RIFF".utf8) + little(0) + Array("AVI LIST".utf8)
        + little(entries.count + 4) + Array("INFO".utf8) + entries
    },
  ]

  private func input(_ bytes: [UInt8]) throws -> (ScratchFolder, InputFile) {
    let folder = try ScratchFolder()
    return (folder, try InputFile(path: folder.write(bytes, to: Array("film".utf8))))
  }

  @Test(arguments: kinds) func `then FFmpeg does not see it`(_ kind: Kind) throws {
    let (folder, file) = try input(kind.make(Limits.standard.entries + 20))
    #expect(file.refusal != nil)
    let error = #expect(throws: LibavError.self) { _ = try Demuxer(file) }
    #expect(error?.kind == .tooMuch)
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: kinds) func `then as many as the limit are fine`(_ kind: Kind) throws {
    let (folder, file) = try input(kind.make(Limits.standard.entries - 20))
    #expect(file.refusal == nil)
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: kinds, [UInt8(0), 0x7F, 0xFF])
  func `then numbers that cannot be are survived`(_ kind: Kind, _ filler: UInt8) throws {
    let bytes = kind.make(40)
    let folder = try ScratchFolder()
    for start in stride(from: 0, to: bytes.count, by: 7) {
      var damaged = bytes
      for place in start..<min(start + 4, bytes.count) { damaged[place] = filler }
      let file = try InputFile(path: folder.write(damaged, to: Array("film".utf8)))
      _ = file.refusal
    }
  }
}
