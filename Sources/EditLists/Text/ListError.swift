/// Why a list cannot be read or written, and where.
public struct ListError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place in a list.
  public enum Place: Hashable, Sendable {
    /// The whole list.
    case list
    /// A line of its text, counted from 1.
    case line(Int)
    /// A value of its JSON, such as `$.segments[3].start`.
    case path(String)
    /// An entry of an ``EditList``, such as `parts[3]`.
    case entry(String)
  }

  /// Where it is.
  public let place: Place
  /// What is wrong there, as a sentence without capital and period.
  public let reason: String

  /// That times need more than 64 bits.
  public static let outOfRange = ListError(.list, "its times are out of range")

  init(_ place: Place, _ reason: String) {
    self.place = place
    self.reason = reason
  }

  /// One sentence without its period.
  public var description: String {
    switch place {
    case .list: reason
    case .line(let number): "line \(number): \(reason)"
    case .entry(let name), .path(let name): "\(name): \(reason)"
    }
  }
}
