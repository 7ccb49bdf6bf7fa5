/// By what a server tells one version of a file from another (RFC 9110, 8.8); valid for one run only.
struct FileVersion: Sendable, Hashable {
  private var tag: String?
  private var modified: String?

  init(_ head: WireHead) {
    tag = head.value("etag").flatMap { Self.isTag($0) ? $0 : nil }
    modified = head.value("last-modified").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// RFC 9110, 8.8.3.
  private static func isTag(_ text: String) -> Bool {
    let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
    return opaque.count >= 2 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
      && opaque.unicodeScalars.allSatisfy { $0.value >= 0x21 && $0.value != 0x7F }
  }

  var isKnown: Bool { tag != nil || modified != nil }

  /// The value of `If-Range`, which no weak tag can be (RFC 9110, 13.1.5).
  var condition: String? {
    guard let tag else { return modified }
    return tag.hasPrefix("W/") ? nil : tag
  }

  /// What one of them does not state is no difference.
  func isSame(as other: FileVersion) -> Bool {
    if let tag, let another = other.tag { return tag == another }
    if let modified, let another = other.modified { return modified == another }
    return true
  }
}
