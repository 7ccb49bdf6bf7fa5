import Foundation
import Support
import Testing

@testable import TerminalUI

@Suite struct `Given a terminal that shows images` {
  /// A command of the protocol: its keys and its payload.
  struct Command: Equatable {
    var keys: [String: String] = [:]
    var payload: [UInt8] = []
  }

  /// Reads commands as the protocol defines them; anything between them is skipped.
  static func commands(_ bytes: [UInt8]) -> [Command] {
    var commands: [Command] = []
    var rest = bytes[...]
    while let start = rest.firstRange(of: Array("\u{1B}_G".utf8)),
      let end = rest[start.upperBound...].firstRange(of: Array("\u{1B}\\".utf8))
    {
      let body = rest[start.upperBound..<end.lowerBound]
      let parts = body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      var command = Command(payload: parts.count > 1 ? Array(parts[1]) : [])
      for pair in String(decoding: parts[0], as: UTF8.self).split(separator: ",") {
        let words = pair.split(separator: "=")
        command.keys[String(words[0])] = String(words[1])
      }
      commands.append(command)
      rest = rest[end.upperBound...]
    }
    return commands
  }

  private static func picture(_ width: Int, _ height: Int, seed: UInt64 = 1) -> CellImage {
    var random = SeededGenerator(seed: seed)
    return CellImage(
      at: Position(column: 4, row: 2), columns: 10, rows: 5, width: width, height: height,
      pixels: (0..<width * height * 3).map { _ in .random(in: 0...255, using: &random) })
  }

  private let painter = Painter(depth: .trueColor, isUTF8: true, showsImages: true)
  private let size = Size(columns: 40, rows: 10)

  private func canvas(_ picture: CellImage?) -> Canvas {
    var canvas = Canvas(size: size)
    if let picture { canvas.show(picture) }
    return canvas
  }

  private func painted(_ picture: CellImage?, over before: Canvas?) -> [UInt8] {
    painter.bytes(painting: canvas(picture), over: before)
  }

  @Test(arguments: [(1, 1), (2, 1), (4, 256), (1, 1025), (7, 146), (64, 64), (160, 90)])
  func `its pixels arrive whole, in chunks of at most 4096 bytes`(_ width: Int, _ height: Int) {
    let picture = Self.picture(width, height)
    let chunks = Self.commands(KittyGraphics.show(picture))
    let text = chunks.flatMap(\.payload)
    #expect(Data(base64Encoded: Data(text)).map { Array($0) } == picture.pixels)
    for (number, chunk) in chunks.enumerated() {
      let isLast = number == chunks.count - 1
      #expect(chunk.keys["m"] == (isLast ? "0" : "1"))
      #expect(isLast ? (1...4096).contains(chunk.payload.count) : chunk.payload.count == 4096)
      // Only the first chunk describes the image.
      if number > 0 { #expect(chunk.keys.count == 1) }
    }
  }

  @Test func `an image is shown in its place, and the cursor does not move`() throws {
    let bytes = painted(Self.picture(3, 2), over: canvas(nil))
    #expect(bytes.firstRange(of: Array("\u{1B}[3;5H\u{1B}_G".utf8)) != nil)
    let keys = try #require(Self.commands(bytes).first).keys
    #expect(keys["a"] == "T" && keys["f"] == "24" && keys["t"] == "d" && keys["q"] == "2")
    #expect(keys["s"] == "3" && keys["v"] == "2" && keys["c"] == "10" && keys["C"] == "1")
    #expect(keys["r"] == "5", "with columns alone a terminal rounds the rows up, and stretches")
  }

  @Test func `each image replaces the one before`() {
    let first = painted(Self.picture(3, 2), over: canvas(nil))
    let second = painted(Self.picture(3, 2, seed: 2), over: canvas(Self.picture(3, 2)))
    let names = (Self.commands(first) + Self.commands(second)).map { [$0.keys["i"], $0.keys["p"]] }
    #expect(names == [["1953655149", "1"], ["1953655149", "1"]])
  }

  @Test func `the same image is not sent again, whatever else changes`() {
    var after = canvas(Self.picture(3, 2))
    after.put("x", column: 0, row: 0)
    let bytes = painter.bytes(painting: after, over: canvas(Self.picture(3, 2)))
    #expect(!bytes.isEmpty)
    #expect(Self.commands(bytes).isEmpty)
  }

  @Test func `an image that is gone is deleted along with its memory`() {
    let commands = Self.commands(painted(nil, over: canvas(Self.picture(3, 2))))
    #expect(
      commands == [
        Command(keys: ["a": "d", "d": "I", "i": "1953655149", "q": "2"])
      ])
  }

