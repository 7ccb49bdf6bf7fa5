import CommandLineKit

/// One task, as a line of the input describes it.
///
/// A line is a JSON object, or the bare path of a file to probe.
struct BatchTask: Sendable {
  /// The line of the input it stands on, from 1.
  var line: Int
  /// As it was given; `null` where there is none.
  var id: JSONValue = .null
  var operation: String?
  var path: [UInt8]?
  var output: [UInt8]?
  /// Its options as words of a command line.
  var words: [ArgumentText] = []
  /// Why it cannot be done.
  var failure: BatchFailure?

  static let longestLine = 1 << 20

  init(line number: Int, failure: BatchFailure) {
    line = number
    self.failure = failure
  }

  /// - Parameter hooks: operations of a test besides the usual ones.
  init(line number: Int, bytes: [UInt8], hooks: Set<String> = []) {
    line = number
    guard let first = bytes.first(where: { $0 != 0x20 && $0 != 0x09 }),
      [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains(first)
    else {
      operation = BatchOperation.probe.name
      path = bytes
      return
    }
    do throws(JSONReader.Failure) {
      let value = try JSONReader.read(bytes)
      do throws(BatchFailure) {
        try read(value, hooks: hooks)
      } catch {
        failure = error
      }
    } catch {
      failure = BatchFailure(
        code: "badJSON", status: .usage, "the line is not JSON: \(error)",
        hint: "A task is one JSON object on one line; a name that is not text goes into path_b64.")
    }
  }

  private mutating func read(_ value: JSONValue, hooks: Set<String>) throws(BatchFailure) {
    guard case .object(let members) = value else { throw .badTask("a task is a JSON object") }
    id = try Self.identifier(value["id"])
    guard let name = value["op"]?.text else {
      throw .badTask("the member 'op' is missing: it says what to do")
    }
    operation = name
    path = try Self.name("path", in: value)
    output = try Self.name("output", in: value)
    guard path != nil else { throw .badTask("the member 'path' is missing") }
    if hooks.contains(name) { return }
    guard let known = BatchOperation.all.first(where: { $0.name == name }) else {
      let names = BatchOperation.all.map { "'\($0.name)'" }.joined(separator: ", ")
      throw .badTask("the op '\(name)' is not known", hint: "Known are \(names).")
    }
    if known.writes, output == nil { throw .badTask("the member 'output' is missing") }
    if !known.writes, output != nil { throw .badTask("the op '\(name)' writes no output") }
    for member in members where !Self.ownMembers.contains(member.key) {
      try add(member, of: known)
    }
  }

  private static let ownMembers: Set<String> = [
    "id", "op", "path", "path_b64", "output", "output_b64",
  ]

  private static func identifier(_ value: JSONValue?) throws(BatchFailure) -> JSONValue {
    switch value {
    case nil: return .null
    case .array, .object: throw .badTask("the member 'id' is neither a text nor a number")
    case .some(let value): return value
    }
  }

  /// A file's name: text, or bytes in Base64 beside it, which then count.
  private static func name(
    _ key: String, in value: JSONValue
  ) throws(BatchFailure) -> [UInt8]? {
    if let encoded = value[key + "_b64"], encoded != .null {
      guard let bytes = encoded.text.flatMap(Base64.decode) else {
        throw .badTask("the member '\(key)_b64' is no Base64")
      }
      return bytes
    }
    guard let plain = value[key], plain != .null else { return nil }
    guard let text = plain.text else { throw .badTask("the member '\(key)' is not a text") }
    return Array(text.utf8)
  }

  private mutating func add(
    _ member: JSONValue.Member, of operation: BatchOperation
  ) throws(BatchFailure) {
    let option = String(member.key.map { $0 == "_" ? "-" : $0 })
    guard operation.options.contains(option) else {
      let near = EditDistance.nearest(to: option, among: operation.options.sorted())
      throw .badTask(
        "the op '\(operation.name)' knows no member '\(member.key)'",
        hint: near.map { "Did you mean '\(String($0.map { $0 == "-" ? "_" : $0 }))'?" })
    }
    switch member.value {
    case .null, .bool(false): return
    case .bool(true): words.append(ArgumentText("--\(option)"))
    case .string(let text): words.append(ArgumentText("--\(option)=\(text)"))
    case .integer(let number): words.append(ArgumentText("--\(option)=\(number)"))
    case .number(let text): words.append(ArgumentText("--\(option)=\(text)"))
    case .array, .object:
      throw .badTask("the member '\(member.key)' is neither a text nor a number")
    }
  }

  /// Whether an output that is there already is replaced.
  var replaces: Bool { words.contains("--force") }

  /// Whether a probe looks at more than headers and tables, as far as the task says so.
  var readsPackets: Bool {
    words.contains { $0.bytes.starts(with: Array("--depth=".utf8)) && $0 != "--depth=header" }
  }

  /// What the parser of a command line makes of it.
  func parsed(with commands: CommandSpec) throws(BatchFailure) -> ParsedArguments {
    var words = [ArgumentText(operation ?? "")] + words
    if let output { words.append(ArgumentText(bytes: Array("--output=".utf8) + output)) }
    words += ["--", ArgumentText(bytes: path ?? [])]
    do throws(UsageError) {
      let request = try ArgumentParser(root: commands).parse(words)
      if case .run(_, let parsed) = request { return parsed }
    } catch {
      throw BatchFailure(error)
    }
    throw .badTask("the task cannot be understood")
  }

  /// The folder it writes to; `nil` for none.
  var folder: [UInt8]? {
    guard let output else { return nil }
    guard let slash = output.lastIndex(of: UInt8(ascii: "/")) else { return [UInt8(ascii: ".")] }
    return slash == 0 ? [UInt8(ascii: "/")] : Array(output[..<slash])
  }
}
