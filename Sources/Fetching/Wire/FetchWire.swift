import JSON

/// What is asked of the process that fetches; on the wire, an ``EngineMessage`` without a body.
struct WireRequest: Codable, Sendable {
  var id: Int64
  var address: String
  /// "HOST:PORT:", for a name.
  var name: String?
  var fields: [String]
  /// The most bytes of a range that are wanted, and of a body that is the whole file.
  var bodyLimit: Int64
  var wholeLimit: Int64

  /// The most bytes of any other body: reading them keeps the connection.
  static let otherLimit: Int64 = 16 << 10

  /// The most bytes of the body of an answer that are read.
  func limit(_ head: WireHead) -> Int64 {
    switch head.status {
    case 206: return bodyLimit
    case 200:
      // Of a long file, the front is of use.
      let length = head.value("content-length").flatMap { ContentRange.number($0) } ?? 0
      return length <= wholeLimit ? wholeLimit : min(bodyLimit, wholeLimit)
    default: return Self.otherLimit
    }
  }

  var headLimit: Int64
  var windowBytes: Int64
  var windowMilliseconds: Int64
  var totalMilliseconds: Int64
  /// Whether a connected socket comes with it.
  var hasSocket = false
  /// Whether that socket is used at any rate.
  var isFresh = false
}

/// The head of an answer, with the fields that matter.
struct WireHead: Codable, Sendable {
  var status = 0
  /// Names in lower case; bytes of values as Latin-1, as they may be anything.
  var fields: [[String]] = []

  func value(_ name: String) -> String? { fields.first { $0.first == name && $0.count == 2 }?[1] }
  func values(_ name: String) -> [String] {
    fields.filter { $0.first == name && $0.count == 2 }.map { $0[1] }
  }

  static let names: Set = [
    "content-encoding", "content-length", "content-range", "date", "etag", "last-modified",
    "location", "retry-after",
  ]
}

/// How a transfer ended.
struct WireEnd: Codable, Sendable {
  enum Result: String, Codable, Sendable {
    case done, longer, needsConnection, dropped, stalled, timedOut, headTooLong, noHTTP, tls, failed
  }

  var result: Result
  var isSecondVersion = false
  var text = ""
}

/// What the process says first.
struct WireGreeting: Codable, Sendable {
  /// The layers of its seal (TRIM_LAYER_…).
  var layers: UInt32 = 0
  var process: Int32 = 0
  var library: FetchLibrary?
  /// Why it cannot fetch anything.
  var failure: String?
}
