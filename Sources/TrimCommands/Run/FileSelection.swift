import CommandLineKit
import Glibc
import MediaEngine

/// Which files an invocation processes, and how many at once.
struct FileSelection: Sendable {
  var named: [ArgumentText]
  var list: ArgumentText?
  var separator: UInt8
  var jobs: Int

  /// Whether there is more than one file, or a list: a failure is then a row instead of the end.
  var isSeveral: Bool { named.count > 1 || list != nil }

  init(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    named = parsed.positionals
    list = parsed.last("files-from")
    separator = parsed.has("from0") ? 0 : UInt8(ascii: "\n")
    guard !named.isEmpty || list != nil else {
      throw UsageError("Missing expected argument '<file> ...'.", command: command)
    }
    if parsed.has("from0"), list == nil {
      throw UsageError("'--from0' needs '--files-from <list>'.", command: command)
    }
    let readers = named.filter(\.isStandardStream).count + (list?.isStandardStream == true ? 1 : 0)
    guard readers <= 1 else {
      throw UsageError("Standard input ('-') can be used only once.", command: command)
    }
    jobs = try Self.jobs(parsed.last("jobs"), command: command)
  }

  /// Splits off the ranges of files named with one, `clip.mp4#t=1,3`.
  ///
  /// - Returns: the range of each file; `nil` for the whole file.
  mutating func splitParts(command: String) throws(UsageError) -> [PartExpression?] {
    var parts: [PartExpression?] = []
    for (place, file) in named.enumerated() {
      let (path, part) = try PartExpression.split(file, command: command)
      named[place] = ArgumentText(bytes: path)
      parts.append(part)
    }
    return parts
  }

  func openList() throws(NameReader.Failure) -> NameReader? {
    guard let list else { return nil }
    return try .opening(list, separator: separator)
  }

  func report(_ failure: NameReader.Failure, on console: Console) -> ExitStatus {
    let name = console.shownOnErr(list?.bytes ?? [])
    switch failure {
    case .cannotOpen(let number):
      if let shortage = SystemShortage(number) {
        console.error(
          "the list \(name) cannot be opened: \(shortage.message)", hint: shortage.hint)
        return .temporaryFailure
      }
      console.error("the list \(name) cannot be opened: \(SystemError.text(number))")
      return number == EACCES ? .noPermission : .noInput
    case .cannotRead(let number):
      console.error("the list \(name) cannot be read: \(SystemError.text(number))")
      return number == EISDIR ? .noInput : .ioError
    case .nameTooLong:
      console.error(
        "the list \(name) contains a name longer than \(NameReader.longestName) bytes",
        hint: "Names are separated by newlines, or by NUL bytes with --from0.")
      return .badData
    }
  }

  static let mostJobs = 256

  static func jobs(_ value: ArgumentText?, command: String) throws(UsageError) -> Int {
    guard let value else { return min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), mostJobs) }
    guard let count = value.text.flatMap({ Int($0) }), (1...mostJobs).contains(count) else {
      throw UsageError(
        "The value '\(value.shown)' is invalid for '--jobs <count>': "
          + "a number from 1 to \(mostJobs) is expected.", command: command)
    }
    return count
  }
}
