import ExactTime

extension EditListFormat {
  /// A CMX 3600 list: cuts of one or several reels, in the order of their record times.
  ///
  /// A part's range are its source timecodes as time since 00:00:00:00, so a source whose own timecode
  /// begins elsewhere is shifted by it (``EditList/shifted(by:ofSource:)``). Ends are exclusive: an
  /// event's source and record times have the same length, and the next event begins at the end.
  /// Drop-frame counts at 30000/1001 or, where the source does, at 60000/1001 frames per second; a list
  /// without drop-frame names no rate and takes the source's.
  ///
  /// A source is named by `* FROM CLIP:`, `* FROM FILE:` or `* SOURCE FILE:`, else by its reel, or, where
  /// that is `AX`, by `* FROM CLIP NAME:`. Only cuts are read: dissolves, wipes, keys, `M2`, effects, black, gaps, layers
  /// and sound that is cut elsewhere than its pictures are refused. The title and other comments are
  /// not kept.
  public static let cmx3600 = EditListFormat(
    id: "cmx3600", name: "CMX 3600 EDL", extensions: ["edl"],
    recognises: { text in
      guard let first = text.lines.first(where: { !$0.text.hasPrefix("*") }) else { return false }
      return first.text.hasPrefix("TITLE:") || first.text.hasPrefix("FCM:") || first.isCMXEvent
    },
    reads: { text, context throws(ListError) in
      var reader = CMXReader(context: context)
      for line in text.lines { try reader.read(line) }
      return try reader.list()
    },
    writes: writeCMX)

  private static func writeCMX(_ list: EditList) throws(ListError) -> Written {
    let format = "a CMX 3600 EDL"
    try list.refuse(format, keepsMarkers: false, keeps: true, names: true, severalSources: true)
    guard let rate = list.rate else {
      throw ListError(.list, "\(format) counts frames, and the list has no frame rate")
    }
    guard
      let counting = (try? TimecodeRate(framesPerSecond: rate, isDropFrame: true))
        ?? (try? TimecodeRate(framesPerSecond: rate, isDropFrame: false)),
      counting.labelsPerSecond <= 100
    else { throw ListError(.list, "there is no timecode at \(rate) frames per second") }
    var frames = FrameCounts(rate: rate)
    var text = "TITLE: EDIT LIST\n"
    text += counting.isDropFrame ? "FCM: DROP FRAME\n" : "FCM: NON-DROP FRAME\n"
    // Programs begin at one hour, so that nothing before the first frame is before midnight.
    var record = counting.framesPerDay / 24
    func label(_ frame: Int64) -> String { "\(Timecode(frame: frame, rate: counting))" }
    for (index, part) in list.parts.enumerated() {
      let entry = ListError.Place.entry("parts[\(index)]")
      let range = try frames(part.range, at: entry)
      // Compared by what is left of the day, since a sum could overflow.
      guard range.upperBound < counting.framesPerDay,
        Int64(range.count) < counting.framesPerDay - record
      else {
        throw ListError(entry, "\(format) has no times from 24 hours on")
      }
      let end = record + Int64(range.count)
      let number = "\(index + 1)"
      text += String(repeating: "0", count: max(0, 3 - number.utf8.count)) + number
      text += "  AX       V     C        \(label(range.lowerBound)) \(label(range.upperBound))"
      text += " \(label(record)) \(label(end))\n"
      record = end
      let hint = list.sources.indices.contains(part.source) ? list.sources[part.source].hint : nil
      guard hint != nil || part.name == nil, list.sources.count == 1 || hint != nil else {
        throw ListError(entry, "\(format) needs a name for the source of this part")
      }
      for value in [hint, part.name].compactMap({ $0 })
      where value.isEmpty || value.utf8.contains(where: { $0 < 0x20 })
        || value.utf8.first == 0x20 || value.utf8.last == 0x20
      {
        throw ListError(entry, "\(format) has no names that are empty or begin or end with a space")
      }
      if let name = part.name ?? hint { text += "* FROM CLIP NAME: \(name)\n" }
      if let hint, part.name != nil { text += "* FROM CLIP: \(hint)\n" }
    }
    let kept = [EditList.sourceName, EditList.frameRate]
    return Written(
      text: text, rounded: frames.rounded, leftOut: list.leftOut.filter { !kept.contains($0) })
  }
}

/// One event, with the comments after it.
private struct CMXEvent {
  let line: ListText.Line
  let reel: String
  let hasPictures: Bool
  let hasSound: Bool
  let source: MediaTimeRange
  /// In frames, of the list's rate.
  let record: Range<Int64>
  var clip: String?
  var file: String?

