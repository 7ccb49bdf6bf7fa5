import EditLists
import ExactTime
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given lists that were damaged at random` {
  /// Bytes that mean something in one of the formats.
  private static let signs = Array("{}[]<>\"'\\/&;:,=#-+.0e9\n\t \0".utf8) + [0xFF, 0xC3]

  private static func damaged(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      let length = min(Int.random(in: 1...20, using: &random), bytes.count - place)
      switch Int.random(in: 0...6, using: &random) {
      case 0: bytes = Array(bytes[..<place])
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 2: bytes[place] = signs.randomElement(using: &random) ?? 0
      case 3: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
      case 4: bytes.removeSubrange(place..<place + length)
      case 5: bytes.insert(contentsOf: Array("99999999999999999999".utf8), at: place)
      default: bytes.insert(signs.randomElement(using: &random) ?? 0, at: place)
      }
    }
    return bytes
  }

  /// Whether a sentence says a line, an element or a path, or is about the whole list.
  private static func isPlaced(_ error: ListError) -> Bool {
    switch error.place {
    case .line(let number): number > 0 && error.description.hasPrefix("line \(number): ")
    case .path(let path): path.hasPrefix("$")
    case .list, .entry: !error.reason.isEmpty
    }
  }

  @Test(arguments: RecognitionSample.all)
  func `When one is read, Then it is a list or a sentence with its place, and can be written`(
    _ sample: RecognitionSample
  ) throws {
    let format = try #require(EditListFormat.named(sample.id))
    var random = SeededGenerator(seed: UInt64(sample.text.utf8.count))
    let context = EditListFormat.Context(rate: Rational(25), end: MediaTime(10_000))
    for _ in 0..<60 {
      let bytes = Self.damaged(Array(sample.text.utf8), &random)
      do throws(ListError) {
        let list = try format.read(bytes, context: context)
        for writer in EditListFormat.all { _ = try? writer.write(list) }
      } catch {
        #expect(Self.isPlaced(error), "\(error)")
        let isPlain = error.description.unicodeScalars.allSatisfy {
          $0.properties.generalCategory != .control
        }
        #expect(isPlain, "\(error)")
      }
    }
  }
}

/// A sample of a format, as the programs write it.
struct RecognitionSample: Sendable, CustomTestStringConvertible {
  let id: String
  let text: String
  var testDescription: String { "\(id), \(text.utf8.count) bytes" }

  static var all: [RecognitionSample] {
    `Given a sample of each format`.samples.map { RecognitionSample(id: $0.id, text: $0.text) }
  }
}
