import CommandLineKit
import ExactTime
import MediaEngine
import Trimming

/// A range that was chosen, for scripts: what `trim edit --print` prints.
struct EditDecision {
  var range: MediaTimeRange
  /// The film, as it was named.
  var path: [UInt8]
  /// What a cut would write.
  var target: [UInt8]
  var verdict: LengthVerdict

  func text(as choice: EditOptions.Choice) -> [UInt8] {
    switch choice {
    case .range: Array("\(from)..\(to)\n".utf8)
    case .command: command
    case .json: JSONWriter.write(json, .line)
    }
  }

  private var from: String { Self.exact(range.start) }
  private var to: String { Self.exact(range.end) }

  /// A line for a POSIX shell, names quoted as they are.
  private var command: [UInt8] {
    Array("trim cut ".utf8) + Self.quoted(path) + Array(" --from \(from) --to \(to) -o ".utf8)
      + Self.quoted(target) + [0x0A]
  }

  private var json: JSONValue {
    .object(
      RecordHead.members(kind: "edit", input: .file(path: path), bytes: nil)
        + JSONValue.members([
          "from": .time(range.start), "to": .time(range.end), "length": .time(range.length),
          "is_video_length_valid": .bool(verdict == .valid),
        ]))
  }

  /// Read back as the same instant.
  private static func exact(_ time: MediaTime) -> String {
    "\(TimeExpression.fromStart(MediaDuration(seconds: time.seconds)))"
  }

  private static func quoted(_ name: [UInt8]) -> [UInt8] {
    let quote = UInt8(ascii: "'")
    // A name that begins with a dash is no option.
    let safe = name.first == UInt8(ascii: "-") ? Array("./".utf8) + name : name
    return [quote] + safe.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] } + [quote]
  }
}