  @Test func `on a screen in an unknown state the old image is deleted first`() {
    for before in [nil, Canvas(size: Size(columns: 20, rows: 5))] {
      let commands = Self.commands(painted(Self.picture(3, 2), over: before))
      #expect(commands.map { $0.keys["a"] } == ["d", "d", "d", "T"])
      let names = Self.commands(painted(nil, over: before)).map { $0.keys["i"] }
      #expect(names == ["1953655151", "1953655150", "1953655149"])
    }
  }

  @Test func `images of different slots coexist, and each is deleted separately`() {
    let pixels = [UInt8](repeating: 7, count: 3)
    func image(_ slot: CellImage.Slot) -> CellImage {
      CellImage(
        slot, at: Position(column: 0, row: Int(slot.rawValue)), columns: 1, rows: 1, width: 1,
        height: 1, pixels: pixels)
    }
    var before = Canvas(size: size)
    for slot in CellImage.Slot.allCases { before.show(image(slot)) }
    var after = Canvas(size: size)
    after.show(image(.first))
    after.show(image(.third))
    let commands = Self.commands(painter.bytes(painting: after, over: before))
    #expect(commands.map { $0.keys["i"] } == ["1953655150"])
    #expect(commands.map { $0.keys["a"] } == ["d"])
  }

  @Test(arguments: [(3, 2), (10, 5), (33, 21)])
  func `text over an image is visible through a hole in the image`(
    _ width: Int, _ height: Int
  ) throws {
    let picture = Self.picture(width, height)
    var canvas = canvas(picture)
    // Of the columns 4..<14 and the rows 2..<7, the ones from 6 and 4 on.
    canvas.open(columns: 6..<30, rows: 4..<9)
    let chunks = Self.commands(painter.bytes(painting: canvas, over: self.canvas(nil)))
    #expect(chunks.first?.keys["f"] == "32")
    let bytes = try #require(
      Data(base64Encoded: Data(chunks.flatMap(\.payload))).map { Array($0) })
    #expect(bytes.count == width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let place = y * width + x
        #expect(
          Array(bytes[place * 4..<place * 4 + 3])
            == Array(picture.pixels[place * 3..<place * 3 + 3]))
        let isOpen = x >= 2 * width / 10 && y >= 2 * height / 5
        #expect(bytes[place * 4 + 3] == (isOpen ? 0 : 255))
      }
    }
  }

  @Test func `everything is within one synchronized update`() {
    let text = String(decoding: painted(Self.picture(3, 2), over: nil), as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}[?2026h") && text.hasSuffix("\u{1B}[?2026l"))
  }

  @Test func `a terminal that has not confirmed it is sent none`() {
    let plain = Painter(depth: .trueColor, isUTF8: true)
    for before in [nil, canvas(nil), canvas(Self.picture(1, 1))] {
      let bytes = plain.bytes(painting: canvas(Self.picture(3, 2)), over: before)
      #expect(Self.commands(bytes).isEmpty)
    }
  }

  @Test func `the query shows nothing and stores nothing`() {
    let commands = Self.commands(KittyGraphics.question)
    #expect(commands.map { $0.keys["a"] } == ["q"])
    #expect(commands.map(\.payload) == [Array("AAAA".utf8)])
  }
}

@Suite struct `Given a terminal's answer to the query for images` {
  private static let yes = "\u{1B}_Gi=1953655149;OK\u{1B}\\"

  private func keys(_ text: String) -> [TerminalEvent] {
    text.map { .key(.character($0)) }
  }

  @Test func `a yes is recognized between keys, and the keys are kept`() {
    var decoder = KeyDecoder()
    let events = decoder.decode(Array("ab\(Self.yes)cd".utf8))
    #expect(events == keys("ab") + [.showsImages] + keys("cd"))
    #expect(!decoder.isWaiting)
  }

  @Test func `a yes is recognized in any pieces`() {
    let bytes = Array("a\(Self.yes)b".utf8)
    for cut in 0...bytes.count {
      var decoder = KeyDecoder()
      let events = decoder.decode(bytes[..<cut]) + decoder.decode(bytes[cut...])
      #expect(events == keys("a") + [.showsImages] + keys("b"), "cut at \(cut)")
    }
  }

  @Test(arguments: [
    "\u{1B}_Gi=1953655149;ENOTSUPPORTED:no\u{1B}\\", "\u{1B}_Gi=1953655149;OK!\u{1B}\\",
    "\u{1B}_Gi=7;OK\u{1B}\\", "\u{1B}_Gi=1953655149;O\u{1B}\\", "\u{1B}_\u{1B}\\",
    "\u{1B}]Gi=1953655149;OK\u{1B}\\", "\u{1B}[?62;4c", "\u{1B}_Gi=1953655149;OK\u{18}",
  ])
  func `anything else is neither a yes nor a key`(_ answer: String) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(Array("a\(answer)b".utf8)) == keys("ab"))
  }
}

