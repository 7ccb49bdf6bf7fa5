import JSON
import MediaEngine

/// The files passed with a request, in descriptor order: an input, an output, and unnamed files for
/// intermediate data.
struct EngineFiles: Sendable, Equatable {
  /// The name by which the work refers to its input; `nil` if it already has it.
  var input: [UInt8]?
  /// The size of the input when it was opened: it may be growing.
  var byteCount: Int64?
  var isStandardInput = false
  var isSeekable = true
  /// Further inputs, where several are joined; their descriptors follow that of the first.
  var others: [Other] = []
  var output: [UInt8]?

  struct Other: Sendable, Equatable {
    var name: [UInt8]
    /// As for the first.
    var byteCount: Int64?
  }
}

extension EngineFiles {
  init(_ input: MediaInput, _ file: InputFile) {
    self.init(input: input.nameBytes, byteCount: file.byteCount)
    if case .standardInput = input {
      isStandardInput = true
      isSeekable = file.isSeekable
    }
  }
}

/// Serialization for another process: hand-written, because it is sent with every file.
extension EngineFiles {
  var value: JSONValue {
    .object([
      "input": Self.value(input), "bytes": .optional(byteCount),
      "is_standard_input": .bool(isStandardInput),
      "is_seekable": .bool(isSeekable), "output": Self.value(output),
      "others": .array(
        others.map { .object(["name": Self.value($0.name), "bytes": .optional($0.byteCount)]) }),
    ])
  }

  init?(_ value: JSONValue) {
    guard case .bool(let isStandardInput)? = value["is_standard_input"],
      case .bool(let isSeekable)? = value["is_seekable"]
    else { return nil }
    self.isStandardInput = isStandardInput
    self.isSeekable = isSeekable
    input = Self.name(value["input"])
    byteCount = value["bytes"]?.exactInteger
    output = Self.name(value["output"])
    if case .array(let values)? = value["others"] {
      others = values.compactMap { value in
        Self.name(value["name"]).map {
          Other(name: $0, byteCount: value["bytes"]?.exactInteger)
        }
      }
    }
  }

  /// Encoded as text where possible, which is compact, otherwise as numbers.
  private static func value(_ name: [UInt8]?) -> JSONValue {
    guard let name else { return .null }
    return String(validating: name, as: UTF8.self).map(JSONValue.string)
      ?? .array(name.map { .integer(Int64($0)) })
  }

  private static func name(_ value: JSONValue?) -> [UInt8]? {
    switch value {
    case .string(let text): Array(text.utf8)
    case .array(let numbers):
      numbers.compactMap { $0.exactInteger.flatMap(UInt8.init(exactly:)) }
    default: nil
    }
  }
}
