import Glibc

/// The environment variables of the process, or of a test.
package struct Environment: Sendable {
  private let lookup: @Sendable (String) -> String?

  /// `nil` for a variable that is unset or empty: an empty one counts as unset everywhere.
  package subscript(name: String) -> String? {
    guard let value = lookup(name), !value.isEmpty else { return nil }
    return value
  }

  package static let process = Environment { name in
    getenv(name).map { String(cString: $0) }
  }

  package static func fixed(_ values: [String: String]) -> Environment {
    Environment { values[$0] }
  }

  private init(lookup: @escaping @Sendable (String) -> String?) { self.lookup = lookup }
}
