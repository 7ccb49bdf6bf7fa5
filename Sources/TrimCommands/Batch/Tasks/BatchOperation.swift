/// What a task can ask for, with the options it takes; they mean what they mean on the command
/// line, and are checked by the same parser.
struct BatchOperation: Sendable, Equatable {
  var name: String
  /// Members of the task that are options, by their long names.
  var options: Set<String>
  var writes: Bool

  static let probe = BatchOperation(
    name: "probe", options: ["depth", "keyframes", "max-length"], writes: false)
  static let cut = BatchOperation(
    name: "cut",
    options: [
      "from", "to", "for", "mode", "strict-range", "verify", "reject-damage", "force", "max-length",
      "min-length",
    ], writes: true)

  static let all = [probe, cut]
}
