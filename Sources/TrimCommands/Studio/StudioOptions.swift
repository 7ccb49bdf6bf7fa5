import CommandLineKit
import ExactTime
import MediaEngine
import TrimStudio
import Trimming

/// The parsed options of `trim studio`.
struct StudioOptions: Sendable {
  /// Files and folders.
  var named: [ArgumentText]
  var address: ListenAddress
  /// What browsers call it; `nil` for that address.
  var outer: OuterAddress?
  /// The port; 0 for any free one.
  var port: Int
  var opensBrowser: Bool
  var limit: LengthLimit
  /// Where results go; `nil` for next to each file.
  var outputFolder: [UInt8]?
  /// Where the files of projects are; `nil` for the folder of each.
  var sources: [UInt8]?
  var idleExit: Duration?
  var isFirstRun: Bool
  /// Whether `--max-length` or its variable is set.
  var isLimitGiven: Bool
  /// Whether unfinished work is kept.
  var keepsState: Bool
  /// How long reading a file may take.
  var timeout: Duration?

  static let command = "studio"

  init(_ parsed: ParsedArguments) throws(UsageError) {
    named = parsed.positionals
    guard !named.contains(where: \.isStandardStream) else {
      throw UsageError(
        "Standard input cannot be edited: the file is read in several places.",
        command: Self.command)
    }
    outer = try parsed.last("address").map { (value) throws(UsageError) in
      guard let outer = value.text.flatMap({ OuterAddress($0) }) else {
        throw UsageError(
          "'\(value.shown)' is not what a browser calls a server, for '--address'. Try "
            + "127.0.0.1:8000.", command: Self.command)
      }
      return outer
    }
    let allowsAll = outer != nil
    address =
      try parsed.last("listen").map { (value) throws(UsageError) in
        guard let address = value.text.flatMap({ ListenAddress($0, allowsAll: allowsAll) }) else {
          throw UsageError(
            "'\(value.shown)' is not an address of this machine for '--listen'. Try 192.168.1.20.",
            command: Self.command)
        }
        return address
      } ?? .loopback
    port = try NumberArgument.parse(parsed, "port", in: 0...65_535, command: Self.command) ?? 0
    opensBrowser = !parsed.has("no-open")
    limit = try LengthLimit(parsed, command: Self.command)
    outputFolder = parsed.last("output-folder")?.bytes
    sources = parsed.last("sources")?.bytes
    idleExit = try parsed.last("idle-exit").map { (value) throws(UsageError) in
      try LengthArgument.timeout(value, option: "idle-exit", command: Self.command)
    }
    isFirstRun = parsed.has("first-run")
    isLimitGiven = parsed.isLimitGiven
    keepsState = !parsed.has("no-state") && !isFirstRun
    timeout = try LengthArgument.timeout(parsed, command: Self.command)
  }
}