@Suite struct `Given a terminal's answer to the query for its background` {
  struct Answer: CustomTestStringConvertible, Sendable {
    var testDescription: String { text.debugDescription }
    let text: String
    let color: RGBColor?
  }

  private static let answers = [
    Answer(text: "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", color: .white),
    Answer(text: "\u{1B}]11;rgb:0000/0000/0000\u{7}", color: .black),
    Answer(text: "\u{1B}]11;rgb:1d1d/1f1f/2121\u{1B}\\", color: RGBColor(29, 31, 33)),
    Answer(text: "\u{1B}]11;rgb:f/8/0\u{7}", color: RGBColor(255, 136, 0)),
    Answer(text: "\u{1B}]11;rgba:ff/80/00/c0\u{7}", color: RGBColor(255, 128, 0)),
    Answer(text: "\u{1B}]10;rgb:ffff/ffff/ffff\u{7}", color: nil),
    Answer(text: "\u{1B}]11;rgb:ffff/ffff\u{7}", color: nil),
    Answer(text: "\u{1B}]11;rgb:fffff/0/0\u{7}", color: nil),
    Answer(text: "\u{1B}]11;rgb:-1/0/0\u{7}", color: nil),
    Answer(text: "\u{1B}]11;rgb:/0/0\u{7}", color: nil),
    Answer(text: "\u{1B}]11;#ffffff\u{7}", color: nil),
    Answer(text: "\u{1B}]11;" + String(repeating: "f", count: 500) + "\u{7}", color: nil),
  ]

  @Test(arguments: answers)
  func `a color is recognized between keys, in any pieces, and nothing else becomes a key`(
    _ answer: Answer
  ) {
    let bytes = Array("a\(answer.text)b".utf8)
    let wanted =
      [TerminalEvent.key(.character("a"))]
      + (answer.color.map { [TerminalEvent.background($0)] } ?? [])
      + [.key(.character("b"))]
    for cut in 0...bytes.count {
      var decoder = KeyDecoder()
      #expect(decoder.decode(bytes[..<cut]) + decoder.decode(bytes[cut...]) == wanted)
    }
  }
}
