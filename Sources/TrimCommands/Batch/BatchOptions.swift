import CommandLineKit
import ExactTime
import Isolation

/// The parsed options of `trim batch`.
struct BatchOptions: Sendable {
  /// What failed rows mean for the exit status.
  enum Failures: String, Sendable, CaseIterable {
    /// Any failed row makes the status 1.
    case count
    /// Success if every task got a row.
    case ok
    /// The first failed row ends the run.
    case fatal
  }

  /// The tasks; standard input for `-`.
  var list: ArgumentText
  var results: ArgumentText?
  var skipsDone: Bool
  var shard: Shard?
  var failures: Failures
  var jobs: Int
  /// Whether rows are in the order of the tasks.
  var keepsOrder: Bool
  /// The timeout; `nil` to derive it from the size of the source.
  var timeout: Duration?
  var isolation: Isolation
  /// Over which the program that started the batch serves files; empty if it does not.
  var rangeSockets: [Int32]

  static let command = "batch"

  init(_ parsed: ParsedArguments, environment: Environment) throws(UsageError) {
    list = parsed.positionals.first ?? "-"
    results = parsed.last("results")
    skipsDone = parsed.has("skip-done")
    if skipsDone, results == nil {
      throw UsageError(
        "'--skip-done' needs '--results <file>', which lists what is done.", command: Self.command)
    }
    shard = try Self.shard(parsed.last("shard"))
    failures = parsed.last("failures")?.text.flatMap(Failures.init(rawValue:)) ?? .count
    jobs = try FileSelection.jobs(parsed.last("jobs"), command: Self.command)
    keepsOrder = !parsed.has("unordered")
    isolation = try Isolation(parsed, environment: environment, command: Self.command)
    rangeSockets = try Self.sockets(parsed.last("range-sockets"))
    if let value = parsed.last("timeout") {
      timeout = try LengthArgument.timeout(value, option: "timeout", command: Self.command)
    }
  }

  private static func sockets(_ value: ArgumentText?) throws(UsageError) -> [Int32] {
    guard let value else { return [] }
    let words = (value.text ?? "").split(separator: ",", omittingEmptySubsequences: false)
    let numbers = words.compactMap { Int32($0) }
    guard numbers.count == words.count, Set(numbers).count == words.count,
      numbers.allSatisfy({ $0 > 2 })
    else {
      throw UsageError(
        "The value '\(value.shown)' is invalid for '--range-sockets <fds>': numbers of sockets such as "
          + "5,6 are expected.", command: Self.command)
    }
    return numbers
  }

  private static func shard(_ value: ArgumentText?) throws(UsageError) -> Shard? {
    guard let value else { return nil }
    guard let shard = value.text.flatMap({ Shard($0) }) else {
      throw UsageError(
        "The value '\(value.shown)' is invalid for '--shard <i/n>': "
          + "a part from 0/n to (n-1)/n is expected.", command: Self.command)
    }
    return shard
  }
}
