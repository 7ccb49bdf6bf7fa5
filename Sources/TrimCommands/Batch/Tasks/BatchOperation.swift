import CommandLineKit

/// An operation for tasks: a command with its command-line options, which have the same meaning and
/// are checked by the same parser.
struct BatchOperation: Sendable {
  /// What a task's member `output` is for.
  enum Output: Sendable {
    /// The operation has none.
    case none
    /// Nothing is written; the file extension selects the container.
    case named
    /// Without an output, the result is in the row.
    case optional
    case required
  }

  /// Which files a task names that are read.
  enum Inputs: Sendable {
    /// `path`.
    case one
    /// `paths`, in their order.
    case several
    /// `path`, and a `list` of what to do with it.
    case oneAndList
  }

  var name: String
  var inputs = Inputs.one
  var output: Output
  /// Whether only headers and tables are read where that is enough.
  var readsHeaders = false
  /// The command that performs it.
  private var command: String
  /// Options of the command that do not apply in a batch, or belong to the batch itself.
  private var leftOut: Set<String>
  /// Arguments that are always added.
  private var flags: [ArgumentText] = []

  private init(
    _ name: String, by command: String? = nil, output: Output, leavingOut: Set<String> = []
  ) {
    self.name = name
    self.output = output
    self.command = command ?? name
    leftOut = leavingOut.union(
      ["output", "json", "jsonl", "timeout"] + RemoteInputs.options.map(\.long))
  }

  /// Members of the task that are options, by their long names.
  func options(in commands: CommandSpec) -> Set<String> {
    Set(commands.subcommand(command)?.options.map(\.long) ?? []).subtracting(leftOut)
  }

  /// Options that may be given more than once, as an array.
  static let repeatable: Set<String> = ["keep", "remove", "keep-cues", "remove-words"]

  /// Parses a task with the command's parser.
  ///
  /// - Parameters:
  ///   - others: further files, as its kind of inputs has them.
  ///   - output: `nil` if the task names none.
  func parsed(
    _ words: [ArgumentText], path: [UInt8], others: [[UInt8]] = [], output: [UInt8]?,
    with commands: CommandSpec
  ) throws(BatchFailure) -> ParsedArguments {
    var line = [ArgumentText(command)] + flags + words
    if let output { line.append(ArgumentText(bytes: Array("--output=".utf8) + output)) }
    if inputs == .oneAndList {
      line += others.map { ArgumentText(bytes: Array("--cuts=".utf8) + $0) }
    }
    line += ["--", ArgumentText(bytes: path)]
    if inputs == .several { line += others.map(ArgumentText.init(bytes:)) }
    do throws(UsageError) {
      let request = try ArgumentParser(root: commands).parse(line)
      if case .run(_, let parsed) = request { return parsed }
    } catch {
      throw BatchFailure(error)
    }
    throw .badTask("the task cannot be understood")
  }
}

extension BatchOperation {
  private static let lists: Set<String> = ["files-from", "from0", "jobs"]
  private static let plans: Set<String> = ["dry-run", "plan", "keep-failed"]
  /// Options of `trim cut` that read another file, or write several, or none.
  private static let others: Set<String> = [
    "cuts", "cuts-are", "ignore-mute", "words", "keep-cues", "remove-words",
    "edge-tolerance", "separate", "type", "sidecars",
  ]

  static let all = [probe, check, plan, cut, cuts, join, find, strip, wave, timeline]

  static let probe = heading("probe")
  static let check = heading("check")

  static let cut = BatchOperation("cut", output: .required, leavingOut: plans.union(others))
  /// `trim cut -n`.
  static let plan: BatchOperation = {
    var plan = BatchOperation(
      "plan", by: "cut", output: .named, leavingOut: plans.union(others).union(["force"]))
    plan.flags = ["--dry-run"]
    return plan
  }()

  /// `trim cut --cuts`, with the list's file in a member of its own.
  static let cuts: BatchOperation = {
    var cuts = BatchOperation(
      "cuts", by: "cut", output: .required,
      leavingOut: plans.union(["cuts", "separate", "type", "sidecars"]))
    cuts.inputs = .oneAndList
    return cuts
  }()

  static let join: BatchOperation = {
    var join = BatchOperation(
      "join", output: .required, leavingOut: plans.union(["camera-files"]))
    join.inputs = .several
    return join
  }()

  static let find = BatchOperation("find", output: .none, leavingOut: ["as", "force"])
  static let strip = BatchOperation("strip", output: .optional)
  static let wave = BatchOperation("wave", output: .optional)
  static let timeline = BatchOperation("timeline", output: .required)

  private static func heading(_ name: String) -> BatchOperation {
    var operation = BatchOperation(name, output: .none, leavingOut: lists)
    operation.readsHeaders = true
    return operation
  }

  static func named(_ name: String) -> BatchOperation? { all.first { $0.name == name } }
}
