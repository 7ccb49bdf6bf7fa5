/// A terminal's capabilities according to the environment.
///
/// Pure: the same variables give the same answer.
package struct Capabilities: Hashable, Sendable {
  package let depth: ColorDepth
  /// Whether the locale's encoding is UTF-8; otherwise only ASCII may be written.
  package let isUTF8: Bool
  /// Whether the cursor can be moved, which drawing a screen requires.
  package let isAddressable: Bool

  package init(depth: ColorDepth, isUTF8: Bool, isAddressable: Bool) {
    self.depth = depth
    self.isUTF8 = isUTF8
    self.isAddressable = isAddressable
  }

  /// Reads `TERM`, `COLORTERM`, `NO_COLOR`, `TRIM_NO_COLOR`, `FORCE_COLOR`, `LC_ALL`, `LC_CTYPE`
  /// and `LANG`.
  package init(environment: [String: String]) {
    let term = environment["TERM"] ?? ""
    isAddressable = !["", "dumb", "unknown"].contains(term)
    isUTF8 = Self.isUTF8(environment)
    depth = Self.depth(term: term, environment)
  }

  package var painter: Painter { Painter(depth: depth, isUTF8: isUTF8) }

  private static func isUTF8(_ environment: [String: String]) -> Bool {
    // POSIX: the first one set and not empty decides.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    guard let encoding = locale?.lowercased().split(separator: ".").dropFirst().first else {
      return false
    }
    return ["utf-8", "utf8"].contains(encoding.prefix { $0 != "@" })
  }

  private static func depth(term: String, _ environment: [String: String]) -> ColorDepth {
    func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
    if isSet("NO_COLOR") || isSet("TRIM_NO_COLOR") { return .none }
    let natural = naturalDepth(term: term, colorTerm: environment["COLORTERM"] ?? "")
    return isSet("FORCE_COLOR") ? max(natural, .sixteen) : natural
  }

  private static func naturalDepth(term: String, colorTerm: String) -> ColorDepth {
    if ["", "dumb", "unknown"].contains(term) { return .none }
    if term.hasPrefix("vt") { return .none }
    if ["truecolor", "24bit"].contains(colorTerm) || term.hasSuffix("-direct") {
      return .trueColor
    }
    if term.hasSuffix("-256color") { return .twoHundredFiftySix }
    return .sixteen
  }
}
