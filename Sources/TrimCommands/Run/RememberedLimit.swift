import CommandLineKit
import MediaEngine
import Trimming

/// The limit that the user chose on a screen, for the next one: a file in the state directory, which only
/// `edit` and `studio` read.
struct RememberedLimit: Sendable {
  private struct Kept: Codable {
    /// Newer ones are not read.
    var version = 1
    var limit: LengthLimit
  }

  private static let name = "limit"
  private let folder: StateFolder

  /// `nil` where there is no state directory.
  init?(_ environment: Environment) {
    guard let folder = StateFolder(environment: environment.stateVariables) else { return nil }
    self.folder = folder
  }

  /// `nil` if nothing valid is remembered.
  func load() -> LengthLimit? {
    guard let content = folder.read(Self.name), let json = try? JSONReader.read(content),
      let kept = try? json.decoded(as: Kept.self), kept.version == 1,
      kept.limit.maximum.map({ kept.limit.minimum < $0 }) ?? true
    else { return nil }
    return kept.limit
  }

  /// Remembers a limit in place of the earlier one; a failure is not reported.
  func keep(_ limit: LengthLimit) {
    guard limit != .standard else { return folder.remove(Self.name) }
    guard let json = try? JSONValue.encoded(Kept(limit: limit)) else { return }
    try? folder.write(JSONWriter.write(json, .line), to: Self.name)
  }
}

/// The limit of `edit` or `studio`: what a screen starts with, and how it may be changed there.
struct ScreenLimit: Sendable {
  private var initial: LengthLimit
  /// Whether an option or the variable sets it: a screen then only lowers it, and nothing is remembered.
  private(set) var isGiven: Bool
  private var memory: RememberedLimit?

  init(_ limit: LengthLimit, isGiven: Bool, memory: RememberedLimit?) {
    initial = limit
    self.isGiven = isGiven
    self.memory = isGiven ? nil : memory
  }

  /// What the next file starts with.
  var now: LengthLimit { memory?.load() ?? initial }

  /// Remembers what the user chose.
  func keep(_ limit: LengthLimit) { memory?.keep(limit) }

  /// Why it cannot be changed to another; `nil` if it can.
  func refusal(of limit: LengthLimit) -> String? {
    guard isGiven, !limit.isAtMost(initial) else { return nil }
    return "The limit was given at the start: it can only be lowered."
  }
}

extension ParsedArguments {
  /// Whether an option or the variable sets the limit.
  var isLimitGiven: Bool { last("max-length") != nil || last(LengthLimit.variable) != nil }
}
