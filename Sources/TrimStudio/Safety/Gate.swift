/// A request that the gate has let through: nothing else reaches a route.
package struct AdmittedRequest: Sendable {
  package enum Method: Sendable {
    /// Also `HEAD`, for which the server omits the body.
    case get
    case post
  }

  package let method: Method
  package let path: [String]
  package let query: [String: String]
  package let range: String?
  package let body: [UInt8]
  /// Whether it came with the cookie; without it, only the page itself and the token exchange
  /// answer.
  package let hasCookie: Bool

  fileprivate init(
    method: Method, target: RequestTarget, range: String?, body: [UInt8], hasCookie: Bool
  ) {
    self.method = method
    path = target.path
    query = target.query
    self.range = range
    self.body = body
    self.hasCookie = hasCookie
  }
}

/// The single place where requests are checked, before anything examines what they request.
///
/// Pages of other sites can make a browser send requests here, and can make names they own resolve
/// to 127.0.0.1: `Host`, `Origin` and `Sec-Fetch-Site`, which a page cannot forge, distinguish
/// them.
package struct Gate: Sendable {
  private let keys: StudioKeys
  /// The names as they appear in `Host`.
  private let names: [String]

  package init(
    _ keys: StudioKeys, on address: ListenAddress = .loopback, as outer: OuterAddress? = nil
  ) {
    self.keys = keys
    var names = ["127.0.0.1", "[::1]", "localhost"]
    // No browser should name all addresses.
    let others = [address.isAll ? nil : address.host, outer?.host]
    for name in others { if let name, !names.contains(name) { names.append(name) } }
    self.names = names
  }

  package struct Refusal: Error, Sendable, Equatable {
    package var status: Int
    package var sentence: String

    init(_ status: Int, _ sentence: String) {
      self.status = status
      self.sentence = sentence
    }
  }

  package func admit(_ request: HTTPRequest) throws(Refusal) -> AdmittedRequest {
    guard let target = RequestTarget(request.target) else {
      throw Refusal(400, "This server has no such address.")
    }
    let method = try method(of: request)
    guard let host = request.single("host"), isOwn(host) else {
      throw Refusal(403, "This server answers to \(names.joined(separator: ", ")) only.")
    }
    try checkOrigin(of: request, host: host, target)
    guard request.values("upgrade").isEmpty else {
      throw Refusal(400, "No other protocol is supported.")
    }
    try checkBody(of: request, method)
    let cookies = request.values("cookie")
    let hasCookie = cookies.count == 1 && keys.admits(cookies: cookies[0])
    guard hasCookie || Self.isOpen(method, target) else {
      throw Refusal(401, "Open the address that 'trim studio' printed.")
    }
    return AdmittedRequest(
      method: method, target: target, range: request.single("range"), body: request.body,
      hasCookie: hasCookie)
  }

  /// Whether a target answers without the cookie: the static page, and the token exchange.
  private static func isOpen(_ method: AdmittedRequest.Method, _ target: RequestTarget) -> Bool {
    method == .post ? target.path == ["session"] : StaticPath.isOne(target.path)
  }

  private func method(of request: HTTPRequest) throws(Refusal) -> AdmittedRequest.Method {
    switch request.method {
    case "GET", "HEAD": return .get
    case "POST": return .post
    default: throw Refusal(405, "Only GET, HEAD and POST are answered.")
    }
  }

  /// Accepts any port: a tunnel (ssh -L) has a different one.
  private func isOwn(_ host: String) -> Bool {
    let host = host.lowercased()
    for name in names where host.hasPrefix(name) {
      let rest = host.dropFirst(name.count)
      if rest.isEmpty { return true }
      let digits = rest.dropFirst()
      if rest.first == ":", (1...5).contains(digits.count),
        digits.allSatisfy({ $0.isASCII && $0.isNumber })
      {
        return true
      }
    }
    return false
  }

  private func checkOrigin(
    of request: HTTPRequest, host: String, _ target: RequestTarget
  ) throws(Refusal) {
    let foreign = Refusal(403, "Another site requested this.")
    let origins = request.values("origin")
    guard origins.isEmpty || origins == ["http://\(host)"] else { throw foreign }
    switch request.values("sec-fetch-site") {
    case [], ["same-origin"]: return
    // Typed, or opened by another program; or a link to the page itself, which contains no data.
    case ["none"] where StaticPath.isOne(target.path): return
    case ["cross-site"], ["same-site"]:
      guard target.path.isEmpty, request.method == "GET",
        request.single("sec-fetch-mode") == "navigate",
        request.single("sec-fetch-dest") == "document"
      else { throw foreign }
    default: throw foreign
    }
  }

  /// A form on another site cannot send JSON without a preflight request, which is never allowed.
  private func checkBody(
    of request: HTTPRequest, _ method: AdmittedRequest.Method
  ) throws(Refusal) {
    guard method == .post else {
      guard request.body.isEmpty else { throw Refusal(400, "This request takes no body.") }
      return
    }
    let type = request.single("content-type")?.lowercased().filter { $0 != " " }
    guard type == "application/json" || type == "application/json;charset=utf-8" else {
      throw Refusal(415, "Only JSON is accepted.")
    }
  }
}
