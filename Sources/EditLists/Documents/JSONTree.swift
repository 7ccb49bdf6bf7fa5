/// A JSON value as it was written: numbers keep their text, members their order.
enum JSONTree: Sendable {
  case null
  case bool(Bool)
  /// As it is spelled, such as `12.50`, `1e3`, or Python's `NaN`.
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([(key: String, value: JSONTree)])

  /// A member of an object that is not `null`.
  subscript(key: String) -> JSONTree? {
    guard case .object(let members) = self,
      let value = members.first(where: { $0.key == key })?.value
    else { return nil }
    if case .null = value { return nil }
    return value
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  var isArray: Bool { if case .array = self { true } else { false } }

  /// What a message calls a value of this kind.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A value of a document, and where it is.
struct JSONNode {
  let tree: JSONTree
  let path: JSONPath
  /// What only JSON5 has, where it is first used.
  let extension5: ListError?

  init(_ tree: JSONTree, path: JSONPath = .root, extension5: ListError? = nil) {
    self.tree = tree
    self.path = path
    self.extension5 = extension5
  }

  func failure(_ reason: String) -> ListError { ListError(.path(path.description), reason) }

  /// A member that is there and not `null`.
  subscript(key: String) -> JSONNode? {
    tree[key].map { JSONNode($0, path: .member(path, key)) }
  }

  /// A member without which the value means nothing.
  func member(_ key: String) throws(ListError) -> JSONNode {
    guard case .object = tree else { throw failure("it is \(tree.kind) instead of an object") }
    guard let node = self[key] else { throw failure("it has no '\(key)'") }
    return node
  }

  /// The elements of an array.
  func elements() throws(ListError) -> [JSONNode] {
    guard case .array(let elements) = tree else {
      throw failure("it is \(tree.kind) instead of an array")
    }
    return elements.enumerated().map { JSONNode($1, path: .element(path, $0)) }
  }

  /// The members of an object that are not `null`.
  func members() throws(ListError) -> [(key: String, value: JSONNode)] {
    guard case .object(let members) = tree else {
      throw failure("it is \(tree.kind) instead of an object")
    }
    return members.compactMap { member in
      if case .null = member.value { return nil }
      return (member.key, JSONNode(member.value, path: .member(path, member.key)))
    }
  }

  func string() throws(ListError) -> String {
    guard case .string(let text) = tree else {
      throw failure("it is \(tree.kind) instead of a string")
    }
    return text
  }

  func bool() throws(ListError) -> Bool {
    guard case .bool(let flag) = tree else {
      throw failure("it is \(tree.kind) instead of true or false")
    }
    return flag
  }
}

/// Where a value is in a document, such as `$.segments[3].start`.
indirect enum JSONPath: Sendable, CustomStringConvertible {
  case root
  case member(JSONPath, String)
  case element(JSONPath, Int)

  var description: String {
    var steps: [String] = []
    var path = self
    while true {
      switch path {
      case .root: return "$" + steps.reversed().joined()
      case .element(let parent, let index):
        steps.append("[\(index)]")
        path = parent
      case .member(let parent, let key):
        steps.append(Self.step(key))
        path = parent
      }
    }
  }

  private static func step(_ key: String) -> String {
    let isPlain =
      !key.isEmpty
      && key.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || byte == 0x5F
      }
    return isPlain ? ".\(key)" : "['\(ListText.Line.shown(key[...]))']"
  }
}
