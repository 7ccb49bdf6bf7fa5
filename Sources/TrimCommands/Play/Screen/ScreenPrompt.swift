import CommandLineKit
import ExactTime
import Trimming

/// Text being typed in the message row.
struct ScreenPrompt: Hashable, Sendable {
  enum Purpose: Hashable, Sendable {
    /// A new position of the active handle.
    case time
    /// A new length limit.
    case limit(LengthLimit)
    /// A new name for the part with this identifier.
    case name(id: Int)
    /// A file that a part is added of.
    case addFile
    /// The file of a list that is imported, in place of the parts or after them.
    case importList(adds: Bool)
    /// The file that the parts are exported to as a list.
    case exportList
  }

  enum Reading: Hashable, Sendable {
    case nothing
    case time(MediaTime)
    case limit(LengthLimit)
    case name(String)
    /// A file to read or write.
    case path(String)
    case problem(String)
  }

  var purpose = Purpose.time
  var text = ""
  /// What the text means so far.
  var reading = Reading.nothing

  static let longest = 40
  /// The longest path on Linux, in bytes.
  static let longestPath = 4095

  mutating func insert(_ character: Character, in context: TimelineContext) {
    switch purpose {
    case .time, .limit: guard text.count < Self.longest, character.isASCII else { return }
    case .name:
      guard text.count < Self.longest, !character.isControl else { return }
    case .addFile, .importList, .exportList:
      guard text.utf8.count < Self.longestPath, !character.isControl else { return }
    }
    text.append(character)
    read(in: context)
  }

  mutating func deleteLast(in context: TimelineContext) {
    text = String(text.dropLast())
    read(in: context)
  }

  private mutating func read(in context: TimelineContext) {
    reading = Self.reading(of: text, for: purpose, in: context)
  }

  /// The meaning of a complete text.
  static func reading(
    of text: String, for purpose: Purpose, in context: TimelineContext
  ) -> Reading {
    guard !text.isEmpty else { return .nothing }
    return switch purpose {
    case .time: time(text, context)
    case .limit(let limit): Self.limit(text, limit)
    case .name: .name(text)
    case .addFile, .importList: .path(text)
    case .exportList: path(text)
    }
  }

  private static func path(_ text: String) -> Reading {
    do throws(VideoFailure) {
      return .path(try ListTarget(text).name)
    } catch {
      return .problem(error.message)
    }
  }

  private static func time(_ text: String, _ context: TimelineContext) -> Reading {
    do throws(TimeSyntaxError) {
      let expression = try TimeExpression(parsing: text)
      do throws(TimeResolutionError) {
        return .time(try expression.resolve(in: context))
      } catch {
        return .problem("\(error)")
      }
    } catch {
      return .problem("'\(text)' is not a time. Try 1:05.5, start, end.")
    }
  }

  private static func limit(_ text: String, _ limit: LengthLimit) -> Reading {
    if LengthLimit.isNone(text) { return .limit(LengthLimit(minimum: limit.minimum, maximum: nil)) }
    guard let length = try? MediaDuration(parsing: text), limit.minimum < length else {
      return .problem("'\(text)' is not a length. Try 60.5, 1:30, none.")
    }
    return .limit(LengthLimit(minimum: limit.minimum, maximum: length))
  }
}

extension ScreenPrompt {
  private static func text(_ limit: LengthLimit) -> String {
    limit.maximum.map { "\(DecimalText.shortest($0.seconds)) s" } ?? "none"
  }

  /// The label before the text.
  var label: String {
    switch purpose {
    case .time: "go to: "
    case .limit: "longest: "
    case .name: "name: "
    case .addFile: "add the file: "
    case .importList(let adds): adds ? "add the list: " : "import the list: "
    case .exportList: "export to: "
    }
  }

  /// What the text means, and whether it is invalid; examples if it is empty.
  var meaning: (text: String, isProblem: Bool) {
    switch reading {
    case .nothing:
      switch purpose {
      case .time: ("60.5, 1:00.5, 1815f, -10, k12, #3", false)
      case .limit(let limit):
        ("60.5, 1:30 or none; now \(Self.text(limit))", false)
      case .name: ("then Enter; empty removes the name", false)
      case .addFile: ("b.mp4, or a part of it: b.mp4#t=5,10", false)
      case .importList: ("a file: EDL, chapters, scenes, subtitles", false)
      case .exportList: ("cuts.otio, or cuts.edl as mpv", false)
      }
    case .time(let time): ("= \(DecimalText.clock(time.seconds))   Enter goes there", false)
    case .limit(let limit):
      (
        (limit.maximum.map { "= under \(DecimalText.shortest($0.seconds)) s" } ?? "= no limit")
          + "   Enter sets it", false
      )
    case .name: ("   Enter sets it", false)
    case .path: ("   Enter", false)
    case .problem(let problem): (problem, true)
    }
  }
}

extension Character {
  fileprivate var isControl: Bool {
    unicodeScalars.contains { [.control, .format].contains($0.properties.generalCategory) }
  }
}
