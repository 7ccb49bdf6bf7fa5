import ExactTime
import JSON
import Synchronization
package import Trimming

/// The studio: some files, the pages that show them, and the server in between.
@MainActor package final class Studio {
  package struct Settings: Sendable {
    package var address = ListenAddress.loopback
    /// What browsers call it; `nil` for its own address.
    package var outer: OuterAddress?
    /// The port; 0 for any free one.
    package var port: UInt16 = 0
    package var limit = LengthLimit.standard
    /// The time without a page after which it ends by itself; `nil` for never.
    package var idleExit: Duration?
    package var server = HTTPServer.Limits()
    package var rate = RequestRate.Limits()
    /// How long opening a file may take before its beginning is shown.
    package var patience = Duration.milliseconds(200)

    package init() {}
  }

  private enum Place {
    case closed
    case opening([@MainActor (OpenFile?) -> Void])
    case open(OpenFile)
  }

  private(set) var entries: [StudioEntry]
  /// What other files can be opened from; `nil` for nothing.
  private let folders: StudioFolders?
  let settings: Settings
  private let clock: any Clock<Duration>
  private var places: [Place]
  private var glances: [StudioEntry.Glance?]
  /// Files that nobody has opened: only work on another one has parts of them.
  private var companions: Set<Int> = []
  private var failures: [VideoFailure?]
  /// The beginnings of files that take long to open.
  var looks: [Int: Task<StudioResult?, Never>] = [:]
  private var server: HTTPServer?
  private let keys = StudioKeys()
  private var isOver = false
  private var cause = StudioEnd.Cause.quit
  private var idle = Duration.zero

  package init(
    _ entries: [StudioEntry], settings: Settings, folders: StudioFolders? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.entries = entries
    self.folders = folders
    self.settings = settings
    self.clock = clock
    places = entries.map { _ in .closed }
    glances = entries.map { _ in nil }
    failures = entries.map { _ in nil }
  }

  /// Starts the server.
  ///
  /// - Returns: the URL, whose token admits one browser.
  /// - Throws: ``HTTPServer/Failure``.
  package func start() throws(HTTPServer.Failure) -> String {
    let (gate, keys) = (Gate(keys, on: settings.address, as: settings.outer), keys)
    let rate = RequestRate(settings.rate)
    let made = try HTTPServer(on: settings.address, port: settings.port, limits: settings.server) {
      [weak self] request, exchange in
      let studio = self
      Self.receive(request, exchange, gate, keys, rate) { request, route in
        Task { @MainActor in
          guard let studio else { return exchange.answer(HTTPResponse(503).safe) }
          await studio.serve(route, request, exchange)
        }
      }
    }
    server = made
    let host = settings.outer?.host ?? settings.address.host
    let port = settings.outer?.port ?? made.port
    return "http://\(host):\(port)/#\(keys.makeToken())"
  }

  /// The listening port, once started.
  package var port: UInt16 { server?.port ?? 0 }

  /// Serves until a user quits, no page has connected for a while, or `isInterrupted`.
  package func run(until isInterrupted: @Sendable () -> Bool) async {
    let step = Duration.seconds(1)
    var beats = 0
    let glancing = Task { await glance() }
    defer { glancing.cancel() }
    while !isOver, !isInterrupted() {
      // Short steps, so that quitting takes effect immediately.
      for _ in 0..<10 where !isOver && !isInterrupted() {
        try? await clock.sleep(for: step / 10)
      }
      server?.sweep()
      beats += 1
      if beats % 2 == 0 { for file in openFiles { file.beat() } }
      idle = openFiles.contains { $0.isShown || $0.isExporting } ? .zero : idle + step
      if let most = settings.idleExit, idle >= most { (isOver, cause) = (true, .idle) }
    }
    if !isOver { cause = .interrupted }
    let shown = openFiles.filter(\.isShown)
    for file in shown { file.end(cause) }
    // What was sent leaves before the connections close.
    if !shown.isEmpty { try? await Task.sleep(for: .milliseconds(100)) }
    stop()
  }

  package func stop() {
    isOver = true
    for file in openFiles {
      file.keepNow()
      file.close()
    }
    server?.stop()
    server = nil
  }

  private var openFiles: [OpenFile] {
    places.compactMap { if case .open(let file) = $0 { file } else { nil } }
  }

  private func glance() async {
    guard entries.count > 1 else {
      // The file that a page will request: it is open by then.
      guard !entries.isEmpty else { return }
      Task { await look(into: 0) }
      await open(0)?.warmUp()
      return
    }
    for (index, entry) in entries.enumerated() where !Task.isCancelled {
      glances[index] = await entry.glance()
    }
  }

  // MARK: Requests

  /// On the server's thread: refuses requests that are not admitted, and answers those that need no
  /// state.
  private nonisolated static func receive(
    _ request: HTTPRequest, _ exchange: HTTPExchange, _ gate: Gate, _ keys: StudioKeys,
    _ rate: RequestRate, _ serve: (AdmittedRequest, Route) -> Void
  ) {
    let tooMany = "Too many requests at once: try again in a second."
    let admitted: AdmittedRequest
    do throws(Gate.Refusal) {
      admitted = try gate.admit(request)
    } catch {
      let response =
        rate.admits(isOfPage: false)
        ? HTTPResponse(refusing: error.status, error.sentence)
        : HTTPResponse(refusing: 429, tooMany)
      return exchange.answer(response.safe.last)
    }
    if admitted.hasCookie { exchange.admit() }
    guard rate.admits(isOfPage: admitted.hasCookie) else {
      return exchange.answer(HTTPResponse(refusing: 429, tooMany).safe)
    }
    guard let route = Route(admitted) else {
      return exchange.answer(HTTPResponse(refusing: 404, "There is nothing here.").safe)
    }
    switch route {
    case .page(let name):
      exchange.answer((StaticPage.response(name) ?? HTTPResponse(404)).safe)
    case .exchangeToken:
      guard let offer: TokenOffer = try? admitted.json(), let cookie = keys.exchange(offer.token)
      else {
        return exchange.answer(
          HTTPResponse(
            refusing: 401, "This address was already used. 'trim studio' prints a new one."
          ).safe.last)
      }
      exchange.admit()
      serve(admitted, .entered(cookie))
    default: serve(admitted, route)
    }
  }

  private func serve(
    _ route: Route, _ request: AdmittedRequest, _ exchange: HTTPExchange
  ) async {
    switch route {
    case .page, .exchangeToken: break
    case .files: exchange.answer(HTTPResponse(json: list).safe)
    case .entered(let cookie): await enter(with: cookie, exchange)
    case .folder(let number): await exchange.answer { try await self.listing(number) }
    case .openFile: await exchange.answer { try await self.openFile(request) }
    case .arrival(let asked): exchange.answer(await arrival(asked).safe)
    case .quit:
      exchange.answer(HTTPResponse.nothing.safe)
      isOver = true
    case .file(let id, let asked):
      guard entries.indices.contains(id) else {
        return exchange.answer(HTTPResponse(refusing: 404, "There is no such file.").safe)
      }
      switch asked {
      case .reading: return exchange.answer(HTTPResponse(json: entries[id].reading()).safe)
      case .look(let shown): return await serve(shown, ofLookInto: id, request, exchange)
      default: break
      }
      if asked == .addSource {
        return await exchange.answer { try await self.addSource(to: id, request) }
      }
      guard let file = await open(id) else { return exchange.answer(refusal(of: id).safe) }
      await file.serve(asked, request, exchange)
    }
  }

  /// The response for a file that could not be opened.
  func refusal(of id: Int) -> HTTPResponse {
    HTTPResponse(refusing: 422, failure(of: id))
  }

  func failure(of id: Int) -> String { failures[id]?.message ?? "It cannot be opened." }

  func isOpening(_ id: Int) -> Bool {
    if case .opening = places[id] { true } else { false }
  }

  var list: [StudioListed] {
    entries.indices.map { id in
      var listed = StudioListed(id: id, name: entries[id].name, glance: glances[id])
      if case .open(let file) = places[id], file.isUnwritten {
        listed.isUnwritten = true
        listed.isKept = file.keepsWork && !file.work.isHeld
      }
      return listed
    }
  }

  var opensFiles: Bool { folders != nil }

  /// The maximum number of files of one run.
  private static let mostFiles = 2000

  private func listing(_ number: Int?) async throws -> HTTPResponse {
    guard let folders else { throw VideoFailure("This studio opens no other files.") }
    return HTTPResponse(json: try await folders.list(number))
  }

  /// A file that is already one of the studio's keeps its number, and with it the work on it.
  private func openFile(_ request: AdmittedRequest) async throws -> HTTPResponse {
    guard let folders, let wish: FileWish = try? request.json() else {
      return HTTPResponse(refusing: 400, "This is not a request for a file.")
    }
    let number = try await adopt(folders.entry(wish.file))
    companions.remove(number)
    return HTTPResponse(json: StudioNumber(number: number))
  }

  /// The file that a page shows which names none: the only one.
  var onlyFile: Int? {
    let others = entries.indices.filter { !companions.contains($0) }
    return others.count == 1 ? others[0] : nil
  }

  /// The number of a file that work on another one has parts of.
  func accompany(_ entry: StudioEntry) async throws -> Int {
    let count = entries.count
    let number = try await adopt(entry)
    if number >= count { companions.insert(number) }
    return number
  }

  /// The number of a file that becomes one of the studio's.
  ///
  /// - Throws: `VideoFailure` where there are too many.
  func adopt(_ entry: StudioEntry) async throws -> Int {
    let known = entries.firstIndex { $0.identity != nil && $0.identity == entry.identity }
    if let known { return known }
    guard entries.count < Self.mostFiles else {
      throw VideoFailure("Too many files are open: quit, and start the studio again.")
    }
    entries.append(entry)
    places.append(.closed)
    glances.append(nil)
    failures.append(nil)
    let id = entries.count - 1
    Task { glances[id] = await entry.glance() }
    return id
  }

  /// Opens a file, and the others whose parts are in its list.
  func open(_ id: Int) async -> OpenFile? {
    guard let file = await load(id) else { return nil }
    await goOn(file)
    return file
  }

  /// Opens a file once, regardless of the number of requests; a failed attempt is retried.
  func load(_ id: Int) async -> OpenFile? {
    switch places[id] {
    case .open(let file): return file
    case .opening(let others):
      return await withCheckedContinuation { continuation in
        places[id] = .opening(others + [{ continuation.resume(returning: $0) }])
      }
    case .closed:
      places[id] = .opening([])
      var file: OpenFile?
      do {
        file = OpenFile(try await entries[id].open(), number: id, limit: settings.limit)
      } catch {
        failures[id] = error as? VideoFailure ?? VideoFailure("\(error)")
      }
      guard case .opening(let others) = places[id] else { return file }
      places[id] = file.map { .open($0) } ?? .closed
      looks[id] = nil
      for other in others { other(file) }
      return file
    }
  }
}

extension AdmittedRequest {
  /// The body, which must be JSON of this kind and nothing else.
  func json<Value: PageMessage>() throws -> Value {
    let value = try JSONReader.read(body)
    guard case .object(let members) = value,
      members.allSatisfy({ Value.members.contains($0.key) })
    else { throw NotAMessage() }
    return try value.decoded(as: Value.self)
  }

  private struct NotAMessage: Error {}
}

extension HTTPResponse {
  init(json value: some Encodable) {
    guard let json = try? JSONValue.encoded(value) else {
      self.init(500)
      return
    }
    self.init(
      200, type: "application/json; charset=utf-8", .bytes(JSONWriter.write(json, .line)))
  }
}
