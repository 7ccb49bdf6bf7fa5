/// A response.
package struct HTTPResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// A range of a file; the server takes over the descriptor and closes it.
    case file(descriptor: Int32, offset: UInt64, size: UInt64)
  }

  package var status: Int
  package var fields: [(name: String, value: String)]
  package var body: Body

  package init(
    _ status: Int, type: String? = nil, _ body: Body = .bytes([]),
    fields: [(name: String, value: String)] = []
  ) {
    self.status = status
    self.body = body
    self.fields = fields
    if let type { self.fields.append(("Content-Type", type)) }
  }

  /// Creates a refusal with a one-sentence message.
  package init(refusing status: Int, _ sentence: String) {
    self.init(
      status, type: "text/plain; charset=utf-8", .bytes(Array("\(sentence)\n".utf8)))
  }

  /// The response, after which the connection is closed.
  package var last: HTTPResponse {
    var response = self
    response.fields.append(("Connection", "close"))
    return response
  }

  package static let nothing = HTTPResponse(204)
}
