/// An element of an XML document.
struct MarkupElement: Sendable {
  let name: String
  /// Where its start tag begins, counted from 1.
  let line: Int
  let attributes: [(name: String, value: String)]
  var children: [MarkupElement] = []
  /// The text directly in it, joined.
  var text = ""

  subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  /// The children of a name, in order.
  func all(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }

  func first(_ name: String) -> MarkupElement? { children.first { $0.name == name } }

  /// Its text without white space at both ends.
  var value: String {
    func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    guard let start = text.utf8.firstIndex(where: { !isSpace($0) }),
      let end = text.utf8.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(text.utf8[start...end]) ?? ""
  }

  func failure(_ reason: String) -> ListError { ListError(.line(line), "<\(name)>: \(reason)") }
}
