import ExactTime
import ISOMedia
import MediaFacts
import Trimming

/// The times at which a source was recorded, which are those of its first sample: a part was recorded
/// later by its start.
///
/// The time in a header may as well be that of an export or a download. It is taken for that of the
/// recording if a camera wrote the file, or where another statement confirms it.
struct CaptureTime {
  /// By how much later the first part was recorded.
  let lateness: MediaDuration
  /// The time of the recording with its time zone, as Apple's cameras write it.
  private let date: (text: String, time: CalendarTime)?
  /// The time in the header.
  private let header: (text: String, time: CalendarTime)?
  private let movesHeader: Bool
  private let isCamera: Bool

  private static let dateKey = "com.apple.quicktime.creationdate"
  private static let headerKey = "creation_time"

  init(_ source: any CutSource, _ plan: CutPlan) {
    func tag(_ name: String) -> (text: String, time: CalendarTime)? {
      for tag in source.facts.tags where tag.key.lowercased() == name {
        if let time = CalendarTime(tag.value) { return (tag.value, time) }
      }
      return nil
    }
    date = tag(Self.dateKey)
    header = tag(Self.headerKey)
    let start = try? plan.parts.first?.start.distance(from: .zero)
    lateness = max(.zero, start ?? .zero)
    isCamera = CameraSigns.isCamera(source)
    guard !plan.request.keepsCreationTime, lateness.isPositive else {
      movesHeader = false
      isMoved = false
      return
    }
    isMoved = date != nil || isCamera
    if let date, let header {
      let length = source.facts.durations.presented?.length.seconds ?? .zero
      let late = try? header.time.unixSeconds.subtracting(date.time.unixSeconds)
      let most = try? length.adding(Rational(Self.tolerance))
      movesHeader =
        late.map { late in
          late >= Rational(-Self.tolerance) && most.map { late <= $0 } ?? false
        } ?? false
    } else {
      movesHeader = isCamera
    }
  }

  /// Whether the source states when it was recorded, and this is moved.
  let isMoved: Bool

  /// Seconds by which two statements of one clock may differ.
  private static let tolerance: Int64 = 2

  // MARK: The report

  var statement: CreationTime? {
    if let date {
      return CreationTime(
        field: Self.dateKey, source: date.text, written: moved(Self.dateKey, date.text))
    }
    guard let header else { return nil }
    return CreationTime(
      field: Self.headerKey, source: header.text, written: moved(Self.headerKey, header.text))
  }

  // MARK: Tags

  /// The value of a tag in the output.
  func moved(_ key: String, _ value: String) -> String {
    guard isMoved else { return value }
    let isTime =
      switch key.lowercased() {
      case Self.dateKey: true
      case Self.headerKey: movesHeader
      case "date": date != nil && value == date?.text
      default: false
      }
    guard isTime, let time = CalendarTime(value)?.later(by: lateness) else { return value }
    return "\(time)"
  }

  // MARK: Boxes

  func revise(_ boxes: inout ISOSourceBoxes) {
    guard isMoved else { return }
    // Metadata may state the time of the header as text too.
    for stated in [date, movesHeader ? header : nil] {
      guard let stated, let later = stated.time.later(by: lateness) else { continue }
      let (old, new) = (Array(stated.text.utf8), Array("\(later)".utf8))
      boxes.movie.boxes = boxes.movie.boxes.map { Self.replacing(old, by: new, in: $0) }
      boxes.movie.userData = boxes.movie.userData.map { Self.replacing(old, by: new, in: $0) }
    }
    boxes.movie.userData = boxes.movie.userData.map(day)
    guard movesHeader, let seconds = try? lateness.seconds.rounded(.down) else { return }
    let recorded = boxes.movie.creationTime
    func later(_ time: inout UInt64) {
      // Tracks may have times of their own, or none.
      let isSame = max(time, recorded) - min(time, recorded) <= UInt64(Self.tolerance)
      let (sum, isBeyond) = time.addingReportingOverflow(UInt64(max(0, seconds)))
      if time > 0, isSame, !isBeyond { time = sum }
    }
    for place in boxes.tracks.indices {
      later(&boxes.tracks[place].creationTime)
      later(&boxes.tracks[place].mediaCreationTime)
    }
    later(&boxes.movie.creationTime)
  }

  /// The same text has the same length, so that nothing around it changes.
  private static func replacing(
    _ old: [UInt8], by new: [UInt8], in box: ISORawBox
  ) -> ISORawBox {
    guard box.type == "meta", old.count == new.count else { return box }
    var payload = Array(box.payload)
    var place = 0
    while let found = payload[place...].firstRange(of: old) {
      payload.replaceSubrange(found, with: new)
      place = found.upperBound
    }
    return place == 0 ? box : ISORawBox(box.type, payload: payload)
  }

  /// QuickTime's text of the date, after its length and language; most state no time of day.
  private func day(_ box: ISORawBox) -> ISORawBox {
    guard box.type == "©day", box.payload.count > 4 else { return box }
    let text = String(decoding: box.payload.dropFirst(4), as: UTF8.self)
    guard let later = CalendarTime(text)?.later(by: lateness) else { return box }
    let bytes = Array("\(later)".utf8)
    guard bytes.count == box.payload.count - 4 else { return box }
    return ISORawBox(box.type, payload: box.payload.prefix(4) + bytes)
  }
}

/// What shows that a camera wrote a file.
private enum CameraSigns {
  static func isCamera(_ source: any CutSource) -> Bool {
    // The time of an AVI is when it was digitized (IDIT).
    if source.facts.container.rules.isAVI { return true }
    if source.facts.tags.contains(where: { makes.contains($0.key.lowercased()) }) { return true }
    let names = source.facts.tracks.flatMap(\.tags).filter { $0.key == "handler_name" }
      .map { $0.value.drop { !$0.isLetter } }
    if names.contains(where: { $0.hasPrefix("GoPro") || $0.hasPrefix("DJI") }) { return true }
    guard let native = source.native, let boxes = try? native.readBoxes() else {
      return false
    }
    return boxes.movie.userData.contains { makers.contains($0.type) }
      || boxes.movie.fileBoxes.contains(where: isSony)
      || boxes.tracks.flatMap(\.sampleEntries).contains { recorders.contains($0.format) }
  }

  private static let makes: Set = ["make", "com.apple.quicktime.make"]

  /// Boxes of GoPro, Canon, Nikon and Panasonic in the user data.
  private static let makers: Set<FourCC> = [
    "©mak", "©mod", "FIRM", "LENS", "CAME", "HMMT", "GPMF", "CNTH", "NCDT", "PANA",
  ]

  /// Readings of GoPro's, DJI's, Google's and Sony's cameras.
  private static let recorders: Set<FourCC> = ["gpmd", "djmd", "dbgi", "camm", "rtmd"]

  /// The document NonRealTimeMeta, and the profile of XAVC.
  private static func isSony(_ box: ISORawBox) -> Bool {
    switch box.type {
    case "meta": box.payload.prefix(64).firstRange(of: Array("nrtm".utf8)) != nil
    case "uuid": box.payload.starts(with: Array("PROF".utf8) + [0x21, 0xD2, 0x4F, 0xCE])
    default: false
    }
  }
}
