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
  var output: [UInt8]?
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
