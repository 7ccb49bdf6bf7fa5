import ExactTime
import Foundation
import Support
import Testing
import Trimming

@testable import Cutting

/// The boxes, chunks and elements of a file by name, found without the product's code.
private struct Names {
  private(set) var names: Set<String> = []
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    switch bytes.prefix(4) {
    case [0x1A, 0x45, 0xDF, 0xA3]: elements(0..<bytes.count)
    case ArraySlice("RIFF".utf8): chunks(12..<bytes.count)
    case ArraySlice("fLaC".utf8), ArraySlice("OggS".utf8): break
    default: if bytes.count > 8 { boxes(0..<bytes.count, inside: "") }
    }
  }

  private func number(_ range: Range<Int>) -> Int {
    bytes[range].reduce(0) { $0 << 8 & 0x7FFF_FFFF_FFFF | Int($1) }
  }

  private func name(_ place: Int) -> String {
    String(String.UnicodeScalarView(bytes[place..<place + 4].map { Unicode.Scalar($0) }))
  }

  private mutating func boxes(_ range: Range<Int>, inside parent: String) {
    var place = range.lowerBound
    while place + 8 <= range.upperBound {
      var (size, header) = (number(place..<place + 4), 8)
      let type = name(place + 4)
      if size == 1, place + 16 <= range.upperBound {
        (size, header) = (number(place + 8..<place + 16), 16)
      }
      if size == 0 { size = range.upperBound - place }
      let isNamed = bytes[place + 4..<place + 8].allSatisfy {
        (0x20..<0x7F).contains($0) || $0 == 0xA9
      }
      guard size >= header, isNamed else { return }
      let end = min(range.upperBound, place + size)
      if Self.holders.contains(type) {
        boxes(place + header..<end, inside: type)
      } else if !Self.ofBoxes.contains(type) {
        names.insert(type)
      }
      place = end
    }
  }

  private static let holders: Set = [
    "moov", "trak", "mdia", "minf", "stbl", "udta", "moof", "traf",
  ]
  private static let ofBoxes: Set = [
    "ftyp", "styp", "mdat", "free", "skip", "wide", "sidx", "ssix", "mfra", "pdin", "pnot", "mvhd",
    "mvex", "iods", "rmra", "chpl", "tkhd", "edts", "tref", "mdhd", "hdlr", "vmhd", "smhd", "nmhd",
    "gmhd", "sthd", "hmhd", "dinf", "stsd", "stts", "ctts", "cslg", "stss", "stps", "stsc", "stsz",
    "stz2", "stco", "co64", "sdtp", "sbgp", "sgpd", "mfhd", "tfhd", "tfdt", "trun",
  ]

  private mutating func chunks(_ range: Range<Int>) {
    var place = range.lowerBound
    while place + 8 <= range.upperBound {
      let size = bytes[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      let type = name(place)
      let end = min(range.upperBound, place + 8 + size)
      if type == "LIST", place + 12 <= end, ["hdrl", "strl", "odml"].contains(name(place + 8)) {
        chunks(place + 12..<end)
      } else if type == "LIST", place + 12 <= end {
        if !["movi", "INFO"].contains(name(place + 8)) { names.insert("LIST " + name(place + 8)) }
      } else if !Self.ofChunks.contains(type) {
        names.insert(type)
      }
      place = end + size % 2
    }
  }

  private static let ofChunks: Set = [
    "fmt ", "fact", "data", "JUNK", "avih", "strh", "strf", "indx", "dmlh", "idx1",
  ]

  private mutating func elements(_ range: Range<Int>) {
    var place = range.lowerBound
    while place < range.upperBound, bytes[place] >= 0x10 {
      let idLength = bytes[place].leadingZeroBitCount + 1
      let sizePlace = place + idLength
      guard sizePlace < range.upperBound, bytes[sizePlace] > 0 else { return }
      let sizeLength = bytes[sizePlace].leadingZeroBitCount + 1
      let body = sizePlace + sizeLength
      guard body <= range.upperBound else { return }
      let id = number(place..<sizePlace)
      let size = number(sizePlace..<body) & (1 << (7 * sizeLength) - 1)
      let isOpen = size == 1 << (7 * sizeLength) - 1
      let end = isOpen ? range.upperBound : min(range.upperBound, body + size)
      if id == 0x1F43_B675, isOpen { return }
      if [0x1853_8067, 0x1941_A469].contains(id) {
        elements(body..<end)
      } else if let name = Self.reported[id] {
        names.insert(name)
      } else if !Self.ofElements.contains(id) {
        names.insert("element 0x" + String(id, radix: 16))
      }
      place = end
    }
  }

  /// Attachments, and chapters.
  private static let reported = [0x61A7: "AttachedFile"]
  /// Also information, tracks, tags and chapters, whose elements other tests compare.
  private static let ofElements: Set = [
    0x1A45_DFA3, 0x114D_9B74, 0x1C53_BB6B, 0xEC, 0xBF, 0x1F43_B675, 0x1549_A966, 0x1654_AE6B,
    0x1254_C367, 0x1043_A770,
  ]
}

/// The smaller files of all folders; `tools/soak nothing_silent` examines all of them, and each element.
@Suite(.timeLimit(.minutes(1))) struct `Given other people's files` {
  private static let mostBytes = 40_000

  private static let paths: [String] = [Corpus.shared?.folder, Judged.folder, Cases.folder]
    .compactMap { $0 }.flatMap { folder in
      (FileManager.default.enumerator(atPath: folder)?.allObjects ?? []).compactMap {
        $0 as? String
      }
      .map { folder + "/" + $0 }
    }.filter { path in
      let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      return endings.contains(path.split(separator: ".").last.map(String.init) ?? "")
        && size.flatMap { $0 } ?? .max <= mostBytes
    }.sorted()

  private static let endings: Set = ["mp4", "mov", "MP4", "mkv", "webm", "avi", "wav", "m4a"]

  @Test(.enabled(if: !paths.isEmpty, "no folder of real clips"))
  func `when they are cut then each box, chunk and element is in the cut or in the report`() throws
  {
    let folder = try ScratchFolder()
    var count = 0
    for path in Self.paths {
      let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
      let output = folder.path(of: "\(count).\(ending)")
      // What cannot be cut is refused elsewhere.
      guard let file = try? FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))),
        let length = file.facts.durations.presented?.length.seconds,
        let start = try? length.multiplied(by: Rational(1, 4)),
        let end = try? length.multiplied(by: Rational(3, 4)),
        let range = MediaTimeRange(from: MediaTime(seconds: start), to: MediaTime(seconds: end)),
        let report = try? file.cut(
          CutOrder(CutRequest(range: range, verification: .none), to: Array(output.utf8)))
      else { continue }
      count += 1
      let reported = Set(report.leftOut.map(\.type))
      let hasDropped = report.plan.tracks.contains { $0.dropped != nil }
      let silent = Names(try fileBytes(path)).names
        .subtracting(Names(try fileBytes(output)).names).subtracting(reported)
      #expect(hasDropped || silent.isEmpty, "\(path): \(silent.sorted())")
      #expect(Set(report.plan.leftOut ?? []) == Set(report.leftOut), "\(path)")
    }
    #expect(count > 5)
  }
}
