/// The version of the tool.
enum Version {
  static let number = "0.2.0"
  /// The form used in every JSON document.
  static let tool = "trim \(number)"
}
