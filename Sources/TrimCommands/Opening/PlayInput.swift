import CommandLineKit
import ExactTime
import MediaEngine

/// The file argument of `trim play`, with the media fragment that may be part of it.
struct PlayInput: Sendable {
  var input: MediaInput
  var part: PartExpression
  /// The name, safe to display.
  var location: String

  init(_ options: PlayOptions, asciiOnly: Bool) throws(UsageError) {
    try self.init(
      options.file, part: options.part, command: PlayOptions.command, asciiOnly: asciiOnly)
  }

  /// - Parameter asciiOnly: for terminals without UTF-8.
  init(
    _ file: ArgumentText, part: PartExpression, command: String, asciiOnly: Bool
  ) throws(UsageError) {
    let (path, fragment) = try PartExpression.split(file, command: command)
    if fragment != nil, part != PartExpression() { throw Self.givenTwice(command) }
    self.part = fragment ?? part
    input = file.isStandardStream ? .standardInput : .file(path: path)
    location = ForeignText.shown(path, asciiOnly: asciiOnly)
  }

  /// A file that was found, whose name is not split.
  init(path: [UInt8]) {
    input = .file(path: path)
    part = PartExpression()
    location = ForeignText.shown(path)
  }

  static func givenTwice(_ command: String) -> UsageError {
    UsageError("The part is given twice: after the '#' and by options.", command: command)
  }
}
