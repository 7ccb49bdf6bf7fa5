import EditLists
import ExactTime
import Testing

/// Formats of lines: each sample is well-formed, and each change to its last row is not.
@Suite(.timeLimit(.minutes(1))) struct `Given a malformed list of lines` {
  struct Format: Sendable, CustomTestStringConvertible {
    let id: String
    /// What is before the row, and the row itself.
    let head: String
    let row: String
    /// What of the row is a time or a frame.
    let numbers: [String]
    /// What else is replaced, and by what.
    let changes: [(String, String)]
    /// What is no number of this format.
    var wrong = `Given a malformed list of lines`.noSeconds
    var testDescription: String { id }

    var variants: [String] {
      let all = numbers.flatMap { number in wrong.map { (number, $0) } } + changes
      return all.map { old, new in
        guard let place = row.firstRange(of: old) else { preconditionFailure("no \(old)") }
        return head + row[..<place.lowerBound] + new + row[place.upperBound...] + "\n"
      }
    }
  }

  static let noSeconds = [
    "-1", "x", "NaN", "Infinity", "1e3", "0x10", "1..5", "+3", "99999999999999999999", "3.5s",
    "\u{FF13}",
    "1/2", "1_0", "3:", "'3'", "\u{1B}[2J",
  ]
  private static let noLabels = [
    "00:00:02", "00:00:02:25", "00:60:02:00", "00:00:61:00", "x", "-0:00:02:00", "00-00-02-00",
    "1:2:3:4:5", "", "3", "99999999999:00:02:00", "00:00:0x:00",
  ]
  private static let scene = "25,00:00:01.000,1.000"

  static let formats = [
    Format(
      id: "edl", head: "0.00\t60.48\t0\n", row: "612.10\t1000.05\t3",
      numbers: ["612.10", "1000.05"],
      changes: [
        ("1000.05", "612.10"), ("1000.05", "9"), ("\t3", "\t1"), ("\t3", "\t4"), ("\t3", "\tcut"),
        ("\t3", "\t-1"), ("612.10", "#-3"), ("612.10", "#3.5"), ("612.10", "#x"),
        ("\t1000.05\t3", ""), ("\t3", "\t3\t5"), ("\t1000.05\t3", ",1000.05,3"),
        ("\t1000.05", ""),
      ]),
    Format(
      id: "comskip",
      head: "FILE PROCESSING COMPLETE  11987 FRAMES AT  2500\n-------------------\n100\t200\n",
      row: "3007\t7502", numbers: ["3007", "7502"],
      changes: [
        ("7502", "3006"), ("7502", "3007"), ("7502", "7.5"), ("\t7502", ""), ("7502", "7502\t0"),
        ("\t7502", ",7502"),
      ]),
    Format(
      id: "mpv", head: "# mpv EDL v0\na.mkv,0,1\n", row: "b.mkv,3.25,2.5",
      numbers: ["3.25", "2.5"],
      changes: [
        ("2.5", "0"), (",2.5", ""), (",3.25,2.5", ""), ("b.mkv", "b.mkv,1"), ("b.mkv", "%9%b"),
        ("b.mkv", "%x%b"), ("b.mkv", "%b"), ("b.mkv", ""), ("2.5", "start=1"),
        ("2.5", "layout=this"), ("b.mkv,3.25,2.5", "!no_clip"), ("b.mkv,3.25,2.5", "!new_stream"),
        ("b.mkv,3.25,2.5", "!mp4_dash,init=x"),
      ]),
    Format(
      id: "csv", head: "1.5,2.5,name\n", row: "3.25,4.5,x", numbers: ["3.25", "4.5"],
      changes: [
        ("4.5", "3.25"), ("4.5", "3.2"), (",4.5,x", ""), ("3.25,4.5,x", "3.25;4.5;x"), ("x", "\"x"),
        ("x", "\"x\"y"), ("3.25,4.5,x", "x"), ("3.25,4.5,x", "3.25 4.5 x"), ("x", "x,y,z"),
      ]),
    Format(
      id: "tsv", head: "1.5\t2.5\tname\n", row: "3.25\t4.5\tx", numbers: ["3.25", "4.5"],
      changes: [
        ("4.5", "3.25"), ("4.5", "3.2"), ("\t4.5\tx", ""), ("3.25\t4.5\tx", "x"),
        ("3.25\t4.5\tx", "3.25 4.5 x"), ("x", "x\ty\tz"),
      ]),
    Format(
      id: "audacity", head: "1.000000\t2.000000\ta\n", row: "3.250000\t4.500000\tx",
      numbers: ["3.250000", "4.500000"],
      changes: [
        ("4.500000", "3.2"), ("\t4.500000\tx", ""), ("3.250000\t4.500000\tx", "x"),
        ("3.250000\t4.500000\tx", "\\\t10.0\t20.0"),
      ]),
    Format(
      id: "scenedetect",
      head: "Timecode List:,00:00:01.000\n" + `Given a sample of each format`.sceneHeader
        + "1,1,00:00:00.000,0.000,25,00:00:01.000,1.000,\(scene)\n",
      row: "2,26,00:00:01.000,1.500,50,00:00:02.000,2.500,\(scene)",
      numbers: ["26", "50", "1.500", "2.500"],
      changes: [
        (",00:00:01.000,1.500,50,00:00:02.000,2.500,\(scene)", ""), (scene, scene + ",1"),
        ("2.500", "1.500"), (scene, ""),
      ]),
    Format(
      id: "ogm-chapters", head: "CHAPTER01=00:00:00.000\nCHAPTER01NAME=a\n",
      row: "CHAPTER02=00:01:02.500\nCHAPTER02NAME=b", numbers: ["00:01:02.500"],
      changes: [
        ("00:01:02.500", "00:00:00.000"), ("00:01:02.500", "01:02.500"),
        ("00:01:02.500", "00:60:02.500"), ("00:01:02.500", "00:01:62.500"),
        ("00:01:02.500", "00:01:02:500"), ("00:01:02.500", ""), ("CHAPTER02=", "CHAPTER="),
        ("CHAPTER02=", "CHAPTER0x="), ("CHAPTER02=", "Chapter02="), ("CHAPTER02=", "CHAPTER02 "),
        ("CHAPTER02NAME", "CHAPTER03NAME"), ("CHAPTER02NAME", "CHAPTER02NAMES"),
        ("CHAPTER02NAME", "CHAPTER02URL"), ("CHAPTER02NAME=b", "b"),
      ]),
    Format(
      id: "cmx3600",
      head: "TITLE: A\nFCM: NON-DROP FRAME\n\n"
        + "001  AX       V     C        00:00:00:00 00:00:01:00 01:00:00:00 01:00:01:00\n",
      row: "002  AX       V     C        00:00:02:00 00:00:03:00 01:00:01:00 01:00:02:00",
      numbers: ["00:00:02:00", "00:00:03:00"],
      changes: [
        ("00:00:03:00", "00:00:02:00"), ("00:00:03:00", "00:00:01:00"),
        ("01:00:02:00", "01:00:03:00"), (" C ", " D 024 "), (" C ", " W001 024 "),
        (" C ", " K B "), (" C ", " X "), ("  AX ", "  AX\nM2  AX  050.0  00:00:02:00\n"),
      ], wrong: noLabels),
  ]

  @Test(arguments: formats)
  func `When it is read, Then a sentence names the line`(format: Format) throws {
    let reader = try #require(EditListFormat.named(format.id))
    let context = EditListFormat.Context(rate: Rational(25), end: MediaTime(10_000))
    let good = try reader.read(Array((format.head + format.row + "\n").utf8), context: context)
    #expect(good.parts.count == 2)
    let broken: [[UInt8]] = [[0xFF], [0xC3], [0], [0xED, 0xA0, 0x80]].map {
      Array(format.head.utf8) + $0 + Array(format.row.utf8)
    }
    let variants = format.variants.map { Array($0.utf8) } + broken
    #expect(variants.count >= 30)
    for bytes in variants {
      do {
        let list = try reader.read(bytes, context: context)
        Issue.record("\(list) of \(String(decoding: bytes, as: UTF8.self))")
      } catch {
        let text = "\(error)"
        let isPlaced = text.hasPrefix("line ") && text.dropFirst(5).first?.isNumber == true
        #expect(isPlaced, "\(text)")
      }
    }
  }
}
