import CommandLineKit

/// What was written, for the records of the drawing commands.
enum OutputRecord {
  static func value(_ path: [UInt8], bytes: Int, width: Int, height: Int) -> JSONValue {
    .object(
      members(path, bytes)
        + JSONValue.members(["width": .integer(width), "height": .integer(height)]))
  }

  static func value(_ path: [UInt8], bytes: Int) -> JSONValue { .object(members(path, bytes)) }

  private static func members(_ path: [UInt8], _ bytes: Int) -> [JSONValue.Member] {
    var members = JSONValue.members(["path": .string(String(decoding: path, as: UTF8.self))])
    if !UTF8Units.isValid(path) {
      members += JSONValue.members(["path_b64": .string(Base64.encode(path))])
    }
    return members + JSONValue.members(["bytes": .integer(bytes)])
  }
}
