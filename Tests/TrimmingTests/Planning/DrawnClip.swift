import MediaFacts
import Support
import Trimming

/// A file described by its pictures in decode order, each with the tick at which it is shown: `I0
/// P3 B1 B2 C6`.
///
/// `I` is a closed random access point, `C` an open one, whose leading pictures need earlier ones,
/// `K` is only flagged as key by the container; the rest are what they are called.
struct DrawnClip: Sendable, CustomStringConvertible {
  var description: String
  var packets: ContiguousArray<CodedPacket> = []
  private var kinds: [RandomAccessKind] = []

  init(_ drawing: String) {
    description = drawing
    for picture in drawing.split(separator: " ") {
      let access: RandomAccessKind? =
        switch picture.first {
        case "I": .idr
        case "C": .cra
        case "K": .flaggedOnly
        default: nil
        }
      kinds.append(access ?? .unknown)
      packets.append(
        CodedPacket(
          pts: Int64(picture.dropFirst()) ?? 0, dts: Int64(packets.count) - 4, duration: 1,
          byteCount: 100, isKey: access != nil))
    }
  }

  /// Groups of every shape, closed and open, with up to three pictures shown before their anchor.
  static func random(groups: Int, using generator: inout SeededGenerator) -> DrawnClip {
    var drawing: [String] = []
    var shown = 0
    for group in 0..<groups {
      let isOpen = group > 0 && Bool.random(using: &generator)
      var key = isOpen ? "C" : "I"
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        let before = key == "I" ? 0 : Int.random(in: 0...3, using: &generator)
        drawing.append("\(key)\(shown + before)")
        // The middle one of three may be decoded first.
        let order = [[], [0], [0, 1], Bool.random(using: &generator) ? [1, 0, 2] : [0, 1, 2]]
        drawing += order[before].map { "B\(shown + $0)" }
        shown += before + 1
        key = "P"
      }
    }
    return DrawnClip(drawing.joined(separator: " "))
  }

  /// One group per second, of 25 frames, with two pictures shown before each anchor.
  init(longGroups count: Int) {
    self.init("")
    description = "\(count) groups"
    for group in 0..<count {
      for place in 0..<25 {
        let shown = place == 0 ? 0 : place % 3 == 1 ? min(24, place + 2) : place - 1
        kinds.append(place == 0 ? .idr : .unknown)
        packets.append(
          CodedPacket(
            pts: Int64(group * 25 + shown), dts: Int64(packets.count) - 4, duration: 1,
            byteCount: 100, isKey: place == 0))
      }
    }
  }

  func access(_ place: Int) -> RandomAccessKind { kinds[place] }

  func planner(_ leading: VideoPlanner.LeadingPictures) -> VideoPlanner {
    let kinds = kinds
    return VideoPlanner(packets, leadingPictures: leading) { kinds[$0] }
  }

  var ticks: Range<Int64> { 0..<Int64(packets.count) }

  func ticks(_ places: some Sequence<Int>) -> [Int64] { places.map { packets[$0].pts } }

  /// In presentation order.
  func shown(_ places: some Sequence<Int>) -> [Int64] { ticks(places).sorted() }

  /// The whole plan by ticks: the encoded head, `|`, the copied pictures in decode order with
  /// encoded replacements in brackets, `|`, the encoded tail.
  func drawing(of cut: VideoCut) -> String {
    let left = Set(cut.left)
    let replaced = Set(cut.replaced)
    let middle = cut.copied.compactMap { place in
      if replaced.contains(place) { return "[\(packets[place].pts)]" }
      return left.contains(place) ? nil : "\(packets[place].pts)"
    }
    let parts = [shown(cut.head).map { "\($0)" }, middle, shown(cut.tail).map { "\($0)" }]
    return parts.map { $0.joined(separator: " ") }.joined(separator: "|")
  }
}
