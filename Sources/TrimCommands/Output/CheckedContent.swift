import CommandLineKit

/// What a check found in a file that it must not contain.
struct CheckedContent: Sendable {
  var status: ExitStatus
  /// In JSON, of each kind.
  var unwanted: JSONValue
  /// In JSON, all that was found.
  var found: JSONValue
  /// For people.
  var sentences: [String]
}
