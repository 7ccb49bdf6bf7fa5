import CommandLineKit
import MediaEngine

/// The files that come with a request, in the order of their descriptors: an input, an output, and
/// others without a name for what is kept in between.
struct EngineFiles: Sendable, Equatable {
  /// The name that the work knows its input by; `nil` where it has that already.
  var input: [UInt8]?
  var isStandardInput = false
  var isSeekable = true
  var output: [UInt8]?
}

extension EngineFiles {
  init(_ input: MediaInput, _ file: InputFile) {
    self.init(input: input.nameBytes)
    if case .standardInput = input {
      isStandardInput = true
      isSeekable = file.isSeekable
    }
  }
}

/// On the way to another process: written and read by hand, because it comes with every file.
extension EngineFiles {
  var value: JSONValue {
    .object([
      "input": Self.value(input), "is_standard_input": .bool(isStandardInput),
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
    output = Self.name(value["output"])
  }

  /// Text where it is some, which costs little, else numbers.
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
