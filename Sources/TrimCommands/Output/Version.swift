/// The version of the tool.
enum Version {
  static let number = "0.2.0"
  /// As every JSON document carries it.
  static let tool = "trim \(number)"
}
