import JSON
import MediaEngine

extension JSONValue {
  /// What a row says about what was fetched for it; null where its input is no address.
  static func fetched(_ cost: RemoteCost?) -> JSONValue {
    guard let cost else { return .null }
    return .object([
      "requests": .integer(Int64(cost.requests)), "bytes": .integer(cost.bytes),
    ])
  }
}
