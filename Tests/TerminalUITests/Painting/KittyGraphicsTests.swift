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

  /// Reads commands as the protocol defines them; what is between them is left out.
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
      at: Position(column: 4, row: 2), columns: 10, rows: nil, width: width, height: height,
      pixels: (0..<width * height * 3).map { _ in .random(in: 0...255, using: &random) })
  }

  private let painter = Painter(depth: .trueColor, isUTF8: true, showsImages: true)
  private let size = Size(columns: 40, rows: 10)

  private func canvas(_ picture: CellImage?) -> Canvas {
    var canvas = Canvas(size: size)
    canvas.image = picture
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
      // Only the first chunk says what it is.
      if number > 0 { #expect(chunk.keys.count == 1) }
    }
  }

  @Test func `a picture is shown where it belongs, and the cursor stays`() throws {
    let bytes = painted(Self.picture(3, 2), over: canvas(nil))
    #expect(bytes.firstRange(of: Array("\u{1B}[3;5H\u{1B}_G".utf8)) != nil)
    let keys = try #require(Self.commands(bytes).first).keys
    #expect(keys["a"] == "T" && keys["f"] == "24" && keys["t"] == "d" && keys["q"] == "2")
    #expect(keys["s"] == "3" && keys["v"] == "2" && keys["c"] == "10" && keys["C"] == "1")
    #expect(keys["r"] == nil)
  }

  @Test func `each picture takes the place of the one before`() {
    let first = painted(Self.picture(3, 2), over: canvas(nil))
    let second = painted(Self.picture(3, 2, seed: 2), over: canvas(Self.picture(3, 2)))
    let names = (Self.commands(first) + Self.commands(second)).map { [$0.keys["i"], $0.keys["p"]] }
    #expect(names == [["1953655149", "1"], ["1953655149", "1"]])
  }

  @Test func `the same picture is not sent again, whatever else changes`() {
    var after = canvas(Self.picture(3, 2))
    after.put("x", column: 0, row: 0)
    let bytes = painter.bytes(painting: after, over: canvas(Self.picture(3, 2)))
    #expect(!bytes.isEmpty)
    #expect(Self.commands(bytes).isEmpty)
  }

  @Test func `a picture that is gone is taken away with its memory`() {
    let commands = Self.commands(painted(nil, over: canvas(Self.picture(3, 2))))
    #expect(
      commands == [
        Command(keys: ["a": "d", "d": "I", "i": "1953655149", "q": "2"])
      ])
  }

  @Test func `on a screen that nothing is known of the old picture goes first`() {
    for before in [nil, Canvas(size: Size(columns: 20, rows: 5))] {
      let commands = Self.commands(painted(Self.picture(3, 2), over: before))
      #expect(commands.map { $0.keys["a"] } == ["d", "T"])
      #expect(Self.commands(painted(nil, over: before)).map { $0.keys["a"] } == ["d"])
    }
  }

  @Test func `it all is within one synchronized update`() {
    let text = String(decoding: painted(Self.picture(3, 2), over: nil), as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}[?2026h") && text.hasSuffix("\u{1B}[?2026l"))
  }

  @Test func `a terminal that has not said so is sent none`() {
    let plain = Painter(depth: .trueColor, isUTF8: true)
    for before in [nil, canvas(nil), canvas(Self.picture(1, 1))] {
      let bytes = plain.bytes(painting: canvas(Self.picture(3, 2)), over: before)
      #expect(Self.commands(bytes).isEmpty)
    }
  }

  @Test func `the question shows nothing and keeps nothing`() {
    let commands = Self.commands(KittyGraphics.question)
    #expect(commands.map { $0.keys["a"] } == ["q"])
    #expect(commands.map(\.payload) == [Array("AAAA".utf8)])
  }
}

@Suite struct `Given what a terminal answers to the question for images` {
  private static let yes = "\u{1B}_Gi=1953655149;OK\u{1B}\\"

  private func keys(_ text: String) -> [TerminalEvent] {
    text.map { .key(.character($0)) }
  }

  @Test func `a yes is heard between keys, and the keys are kept`() {
    var decoder = KeyDecoder()
    let events = decoder.decode(Array("ab\(Self.yes)cd".utf8))
    #expect(events == keys("ab") + [.showsImages] + keys("cd"))
    #expect(!decoder.isWaiting)
  }

  @Test func `a yes is heard in any pieces`() {
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
  func `anything else is no yes, and no key either`(_ answer: String) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(Array("a\(answer)b".utf8)) == keys("ab"))
  }
}
