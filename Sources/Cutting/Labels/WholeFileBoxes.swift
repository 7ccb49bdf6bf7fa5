import Bitstreams
import ExactTime
import ISOMedia
import MediaFacts
import MediaFiles
import Trimming

/// Boxes that describe the whole source: moved to the part by their rules, or left out.
struct WholeFileBoxes {
  let source: ISOCutSource
  let plan: CutPlan
  /// By how much later than the source the cut was recorded; `nil` to keep the time as it is.
  let lateness: MediaDuration?
  private(set) var leftOut: [LeftOut] = []
  /// As a camera's document states it.
  private(set) var creation: CreationTime?

  init(source: ISOCutSource, plan: CutPlan, lateness: MediaDuration? = nil) {
    self.source = source
    self.plan = plan
    self.lateness = lateness
  }

  mutating func revise(_ movie: inout ISOMovieBoxes) {
    movie.fileBoxes = revised(movie.fileBoxes, in: "file")
    movie.boxes = revised(movie.boxes, in: "moov")
    movie.userData = revised(movie.userData, in: "moov/udta")
  }

  private mutating func revised(_ boxes: [ISORawBox], in place: String) -> [ISORawBox] {
    var result: [ISORawBox] = []
    for box in boxes {
      if let box = revised(box, in: place) { result.append(box) }
    }
    return result
  }

  private mutating func leaveOut(_ box: ISORawBox, _ place: String, _ reason: String) {
    leftOut.append(
      LeftOut(
        type: "\(box.type)", place: place, byteCount: Int64(box.bytes.count), reason: reason))
  }

  private mutating func revised(_ box: ISORawBox, in place: String) -> ISORawBox? {
    if Self.recordings.contains(box.type) {
      leaveOut(box, place, "it lists records of the whole recording")
      return nil
    }
    if box.type == "HMMT" { return highlights(box, place) }
    if box.type == "GPMF" { return settings(box, place) }
    let list = FileOffsets(
      Array(box.payload), fileSize: source.bytes.byteCount,
      boxes: source.movie.topLevel.dropFirst().map(\.offset))
    if box.type != "meta", list.isTable {
      leaveOut(box, place, "it lists positions in the source file")
      return nil
    }
    return document(box, place)
  }

  /// Dashcams' lists of records, as offsets (`gps `) or as readings in order.
  private static let recordings: Set<FourCC> = ["gps ", "gps0", "gsen", "3gf "]

  // MARK: HiLights

  /// GoPro's marks: their number, and milliseconds from the beginning; older cameras fill the box
  /// with zeros.
  private mutating func highlights(_ box: ISORawBox, _ place: String) -> ISORawBox? {
    let payload = Array(box.payload)
    let words = stride(from: 0, to: payload.count - 3, by: 4).map {
      UInt32(clamping: payload[$0..<$0 + 4].number(.big))
    }
    guard let count = words.first, Int(count) < words.count else {
      leaveOut(box, place, "its times cannot be read")
      return nil
    }
    let kept = moved(words[1...].prefix(Int(count)))
    let isFilled = words.count > Int(count) + 1
    let all =
      [UInt32(kept.count)] + kept
      + [UInt32](repeating: 0, count: isFilled ? max(0, words.count - 1 - kept.count) : 0)
    return ISORawBox("HMMT", payload: all.flatMap { $0.bytes(.big) })
  }

  /// Times in milliseconds from the beginning, as far as they are in the cut.
  private func moved(_ times: some Sequence<UInt32>) -> [UInt32] {
    var kept: [UInt32] = []
    var offset = MediaDuration.zero
    for part in plan.parts {
      for word in times {
        let time = MediaTime(Int64(word), 1000)
        guard time >= part.range.start, time < part.range.end,
          let late = try? time.distance(from: part.start).adding(offset),
          let moved = try? late.seconds.multiplied(by: Rational(1000, 1)).rounded(.nearest)
        else { continue }
        kept.append(UInt32(clamping: max(0, moved)))
      }
      offset = (try? offset.adding(part.length)) ?? offset
    }
    return kept
  }

