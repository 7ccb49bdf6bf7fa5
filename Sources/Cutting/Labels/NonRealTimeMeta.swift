import ExactTime
import Trimming

/// Sony's NonRealTimeMeta document of XAVC and XDCAM, whose duration and tables count the frames
/// of the whole clip.
struct NonRealTimeMeta {
  /// The frames of the source that are kept.
  let frames: Range<Int64>
  /// By how much later than the source the part was recorded; `nil` to keep the time as it is.
  var lateness: MediaDuration?

  /// The document of the part; `nil` where it cannot be changed safely.
  func revised(_ document: MarkupText) -> [UInt8]? {
    var text = document
    guard let old = text.tags.first(where: { $0.name == "Duration" }),
      let place = old.attributes["value"]
    else { return nil }
    text.replace(place, with: "\(frames.count)")
    guard reviseTimecodes(&text), moveCounts(&text) else { return nil }
    if let (range, moved) = Self.date(in: text, later: lateness) {
      text.replace(range, with: moved)
    }
    return text.bytes
  }

  // MARK: CreationDate

  /// The creation time that a document states, and that of the part.
  func creation(_ document: MarkupText) -> CreationTime? {
    Self.date(in: document, later: lateness).map {
      CreationTime(field: "CreationDate", source: document.text($0.range), written: $0.moved)
    }
  }

  private static func date(
    in text: MarkupText, later lateness: MediaDuration?
  ) -> (range: Range<Int>, moved: String)? {
    guard let date = text.tags.first(where: { $0.name == "CreationDate" }),
      let range = date.attributes["value"], let time = CalendarTime(text.text(range)),
      let moved = time.later(by: lateness ?? .zero)
    else { return nil }
    return (range, "\(moved)")
  }

  // MARK: LtcChangeTable

  private struct Change {
    var frame: Int64
    var value: String
    var status: String
  }

  /// Timecodes by frame: each applies from its frame on, and counts up if its status says so.
  private func reviseTimecodes(_ text: inout MarkupText) -> Bool {
    guard let table = text.tags.first(where: { $0.name == "LtcChangeTable" }) else { return true }
    guard let content = text.content(table), let perSecond = text.value("tcFps", of: table),
      let rate = Int(perSecond), (1...1000).contains(rate)
    else { return false }
    // With half steps, two frames share a timecode.
    let step: Int64 = text.value("halfStep", of: table) == "true" ? 2 : 1
    var changes: [Change] = []
    for tag in text.tags where tag.name == "LtcChange" && content.contains(tag.range.lowerBound) {
      guard tag.isEmpty, let frame = text.value("frameCount", of: tag).flatMap(Int64.init),
        frame >= 0, let value = text.value("value", of: tag)
      else { return false }
      changes.append(
        Change(frame: frame, value: value, status: text.value("status", of: tag) ?? "increment"))
    }
    func value(at frame: Int64) -> String? {
      guard let change = changes.last(where: { $0.frame <= frame }) else { return nil }
      guard change.status != "still" else { return change.value }
      return Self.advanced(
        change.value, by: frame / step - change.frame / step, perSecond: rate)
    }
    guard let last = frames.last, let first = value(at: frames.lowerBound),
      let end = value(at: last),
      let state = changes.last(where: { $0.frame <= frames.lowerBound })
    else { return false }
    var kept = [
      Change(frame: 0, value: first, status: state.status == "end" ? "increment" : state.status)
    ]
    for change in changes where change.frame > frames.lowerBound && change.frame < last {
      kept.append(
        Change(
          frame: change.frame - frames.lowerBound, value: change.value, status: change.status))
    }
    if last > frames.lowerBound {
      kept.append(Change(frame: last - frames.lowerBound, value: end, status: "end"))
    }
    let rows = kept.map {
      "<LtcChange frameCount=\"\($0.frame)\" value=\"\($0.value)\" status=\"\($0.status)\"/>"
    }
    text.replace(content, with: rows.joined())
    return true
  }

  /// A timecode stored as in SMPTE ST 12-1, 8: frames, seconds, minutes and hours in two digits
  /// each, with flags in the upper bits, which stay.
  static func advanced(_ value: String, by frames: Int64, perSecond: Int) -> String? {
    guard value.utf8.count == 8, let stored = UInt32(value, radix: 16) else { return nil }
    let masks: [UInt32] = [0x3F, 0x7F, 0x7F, 0x3F]
    let fields = masks.enumerated().map { place, mask in
      let field = stored >> UInt32(24 - 8 * place) & mask
      return Int(field >> 4) * 10 + Int(field & 15)
    }
    let isDropFrame = stored & 0x4000_0000 != 0
    let exact = Rational(Int64(perSecond), 1)
    guard
      let rate = try? TimecodeRate(
        framesPerSecond: isDropFrame ? Rational(Int64(perSecond) * 1000, 1001) : exact,
        isDropFrame: isDropFrame),
      let label = try? TimecodeLabel(
        hours: fields[3], minutes: fields[2], seconds: fields[1], frames: fields[0],
        isDropFrame: isDropFrame),
      let code = try? Timecode(label, rate: rate)
    else { return nil }
    let moved = code.advanced(byFrames: frames).label
    var result: UInt32 = 0
    for (place, field) in [moved.frames, moved.seconds, moved.minutes, moved.hours].enumerated() {
      let flags = stored >> UInt32(24 - 8 * place) & 0xFF & ~masks[place]
      let digits = UInt32(field / 10) << 4 | UInt32(field % 10)
      result = result << 8 | flags | digits
    }
    let digits = String(result, radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  // MARK: Other counts of frames

  private static let mostFilled = 100

  /// Marks and events are at a frame; those that begin something apply until the next one.
  private func moveCounts(_ text: inout MarkupText) -> Bool {
    var edits: [(range: Range<Int>, text: String)] = []
    /// What begins again before the range, by the name and key of its elements.
    var replaced: Set<[String?]> = []
    var filled = 0
    for tag in text.tags.reversed() where tag.name != "LtcChange" {
      guard let range = tag.attributes["frameCount"] else { continue }
      guard let frame = Int64(text.text(range)) else { return false }
      let status = text.value("status", of: tag)
      let key = [tag.name, text.value("key", of: tag)]
      var moved: Int64? = frames.contains(frame) ? frame - frames.lowerBound : nil
      if frame < frames.lowerBound, status == "start", !replaced.contains(key) {
        moved = 0
      } else if frame >= frames.upperBound, status == "end" {
        moved = Int64(frames.count) - 1
      }
      if frame <= frames.lowerBound { replaced.insert(key) }
      if let moved {
        edits.append((range, "\(moved)"))
      } else {
        // Elements with content, which may be nested, are rare.
        if !tag.isEmpty { filled += 1 }
        guard filled <= Self.mostFilled, let element = text.element(tag) else { return false }
        edits.append((element, ""))
      }
    }
    text.replace(edits.reversed())
    return true
  }
}