  /// What names the source: `nil` where the list has nothing but `AX`.
  var hint: String? { file ?? (reel == "AX" ? clip : reel) }
  var name: String? { file == nil && reel == "AX" ? nil : clip }
}

private struct CMXReader {
  let context: EditListFormat.Context
  private var isDropFrame = false
  private var rate: TimecodeRate?
  private var events: [CMXEvent] = []

  init(context: EditListFormat.Context) { self.context = context }

  mutating func read(_ line: ListText.Line) throws(ListError) {
    let words = line.words
    guard let first = words.first else { return }
    if line.text.hasPrefix("*") { return try comment(line) }
    switch first {
    case "TITLE:", "AUD": return
    case "FCM:":
      let mode = words.dropFirst().joined(separator: " ")
      guard ["DROP FRAME", "NON-DROP FRAME", "NON DROP FRAME"].contains(mode) else {
        throw line.failure("FCM is neither DROP FRAME nor NON-DROP FRAME")
      }
      isDropFrame = mode == "DROP FRAME"
    case "M2": throw line.failure("M2 changes the speed, which a cut does not do")
    case "SPLIT:": throw line.failure("SPLIT begins sound and pictures at different times")
    default:
      guard first.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw line.failure(
          "'\(ListText.Line.shown(first))' is neither an event nor a comment, which begins with '*'"
        )
      }
      try event(line, words)
    }
  }

  private mutating func comment(_ line: ListText.Line) throws(ListError) {
    let text = line.text.dropFirst().drop { $0 == " " || $0 == "\t" }
    for effect in ["EFFECT NAME", "FREEZE FRAME", "ASC_SOP", "ASC_SAT", "LOC:"]
    where text.hasPrefix(effect) {
      let word = effect == "LOC:" ? "LOC" : effect
      throw line.failure("\(word) is not something a cut can follow")
    }
    guard !events.isEmpty else { return }
    if let name = Self.value(of: "FROM CLIP NAME:", in: text) {
      events[events.count - 1].clip = name
      return
    }
    for key in ["FROM CLIP:", "FROM FILE:", "SOURCE FILE:"] {
      guard let file = Self.value(of: key, in: text) else { continue }
      events[events.count - 1].file = file
    }
  }

  private static func value(of key: String, in text: Substring) -> String? {
    guard text.hasPrefix(key) else { return nil }
    let value = text.utf8.dropFirst(key.utf8.count).drop { $0 == 0x20 || $0 == 0x09 }
    guard let last = value.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
    return String(Substring(value[...last]))
  }

  private mutating func event(_ line: ListText.Line, _ words: [Substring]) throws(ListError) {
    guard words.count >= 8 else {
      throw line.failure("the event has \(words.count) fields instead of 8")
    }
    switch words[3].first {
    case "C" where words[3] == "C": break
    case "D": throw line.failure("it is a dissolve, which a cut does not do")
    case "W": throw line.failure("it is a wipe, which a cut does not do")
    case "K": throw line.failure("it is a key, which a cut does not do")
    default:
      throw line.failure("'\(ListText.Line.shown(words[3]))' is not a cut, which is written C")
    }
    guard words.count == 8 else {
      throw line.failure("the event has \(words.count) fields instead of 8")
    }
    guard words[1] != "BL" else { throw line.failure("BL is black, which no source has") }
    let channels = words[2]
    guard !channels.isEmpty,
      channels.utf8.allSatisfy({ byte in
        "ABVNOE/0123456789".utf8.contains(byte)
      })
    else {
      throw line.failure("'\(ListText.Line.shown(channels))' are no channels such as V, A or B")
    }
    var times: [Int64] = []
    for word in words[4...] { times.append(try frame(word, line)) }
    guard times[0] < times[1], times[2] < times[3] else {
      throw line.failure("its end is not after its start")
    }
    guard times[1] - times[0] == times[3] - times[2] else {
      throw line.failure(
        "\(times[1] - times[0]) frames of the source last \(times[3] - times[2]), which a cut does not do"
      )
    }
    guard let rate = rate?.framesPerSecond,
      let start = try? Rational(times[0]).divided(by: rate),
      let end = try? Rational(times[1]).divided(by: rate)
    else { throw line.failure("its times are out of range") }
    events.append(
      CMXEvent(
        line: line, reel: String(words[1]),
        hasPictures: channels.contains("V") || channels.hasPrefix("B"),
        hasSound: channels.contains("A") || channels.hasPrefix("B"),
        source: try line.range(from: MediaTime(seconds: start), to: MediaTime(seconds: end)),
        record: times[2]..<times[3]))
  }

  /// A timecode's frames since midnight; all of a list's timecodes count at one rate.
  private mutating func frame(_ word: Substring, _ line: ListText.Line) throws(ListError) -> Int64 {
    guard let fields = word.timecodeFields else {
      throw line.failure("'\(ListText.Line.shown(word))' is not a timecode")
    }
    do {
      // Colons in drop-frame are common where FCM says so.
      let label = try TimecodeLabel(
        hours: fields[0], minutes: fields[1], seconds: fields[2], frames: fields[3],
        isDropFrame: isDropFrame || word.utf8.dropLast(2).last != UInt8(ascii: ":"))
      let counting = try rate(of: label, line)
      if let rate, rate != counting {
        throw line.failure("drop-frame and non-drop-frame timecodes are mixed")
      }
      rate = counting
      return try Timecode(label, rate: counting).frameNumber
    } catch let error as ListError {
      throw error
    } catch {
      throw line.failure("\(error)")
    }
  }

  private func rate(
    of label: TimecodeLabel, _ line: ListText.Line
  ) throws(ListError) -> TimecodeRate {
    if label.isDropFrame {
      for rate in [context.rate, Rational(30000, 1001)] {
        guard let rate,
          let counting = try? TimecodeRate(framesPerSecond: rate, isDropFrame: true)
        else { continue }
        return counting
      }
    }
    guard let rate = context.rate else {
      throw line.failure("it counts frames, and the source's frame rate is not known")
    }
    do {
      return try TimecodeRate(framesPerSecond: rate, isDropFrame: false)
    } catch {
      throw line.failure("\(error)")
    }
  }

  /// The list of all events, in record order.
  func list() throws(ListError) -> EditList {
    guard !events.isEmpty else { throw ListError(.list, "it has no events") }
    let pictures = events.filter(\.hasPictures)
    // Where all is sound, sound is what the list cuts.
    let leading = pictures.isEmpty ? events : pictures
    var list = EditList(sources: [], rate: rate?.framesPerSecond)
    var known: [String?: Int] = [:]
    var byRecord: [Int64: CMXEvent] = [:]
    var last: CMXEvent?
    let ordered = leading.enumerated().sorted {
      ($0.element.record.lowerBound, $0.offset) < ($1.element.record.lowerBound, $1.offset)
    }
    for (_, event) in ordered {
      if let last {
        // The sound of several tracks may be one event each.
        if pictures.isEmpty, last.record == event.record, last.source == event.source,
          last.hint == event.hint
        {
          continue
        }
        guard event.record.lowerBound >= last.record.upperBound else {
          throw event.line.failure("it overlaps line \(last.line.number) in the record")
        }
        guard event.record.lowerBound == last.record.upperBound else {
          throw event.line.failure(
            "a gap is between it and line \(last.line.number) in the record, which no source fills")
        }
      }
      last = event
      byRecord[event.record.lowerBound] = event
      if known[event.hint] == nil {
        known[event.hint] = list.sources.count
        list.sources.append(EditList.Source(hint: event.hint))
      }
      list.parts.append(
        EditList.Part(event.source, source: known[event.hint] ?? 0, name: event.name))
    }
    let heard = Set(events.filter(\.hasSound).map(\.record.lowerBound))
    guard !pictures.isEmpty, !heard.isEmpty else { return list }
    for event in pictures where !heard.contains(event.record.lowerBound) {
      throw event.line.failure("it has no sound, and other events have")
    }
    for event in events where !event.hasPictures {
      let match = byRecord[event.record.lowerBound]
      guard let match, match.record == event.record, match.source == event.source,
        match.reel == event.reel
      else { throw event.line.failure("its sound is cut elsewhere than its pictures") }
    }
    return list
  }
}

extension ListText.Line {
  /// Whether it is an event: a number, fields, and at the end four of the form of a timecode.
  fileprivate var isCMXEvent: Bool {
    let words = words
    return words.count >= 8 && words[0].utf8.allSatisfy { (0x30...0x39).contains($0) }
      && words.suffix(4).allSatisfy { $0.timecodeFields != nil }
  }
}

extension Substring {
  /// The four numbers of a text of the form of a timecode.
  fileprivate var timecodeFields: [Int]? {
    var fields = [0, 0, 0, 0]
    var count = 0
    for byte in utf8 {
      guard count < 11 else { return nil }
      if count % 3 == 2 {
        guard ":;.".utf8.contains(byte) else { return nil }
      } else {
        guard (0x30...0x39).contains(byte) else { return nil }
        fields[count / 3] = fields[count / 3] * 10 + Int(byte) - 0x30
      }
      count += 1
    }
    return count == 11 ? fields : nil
  }
}
