import CommandLineKit
import EditLists
import ExactTime
import MediaFacts

/// A list from a file or standard input, and what it leaves out.
struct ListFile: Sendable, Equatable {
  /// How lists are read, where it is for the user to say.
  struct Options: Sendable, Equatable {
    var ignoresMutes: Bool
    var readsWords: Bool

    init(ignoresMutes: Bool = false, readsWords: Bool = false) {
      self.ignoresMutes = ignoresMutes
      self.readsWords = readsWords
    }

    init(_ parsed: ParsedArguments) {
      ignoresMutes = parsed.has("ignore-mute")
      readsWords = parsed.has("words")
    }
  }

  var list: EditList
  /// The format's `id` and its name for people.
  let format: String
  let formatName: String
  /// What the text says and the list does not, each with its place.
  let leftOut: [String]
  /// The rate of the file that the list is for, where the list counts at another.
  let otherRate: Rational?

  /// - Parameters:
  ///   - longest: how many bytes the list may have.
  ///   - facts: those of the file that the list is for, where it is known.
  ///   - sources: those of the files of each source of a list that names several.
  init(
    reading path: ArgumentText, upTo longest: Int, for facts: MediaFacts?,
    sources: [Int: MediaFacts] = [:], _ options: Options
  ) throws(PlanFile.Failure) {
    try self.init(
      PlanFile.bytes(of: path, upTo: longest, kind: "a list"), for: facts, sources: sources,
      options)
  }

  init(
    _ bytes: [UInt8], for facts: MediaFacts?, sources: [Int: MediaFacts] = [:],
    _ options: Options
  ) throws(PlanFile.Failure) {
    let context = EditListFormat.Context(
      rate: facts?.frameRate, end: facts?.presentedEnd, ignoresMutes: options.ignoresMutes,
      readsWords: options.readsWords)
    do throws(ListError) {
      let (found, reading) = try EditListFormat.reading(bytes, context: context)
      list = reading.list
      (format, formatName, leftOut) = (found.id, found.name, reading.leftOut)
      otherRate = facts?.frameRate.flatMap { $0 == reading.list.rate ? nil : $0 }
    } catch {
      throw PlanFile.Failure(message: "\(error)", status: .badData)
    }
    guard format == EditListFormat.cmx3600.id else { return }
    if sources.isEmpty, let facts, let first = SourceTimecode.start(of: facts) {
      list = try list.counted(from: first, isWritten: false)
    }
    for (source, facts) in sources {
      guard let first = SourceTimecode.start(of: facts) else { continue }
      list = try list.counted(from: first, isWritten: false, ofSource: source)
    }
  }
}

extension ListFile {
  /// That the list counts at its own rate, where the file has another.
  var rateNote: String? {
    guard let rate = list.rate, let otherRate else { return nil }
    return "it counts \(rate) frames per second, and the file has \(otherRate)"
  }
}

extension MediaFacts {
  /// The end of what is presented, counted from its start.
  var presentedEnd: MediaTime? {
    durations.presented.map { MediaTime(seconds: $0.length.seconds) }
  }

  /// The stated rate of the first video that is shown.
  var frameRate: Rational? {
    tracks.first { $0.kind == .video && $0.isPresented }?.video?.nominalFrameRate
  }
}

extension EditList {
  /// The list with its times from the file's beginning in place of the file's timecode, or the reverse
  /// where it is to be written.
  ///
  /// - Parameter source: whose parts and markers; `nil` for those of all.
  func counted(
    from first: TimecodeLabel, isWritten: Bool, ofSource source: Int? = nil
  ) throws(PlanFile.Failure) -> EditList {
    guard let rate,
      let counting = try? TimecodeRate(
        framesPerSecond: rate, isDropFrame: first.isDropFrame),
      let start = try? Timecode(first, rate: counting),
      let seconds = try? Rational(start.frames(since: Timecode(frame: 0, rate: counting)))
        .divided(by: rate),
      let distance = isWritten ? seconds : try? Rational.zero.subtracting(seconds)
    else {
      throw PlanFile.Failure(
        message: "it does not count as the file's timecode does, which begins at \(first)",
        status: .badData)
    }
    var list = self
    let length = MediaDuration(seconds: distance)
    do throws(ExactTimeError) {
      for index in list.parts.indices where source == nil || list.parts[index].source == source {
        let range = list.parts[index].range
        list.parts[index].range = try MediaTimeRange(
          from: range.start.advanced(by: length), length: range.checkedLength())
      }
      for index in list.markers.indices
      where source == nil || list.markers[index].source == source {
        list.markers[index].time = try list.markers[index].time.advanced(by: length)
      }
    } catch {
      throw PlanFile.Failure(message: "its times are out of range", status: .badData)
    }
    return list
  }
}
