import Synchronization

/// The credentials of a browser: a single-use token, and the cookie it is exchanged for.
package final class StudioKeys: Sendable {
  /// The cookie's name, unique to this instance: browsers do not separate cookies by port.
  package let cookieName: String
  private let cookie: String
  private let token: Mutex<String?>

  package init() {
    cookieName = "trim-studio-\(Self.random(words: 1))"
    cookie = Self.random(words: 4)
    token = Mutex(nil)
  }

  /// Creates a new token; an unused earlier one becomes void.
  package func makeToken() -> String {
    let made = Self.random(words: 4)
    token.withLock { $0 = made }
    return made
  }

  /// The value of `Set-Cookie`; `nil` for any token but the pending one, which is used up.
  package func exchange(_ offered: String) -> String? {
    let isRight = token.withLock { token in
      guard let wanted = token, Self.isSame(wanted, offered) else { return false }
      token = nil
      return true
    }
    guard isRight else { return nil }
    return "\(cookieName)=\(cookie); HttpOnly; SameSite=Strict; Path=/"
  }

  /// Whether a `Cookie` field contains the cookie exactly once.
  package func admits(cookies field: String) -> Bool {
    let values = field.split(separator: ";").compactMap { pair -> Substring? in
      let trimmed = pair.drop { $0 == " " }
      guard trimmed.hasPrefix("\(cookieName)=") else { return nil }
      return trimmed.dropFirst(cookieName.utf8.count + 1)
    }
    guard values.count == 1 else { return false }
    return Self.isSame(cookie, String(values[0]))
  }

  /// Compares in constant time, wherever the texts differ.
  private static func isSame(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func random(words: Int) -> String {
    (0..<words).map { _ in
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