  /// GoPro's settings of the camera, among which there may be highlights.
  private mutating func settings(_ box: ISORawBox, _ place: String) -> ISORawBox? {
    guard let revised = GoProSettings(Array(box.payload)).revised({ moved($0) }) else {
      leaveOut(box, place, "its highlights cannot be found")
      return nil
    }
    if revised.removed > 0 {
      leftOut.append(
        LeftOut(
          type: "HLMT", place: place + "/GPMF", count: revised.removed,
          reason: "it lists highlights of the whole recording"))
    }
    return ISORawBox(box.type, payload: revised.bytes)
  }

  // MARK: Documents

  /// Names of elements that state times or counts of the whole file, in documents of other kinds
  /// than those that are rewritten.
  private static let statements: Set = [
    "Duration", "duration", "StartTimecode", "startTimecode", "EndTimecode", "LtcChangeTable",
    "LtcChange",
  ]

  private mutating func document(_ box: ISORawBox, _ place: String) -> ISORawBox? {
    let bytes = Array(box.payload)
    let start =
      [Array("<?xml".utf8), Array("<?xpacket".utf8), Array("<x:xmpmeta".utf8)]
      .compactMap { bytes.firstRange(of: $0)?.lowerBound }.min()
    guard let start else { return box }
    // In `meta`, the document is in a box of its own (ISO 14496-12, 8.11.2).
    var end = bytes.count
    var size: Int?
    if let name = [8, 4].map({ start - $0 }).first(where: { place in
      place >= 4 && Array(bytes[place..<place + 4]) == Array("xml ".utf8)
    }), box.type == "meta" {
      size = name - 4
      let stated = Int(clamping: bytes[(name - 4)..<name].number(.big))
      guard stated >= start - (name - 4), stated <= bytes.count - (name - 4) else {
        leaveOut(box, place, "its document cannot be read")
        return nil
      }
      end = name - 4 + stated
    }
    guard let text = MarkupText(bytes[start..<end]) else {
      leaveOut(box, place, "its document cannot be read")
      return nil
    }
    let names = Set(text.tags.map(\.name))
    guard !names.isDisjoint(with: Self.statements.union(Self.ofXMP)) else { return box }
    var revised: [UInt8]?
    if names.contains("NonRealTimeMeta") {
      let meta = frames.map { NonRealTimeMeta(frames: $0, lateness: lateness) }
      revised = meta?.revised(text)
      if revised != nil { creation = meta?.creation(text) }
    } else if names.contains("RDF") {
      revised = metadata(text, place)
    }
    guard let revised, size != nil || end == bytes.count else {
      leaveOut(box, place, "it describes the whole source")
      return nil
    }
    var payload = Array(bytes[..<start])
    payload += revised
    payload += bytes[end...]
    if let size {
      let stated = UInt32(clamping: start - size + revised.count)
      payload.replaceSubrange(size..<size + 4, with: stated.bytes(.big))
    }
    return ISORawBox(box.type, payload: payload)
  }

  /// Of Adobe's Dynamic Media namespace (XMP Specification, part 2, 1.2.6).
  private static let ofXMP: Set = ["duration", "startTimecode", "altTimecode", "Tracks"]

  private mutating func metadata(_ document: MarkupText, _ place: String) -> [UInt8]? {
    var text = document
    for name in Self.ofXMP.sorted() {
      guard let count = text.removeElements(named: name) else { return nil }
      guard count > 0 else { continue }
      leftOut.append(
        LeftOut(
          type: "xmpDM:" + name, place: place + ", XMP", count: count,
          reason: "it describes the whole source"))
    }
    return text.bytes
  }

  /// The frames of the source that are kept; `nil` where they are not consecutive.
  private var frames: Range<Int64>? {
    guard plan.parts.count == 1, let part = plan.parts.first,
      let track = part.tracks.first(where: { $0.video != nil })?.source,
      let report = plan.tracks.first(where: { $0.index == track })
    else { return nil }
    let coded = source.tracks[track].coded
    let start = coded.packets.lazy.filter { packet in
      guard packet.pts >= coded.visible.lowerBound, let time = try? coded.time(atTick: packet.pts)
      else { return false }
      return time < part.start
    }.count
    let count = report.packets - report.hidden
    return count > 0 ? Int64(start)..<Int64(start) + Int64(count) : nil
  }
}
