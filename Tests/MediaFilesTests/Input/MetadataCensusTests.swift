import Libav
import Support
import Testing

@testable import MediaFiles

/// Formats in which FFmpeg's time grows with the square of the number of entries.
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

  private static func tag(frames count: Int, flags: UInt8 = 0, before: [UInt8] = []) -> [UInt8] {
    let frame: [UInt8] = Array("TXXX".utf8) + big(1) + [0, 0, 0]
    let frames = before + [UInt8]([[UInt8]](repeating: frame, count: count).joined())
    let size = [21, 14, 7, 0].map { UInt8(frames.count >> $0 & 0x7F) }
    return Array("ID3".utf8) + [3, 0, flags] + size + frames
  }

  private static func comments(_ count: Int, isLast: Bool = true) -> [UInt8] {
    let block = little(0) + little(count) + [UInt8](repeating: 0, count: 4 * count)
    return [isLast ? 0x84 : 4] + big(block.count).dropFirst() + block
  }

  private static func opus(_ count: Int) -> [UInt8] {
    let packet = Array("OpusTags".utf8) + little(0) + little(count)
    return Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [1, 16] + packet
      + [UInt8](repeating: 0, count: 4 * count)
  }

  /// A tag that states one value (Adobe Flash Video File Format 10.1, E.4.4).
  private static func scriptData(_ number: Int) -> [UInt8] {
    var data: [UInt8] = [2, 0, 10]
    data += Array("onMetaData".utf8)
    data += [8, 0, 0, 0, 1, 0, 4] as [UInt8]
    data += fourLetters(number)
    data += [2, 0, 1, 0x76, 0, 0, 9] as [UInt8]
    var tag: [UInt8] = [0x12]
    tag += big(data.count).dropFirst()
    tag += [UInt8](repeating: 0, count: 7)
    tag += data
    tag += big(data.count + 11)
    return tag
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
    Kind(name: "frames of ID3") { tag(frames: $0) },
    Kind(name: "frames of several ID3 tags") { count in
      (0..<4).flatMap { _ in tag(frames: count / 4) }
    },
    Kind(name: "frames of ID3 behind an extended header") { count in
      tag(frames: count, flags: 0x40, before: big(6) + [UInt8](repeating: 0xFF, count: 6))
    },
    Kind(name: "frames of ID3 in WAV") { count in
      let tag = tag(frames: count)
      return Array("RIFF".utf8) + little(0) + Array("WAVEid3 ".utf8) + little(tag.count) + tag
    },
    Kind(name: "comments of FLAC") { Array("fLaC".utf8) + comments($0) },
    Kind(name: "comments of FLAC in several blocks") { count in
      Array("fLaC".utf8) + comments(count / 2, isLast: false) + [1, 0, 0, 0] + comments(count / 2)
    },
    Kind(name: "comments of Opus") { opus($0) },
    Kind(name: "comments of Opus far behind the beginning") { count in
      let page = Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [0]
      return [UInt8]([[UInt8]](repeating: page, count: 300).joined()) + opus(count)
    },
    Kind(name: "entries of AVI") { count in
      let entries = (0..<count).flatMap { fourLetters($0) + little(0) }
      return Array("RIFF".utf8) + little(0) + Array("AVI LIST".utf8)
        + little(entries.count + 4) + Array("INFO".utf8) + entries
    },
  ]

  private func input(_ bytes: [UInt8]) throws -> (ScratchFolder, InputFile) {
    let folder = try ScratchFolder()
    return (folder, try InputFile(path: folder.write(bytes, to: Array("clip".utf8))))
  }

  @Test(arguments: kinds) func `then FFmpeg does not get to read it`(_ kind: Kind) throws {
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

  @Test(arguments: Sample.of(kinds, 4), [UInt8(0), 0x7F, 0xFF])
  func `then impossible numbers do no harm`(_ kind: Kind, _ filler: UInt8) throws {
    let bytes = kind.make(40)
    let folder = try ScratchFolder()
    for start in stride(from: 0, to: bytes.count, by: 7) {
      var damaged = bytes
      for place in start..<min(start + 4, bytes.count) { damaged[place] = filler }
      let file = try InputFile(path: folder.write(damaged, to: Array("clip".utf8)))
      _ = file.refusal
    }
  }

  /// Files too long to count are not passed to FFmpeg either.
  static let endless = [
    Kind(name: "blocks of FLAC") { count in
      Array("fLaC".utf8) + [UInt8](repeating: 0, count: 4 * 300_000) + comments(count)
    },
    Kind(name: "elements of Matroska") { count in
      element([0x1A, 0x45, 0xDF, 0xA3], []) + [0x18, 0x53, 0x80, 0x67, 0xFF]
        + [UInt8]([[UInt8]](repeating: [0xEC, 0x80], count: 300_001).joined())
    },
  ]

  @Test(arguments: endless) func `then endless headers are refused`(_ kind: Kind) throws {
    let (folder, file) = try input(kind.make(5))
    #expect(file.refusal != nil)
    withExtendedLifetime(folder) {}
  }

  // MARK: Entries of formats that FFmpeg reads one by one

  static let gradual = [
    Kind(name: "script data of FLV") { count in
      var bytes: [UInt8] = Array("FLV".utf8)
      bytes += [1, 5] as [UInt8]
      bytes += big(9)
      bytes += big(0)
      for number in 0..<count { bytes += scriptData(number) }
      return bytes
    },
    Kind(name: "information of CAF") { count in
      var description: [UInt8] = [0x40, 0xE5, 0x88, 0x80, 0, 0, 0, 0]
      description += Array("lpcm".utf8)
      for field in [0, 2, 1, 1, 16] { description += big(field) }
      var entries = big(count)
      for number in 0..<count { entries += fourLetters(number) + [0, 0x76, 0] }
      var bytes: [UInt8] = Array("caff".utf8) + [0, 1, 0, 0]
      for (name, content) in [
        ("desc", description), ("info", entries), ("data", big(0) + [1, 2, 3, 4]),
      ] {
        bytes += Array(name.utf8)
        bytes += big(0)
        bytes += big(content.count)
        bytes += content
      }
      return bytes
    },
  ]

  private func entries(_ kind: Kind, _ count: Int) throws -> InputFault.Kind? {
    let (folder, file) = try input(kind.make(count))
    defer { withExtendedLifetime(folder) {} }
    do throws(LibavError) {
      var demuxer = try Demuxer(file)
      while try demuxer.nextPacket() != nil {}
      return nil
    } catch {
      // That such a file ends early does not matter here.
      guard case .input(let fault) = error.kind else { return nil }
      return fault.kind
    }
  }

  @Test(arguments: gradual) func `then FFmpeg is stopped while it adds them`(_ kind: Kind) throws {
    #expect(try entries(kind, 40_000) == .entries(Limits.standard.entries))
  }

  @Test(arguments: gradual) func `then it adds as many as the limit`(_ kind: Kind) throws {
    #expect(try entries(kind, 2000) == nil)
  }
}
