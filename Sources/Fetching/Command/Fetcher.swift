import Dispatch
package import JSON
import SafeText
import Synchronization

/// Opens addresses: it starts the process that fetches with the first of them, and keeps it for the run.
///
/// Everything that decides is here, in the command: names, which addresses may be reached, redirects,
/// repetitions, and what an answer means. The process only talks to servers.
package final class Fetcher: Sendable {
  let limits: FetchLimits
  let isInterrupted: @Sendable () -> Bool
  private let connector: Connector
  private let isolation: FetcherIsolation
  private let fields: HeaderFields?
  private let state: Mutex<State>
  private let slots: Slots

  private struct State {
    var link: FetcherLink?
    /// The server that gets the user's fields.
    var bound: RemoteAddress.Origin?
    var cost = FetchCost()
    /// Servers that speak HTTP/1.1 only, where each request in flight needs a connection of its own.
    var simple: Set<RemoteAddress.Origin> = []
  }

  /// How many of them are remembered.
  private static let mostSimple = 1000

  /// - Parameters:
  ///   - fields: of the user; they are sent to one server only.
  ///   - isInterrupted: called often while something is fetched, on any thread.
  package init(
    policy: AddressPolicy, fields: HeaderFields? = nil,
    isolation: FetcherIsolation = .sealed(isRequired: false), limits: FetchLimits = FetchLimits(),
    resolver: NameResolver = .system, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    self.limits = limits
    self.isInterrupted = isInterrupted
    self.isolation = isolation
    self.fields = fields
    connector = Connector(
      policy: policy, resolver: resolver, limits: limits, isInterrupted: isInterrupted)
    state = Mutex(State(bound: fields?.origin))
    slots = Slots(limits.requests)
  }

  deinit { state.withLock { $0.link }?.end() }

  /// What the whole run cost so far.
  package var cost: FetchCost { state.withLock { $0.cost } }

  /// Opens a file with a first request for its front; blocking.
  ///
  /// - Parameters:
  ///   - firstBytes: how much of the front is asked for.
  ///   - first: the server that gets the user's fields where they name none; by default that of the first
  ///     address that is opened.
  ///   - spend: receives what each request cost, also those of an opening that fails; on any thread.
  package func open(
    _ address: RemoteAddress, firstBytes: Int = 512 << 10,
    bindingTo first: RemoteAddress.Origin? = nil,
    spend: @escaping @Sendable (FetchCost) -> Void = { _ in }
  ) throws(FetchFault) -> any RangeSource {
    state.withLock { state in
      if fields != nil, state.bound == nil { state.bound = first ?? address.origin }
    }
    return try ServedFile(address, self, firstBytes: max(1, firstBytes), spend)
  }

  /// Starts the process now, and says which library it has and which layers its seal has.
  package func start() throws(FetchFault) -> (library: FetchLibrary?, layers: UInt32) {
    let greeting = try link().greeting
    return (greeting.library, greeting.layers)
  }

  /// What a request is answered that only tests make.
  package func added(_ name: String) throws(FetchFault) -> JSONValue? { try link().added(name) }

  private func link() throws(FetchFault) -> FetcherLink {
    try state.withLock { state throws(FetchFault) in
      if let link = state.link, link.isAlive { return link }
      let link = try FetcherLink.start(isolation)
      state.link = link
      return link
    }
  }

  /// An answer to one request.
  struct Answer {
    var head: WireHead
    var body: [UInt8]
    var end: WireEnd
    /// Why nothing was sent.
    var fault: FetchFault?
  }

  /// Asks once, without following redirects or asking again.
  ///
  /// - Parameters:
  ///   - credentials: those of the address, for its own server.
  ///   - bodyLimit: the most bytes of a range that are wanted.
  ///   - wholeLimit: the most bytes of an answer without ranges: a file of which more comes is read as far as
  ///     a range.
  ///   - count: receives what it cost.
  func ask(
    _ address: RemoteAddress, _ own: [String], credentials: (RemoteAddress.Origin, [UInt8])?,
    bodyLimit: Int64, wholeLimit: Int64, until end: ContinuousClock.Instant,
    _ count: (FetchCost) -> Void
  ) throws(FetchFault) -> Answer {
    try slots.using(isInterrupted) { () throws(FetchFault) in
      guard ContinuousClock.now < end else {
        throw FetchFault(.timedOut, "it was not fetched in time")
      }
      var request = WireRequest(
        id: 0, address: address.text, name: nil, fields: own, bodyLimit: bodyLimit,
        wholeLimit: wholeLimit,
        headLimit: limits.headBytes, windowBytes: limits.windowBytes,
        windowMilliseconds: max(1, limits.window.milliseconds),
        totalMilliseconds: max(1, ContinuousClock.now.duration(to: end).milliseconds))
      let origin = address.origin
      if NetworkAddress(origin.host) == nil { request.name = "\(origin.host):\(origin.port):" }
      if let fields, origin == state.withLock({ $0.bound }) { request.fields += fields.lines }
      let isAuthorized = request.fields.contains { $0.lowercased().hasPrefix("authorization:") }
      if let credentials, credentials.0 == origin, !isAuthorized {
        // RFC 7617, 2.
        request.fields.append("Authorization: Basic \(Base64.encode(credentials.1))")
      }
      var socket: Int32 = -1
      // A kept connection, or else a new one; again if that ended before it was used.
      for _ in 0..<3 {
        let answer = try send(request, socket, until: end)
        guard answer.end.result == .needsConnection else {
          note(origin, answer)
          count(FetchCost(requests: 1, bytes: Int64(answer.body.count)))
          return answer
        }
        socket = try connector.connect(to: origin, until: end)
        request.isFresh = !origin.isSecure || state.withLock { $0.simple.contains(origin) }
      }
      return Answer(head: WireHead(), body: [], end: WireEnd(result: .dropped))
    }
  }

  private func send(
    _ request: WireRequest, _ socket: Int32, until end: ContinuousClock.Instant
  ) throws(FetchFault) -> Answer {
    let link = try link()
    guard let (id, exchange) = link.send(request, socket: socket) else { throw Self.lost }
    while exchange.isOver.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      if isInterrupted() {
        link.stop(id)
        throw .cancelled
      }
      // The process ends a request in time, unless it was taken over.
      if ContinuousClock.now > end + .seconds(1) {
        link.stop(id)
        throw FetchFault(.timedOut, "it was not fetched in time")
      }
    }
    let state = exchange.state.withLock { $0 }
    guard !state.isLost, let end = state.end else { throw Self.lost }
    return Answer(head: state.head ?? WireHead(), body: state.body, end: end)
  }

  static let lost = FetchFault(.internalError, "the process that fetches has ended unexpectedly")

  /// Which version of HTTP a server speaks is known after its first answer (RFC 7301).
  private func note(_ origin: RemoteAddress.Origin, _ answer: Answer) {
    guard origin.isSecure, answer.end.isWhole, !answer.end.isSecondVersion else { return }
    state.withLock { state in
      if state.simple.count >= Self.mostSimple { state.simple = [] }
      state.simple.insert(origin)
    }
  }

  func note(_ cost: FetchCost) {
    state.withLock { $0.cost = $0.cost + cost }
  }
}

extension Duration {
  /// Rounded down.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1000)
    return overflows ? .max : product + attoseconds / 1_000_000_000_000_000
  }
}
