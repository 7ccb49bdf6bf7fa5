import CommandLineKit
import Detection

/// One task, as a line of the input describes it.
///
/// A line is a JSON object, or the bare path of a file to probe.
struct BatchTask: Sendable {
  /// Its line number in the input, from 1.
  var line: Int
  /// The identifier as given; `null` if there is none.
  var id: JSONValue = .null
  var operation: String?
  /// The requested operation; `nil` if unknown, or if it is a test operation.
  var known: BatchOperation?
  var path: [UInt8]?
  /// Further files that are read, as the operation has them.
  var others: [[UInt8]] = []
  var output: [UInt8]?
  /// Its options as command-line arguments.
  var words: [ArgumentText] = []
  /// Why it cannot be performed.
  var failure: BatchFailure?

  static let longestLine = 1 << 20

  init(line number: Int, failure: BatchFailure) {
    line = number
    self.failure = failure
  }

  /// - Parameters:
  ///   - commands: the commands whose options a task may have.
  ///   - hooks: additional operations for tests.
  init(
    line number: Int, bytes: [UInt8], commands: CommandSpec, hooks: Set<String> = []
  ) {
    line = number
    guard let first = bytes.first(where: { $0 != 0x20 && $0 != 0x09 }),
      [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains(first)
    else {
      operation = BatchOperation.probe.name
      known = .probe
      path = bytes
      return
    }
    do throws(JSONReader.Failure) {
      let value = try JSONReader.read(bytes)
      do throws(BatchFailure) {
        try read(value, commands, hooks)
      } catch {
        failure = error
      }
    } catch {
      failure = BatchFailure(
        code: "badJSON", status: .usage, "the line is not JSON: \(error)",
        hint: "A task is one JSON object on one line; a name that is not UTF-8 goes into path_b64.")
    }
  }

  private mutating func read(
    _ value: JSONValue, _ commands: CommandSpec, _ hooks: Set<String>
  ) throws(BatchFailure) {
    guard case .object(let members) = value else { throw .badTask("the line is not a JSON object") }
    id = try Self.identifier(value["id"])
    guard let name = value["op"]?.text else {
      throw .badTask("the member 'op' is missing: it says what to do")
    }
    operation = name
    known = hooks.contains(name) ? nil : BatchOperation.named(name)
    try readInputs(of: value)
    output = try Self.name("output", in: value)
    if hooks.contains(name) { return }
    guard let known else {
      let names = BatchOperation.all.map { "'\($0.name)'" }.joined(separator: ", ")
      throw .badTask("the op '\(name)' is not known", hint: "The known ops are \(names).")
    }
    switch known.output {
    case .required where output == nil: throw .badTask("the member 'output' is missing")
    case .none where output != nil: throw .badTask("the op '\(name)' writes no output")
    case _ where output == [UInt8(ascii: "-")]:
      throw .badTask(
        "a batch writes files, and its rows take standard output",
        hint: "Name a file; one that is called - is ./-")
    default: break
    }
    let options = known.options(in: commands)
    let inputs = Self.inputMembers(of: known.inputs)
    for member in members
    where !Self.ownMembers.contains(member.key) && !inputs.contains(member.key) {
      try add(member, of: known, options)
    }
  }

  private static let ownMembers: Set<String> = ["id", "op", "output", "output_b64"]

  private static func inputMembers(of inputs: BatchOperation.Inputs) -> Set<String> {
    switch inputs {
    case .one: ["path", "path_b64"]
    case .several: ["paths", "paths_b64"]
    case .oneAndList: ["path", "path_b64", "list", "list_b64"]
    }
  }

  /// The files that it reads.
  private mutating func readInputs(of value: JSONValue) throws(BatchFailure) {
    guard known?.inputs == .several else {
      path = try Self.name("path", in: value)
      guard path != nil else { throw .badTask("the member 'path' is missing") }
      guard known?.inputs == .oneAndList else { return }
      guard let list = try Self.name("list", in: value) else {
        throw .badTask("the member 'list' is missing: the file that says what is kept or removed")
      }
      others = [list]
      return
    }
    let isEncoded = value["paths_b64"].map { $0 != .null } ?? false
    let key = isEncoded ? "paths_b64" : "paths"
    guard case .array(let names)? = value[key], !names.isEmpty else {
      throw .badTask("the member 'paths' is missing: an array of the files in their order")
    }
    var paths: [[UInt8]] = []
    for name in names {
      guard let text = name.text, let bytes = isEncoded ? Base64.decode(text) : Array(text.utf8)
      else {
        throw .badTask("the member '\(key)' has something else than names in it")
      }
      paths.append(bytes)
    }
    path = paths[0]
    others = Array(paths.dropFirst())
  }

  private static func identifier(_ value: JSONValue?) throws(BatchFailure) -> JSONValue {
    switch value {
    case nil: return .null
    case .array, .object: throw .badTask("the member 'id' is neither a string nor a number")
    case .some(let value): return value
    }
  }

  /// A file name: text, or Base64 bytes given alongside, which take precedence.
  private static func name(
    _ key: String, in value: JSONValue
  ) throws(BatchFailure) -> [UInt8]? {
    if let encoded = value[key + "_b64"], encoded != .null {
      guard let bytes = encoded.text.flatMap(Base64.decode) else {
        throw .badTask("the member '\(key)_b64' is not Base64")
      }
      return bytes
    }
    guard let plain = value[key], plain != .null else { return nil }
    guard let text = plain.text else { throw .badTask("the member '\(key)' is not a string") }
    return Array(text.utf8)
  }

  private mutating func add(
    _ member: JSONValue.Member, of operation: BatchOperation, _ options: Set<String>
  ) throws(BatchFailure) {
    let option = String(member.key.map { $0 == "_" ? "-" : $0 })
    guard options.contains(option) else {
      let near = EditDistance.nearest(to: option, among: options.sorted())
      throw .badTask(
        "the op '\(operation.name)' has no member '\(member.key)'",
        hint: near.map { "Did you mean '\(String($0.map { $0 == "-" ? "_" : $0 }))'?" })
    }
    guard case .array(let values) = member.value, BatchOperation.repeatable.contains(option)
    else {
      try add(member.value, option, member.key)
      return
    }
    for value in values { try add(value, option, member.key) }
  }

  private mutating func add(
    _ value: JSONValue, _ option: String, _ key: String
  ) throws(BatchFailure) {
    switch value {
    case .null, .bool(false): return
    case .bool(true): words.append(ArgumentText("--\(option)"))
    case .string(let text): words.append(ArgumentText("--\(option)=\(text)"))
    case .integer(let number): words.append(ArgumentText("--\(option)=\(number)"))
    case .number(let text): words.append(ArgumentText("--\(option)=\(text)"))
    case .array, .object: throw .badTask("the member '\(key)' is neither a string nor a number")
    }
  }

  /// The file that it reads: its path, without the range after it (`clip.mp4#t=1,3`) unless a file with the
  /// whole name exists.
  var file: [UInt8]? {
    path.map(Self.file)
  }

  /// The further files, each once, and not the first again.
  var otherFiles: [[UInt8]] {
    guard known?.inputs == .several else { return others }
    return others.map(Self.file).reduce(into: []) { files, file in
      if file != self.file, !files.contains(file) { files.append(file) }
    }
  }

  private static func file(of path: [UInt8]) -> [UInt8] {
    (try? PartExpression.split(ArgumentText(bytes: path), command: "batch").path) ?? path
  }

  /// Whether an existing output is replaced.
  var replaces: Bool { words.contains("--force") }

  /// Whether a probe reads more than headers and tables, according to the task.
  var readsPackets: Bool {
    decodes
      || words.contains { $0.bytes.starts(with: Array("--depth=".utf8)) && $0 != "--depth=header" }
  }

  /// Whether a check looks for what a file must not contain.
  var decodes: Bool {
    words.contains { word in
      ContentGate.kinds.contains { word.bytes.starts(with: Array("--no-\($0.option)=".utf8)) }
    }
  }

  /// The file that it writes; a plan only names one.
  var target: [UInt8]? {
    guard let known else { return output }
    if case .named = known.output { return nil }
    return output
  }
}
