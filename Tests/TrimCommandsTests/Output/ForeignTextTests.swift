import CommandLineKit
import Testing

@testable import TrimCommands

@Suite struct `Given text from outside` {
  struct Sample: CustomTestStringConvertible, Sendable {
    var bytes: [UInt8]
    var shown: String
    var testDescription: String

    init(_ text: String, _ shown: String, _ name: String) {
      self.init(Array(text.utf8), shown, name)
    }

    init(_ bytes: [UInt8], _ shown: String, _ name: String) {
      self.bytes = bytes
      self.shown = shown
      testDescription = name
    }
  }

  @Suite struct `When it is shown` {
    @Test(arguments: [
      Sample("clip.mp4", "clip.mp4", "plain text"),
      Sample(" lead and tail ", " lead and tail ", "spaces"),
      Sample("Füße 東京 👍", "Füße 東京 👍", "letters and pictures"),
      Sample("a\nb", "a\\nb", "newline"),
      Sample("\u{1B}]52;c;eA==\u{07}", "\\u{1b}]52;c;eA==\\u{7}", "clipboard escape"),
      Sample("\u{1B}[2J\u{1B}7", "\\u{1b}[2J\\u{1b}7", "clear and save"),
      Sample("a\tb\rc\u{0}d\u{7F}", "a\\u{9}b\\u{d}c\\u{0}d\\u{7f}", "other controls"),
      Sample("\u{9B}31m", "\\u{9b}31m", "C1 as UTF-8"),
      Sample([0x9b, 0x33, 0x31, 0x6d], "\\x9b31m", "C1 as a byte"),
      Sample([0x66, 0xfc, 0x72], "f\\xfcr", "Latin-1"),
      Sample([0xc3], "\\xc3", "cut off in a character"),
      Sample([0xe2, 0x82, 0x41], "\\xe2\\x82A", "broken in a character"),
      Sample([0xc0, 0xaf], "\\xc0\\xaf", "overlong"),
      Sample([0xed, 0xa0, 0x80], "\\xed\\xa0\\x80", "a surrogate"),
      Sample([0xf4, 0x90, 0x80, 0x80], "\\xf4\\x90\\x80\\x80", "beyond Unicode"),
      Sample("\u{202E}4pm.exe", "\\u{202e}4pm.exe", "right-to-left override"),
      Sample(
        "\u{2066}x\u{2069}\u{200F}\u{061C}", "\\u{2066}x\\u{2069}\\u{200f}\\u{61c}", "isolates"),
      Sample("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}", "line separators"),
      Sample("a\u{200B}\u{FEFF}\u{AD}b", "a\\u{200b}\\u{feff}\\u{ad}b", "zero width"),
      Sample("👩\u{200D}🚀", "👩\\u{200d}🚀", "joined emoji"),
      Sample("❤\u{FE0F}", "❤\u{FE0F}", "emoji form"),
      Sample("\u{E0041}\u{E007F}", "\\u{e0041}\\u{e007f}", "tags"),
      Sample("\u{3164}\u{115F}", "\\u{3164}\\u{115f}", "fillers"),
      Sample("\u{E000}\u{FFFF}", "\\u{e000}\\u{ffff}", "private and no characters"),
      Sample(
        "e" + String(repeating: "\u{301}", count: 7),
        "e" + String(repeating: "\u{301}", count: 4) + "\\u{301}\\u{301}\\u{301}",
        "a tower of accents"),
    ])
    func `then nothing in it acts, hides or deceives`(_ sample: Sample) {
      #expect(ForeignText.shown(sample.bytes) == sample.shown)
    }

    @Test func `then a terminal without UTF-8 gets ASCII`() {
      #expect(ForeignText.shown("Füße", asciiOnly: true) == "F\\u{fc}\\u{df}e")
    }

    @Test func `then well-formed UTF-8 decodes as the standard library does`() {
      let text = "aé東👍\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}"
      let scalars = UTF8Units(Array(text.utf8)).compactMap { unit -> Unicode.Scalar? in
        if case .scalar(let scalar) = unit { scalar } else { nil }
      }
      #expect(scalars == Array(text.unicodeScalars))
    }
  }

  @Suite struct `When it is truncated to a width` {
    @Test(arguments: [
      ("東京タワー", 10, "東京タワー"), ("東京タワー", 9, "東京タワ…"), ("東京タワー", 8, "東京タ…"),
      ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abcd", 1, "…"), ("abcd", 0, ""),
    ])
    func `then cells are counted, not characters`(_ text: String, _ width: Int, _ cut: String) {
      let result = text.cut(toCells: width, ellipsis: "…")
      #expect(result == cut)
      #expect(result.cellWidth <= width)
    }
  }

  @Suite struct `When it is wrapped` {
    @Test func `then words stay whole where they fit`() {
      #expect(TextWrap.lines("one two three", width: 7) == ["one two", "three"])
      #expect(TextWrap.lines("abcdefgh ij", width: 3) == ["abc", "def", "gh", "ij"])
      #expect(TextWrap.lines("東京", width: 1) == ["東", "京"])
      #expect(TextWrap.lines("", width: 5) == [""])
      #expect(TextWrap.lines(" a  b ", width: 9) == [" a  b "])
      #expect(TextWrap.lines("aa  b", width: 3) == ["aa", "b"])
    }
  }
}
