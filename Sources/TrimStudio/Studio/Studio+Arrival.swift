import ExactTime
import Trimming

extension Studio {
  /// Gives a browser its cookie, and the page its data if available soon: a page that has to wait is admitted
  /// first, as its token is used up.
  func enter(with cookie: String, _ exchange: HTTPExchange) async {
    let known = await first(
      { await self.arrival(nil) },
      { () -> HTTPResponse? in
        try? await Task.sleep(for: self.settings.patience * 2)
        return .nothing
      })
    var response = known.status < 300 ? known : .nothing
    response.fields.append(("Set-Cookie", cookie))
    exchange.answer(response.safe)
  }

  /// The data for an arriving page, as far as available soon.
  func arrival(_ asked: Int?) async -> HTTPResponse {
    var arrival = StudioArrival(files: list, opensFiles: opensFiles)
    guard let id = asked ?? onlyFile else {
      return HTTPResponse(json: arrival)
    }
    guard entries.indices.contains(id) else {
      return HTTPResponse(refusing: 404, "There is no such file.")
    }
    arrival.file = id
    let soonest = await first(
      { .opened(await self.open(id)) }, { await self.look(into: id).map(Soonest.begun) })
    switch soonest {
    case .opened(let file?): arrival.opening = file.opening
    case .opened(nil): return refusal(of: id)
    case .begun(let look):
      arrival.look = MediaTimeRange(from: .zero, to: look.end).map { bounds in
        StudioPreview(
          facts: look.facts, frames: look.frames, bounds: bounds, seams: [],
          media: look.media.type, isWritten: true)
      }
    }
    return await HTTPResponse.written(arrival)
  }

  /// The beginning of a file that takes long to open; `nil` if none can be shown.
  func look(into id: Int) async -> StudioResult? {
    if let known = looks[id] { return await known.value }
    guard isOpening(id) else { return nil }
    let look = Task { [entry = entries[id]] () -> StudioResult? in
      try? await Task.sleep(for: settings.patience)
      guard isOpening(id) else { return nil }
      return try? await entry.look()
    }
    looks[id] = look
    return await look.value
  }

  /// Serves the media of a file's beginning.
  func serve(
    _ shown: Route.Shown, ofLookInto id: Int, _ request: AdmittedRequest, _ exchange: HTTPExchange
  ) async {
    guard let look = await looks[id]?.value else {
      return exchange.answer(
        HTTPResponse(refusing: 404, "All of this file has been read: load the page again.").safe)
    }
    await exchange.answer {
      try await OpenFile.response(to: shown, of: look.media, look.pictures, request)
    }
  }

  /// The whole file or its beginning, whichever is available first.
  private enum Soonest {
    case opened(OpenFile?)
    case begun(StudioResult)
  }

  /// The first of two answers; the other one may be absent.
  private func first<Value>(
    _ one: @escaping @MainActor () async -> Value, _ other: @escaping @MainActor () async -> Value?
  ) async -> Value {
    let first = FirstAnswer<Value>()
    return await withCheckedContinuation { continuation in
      first.continuation = continuation
      Task { first.give(await one()) }
      Task {
        if let answer = await other() { first.give(answer) }
      }
    }
  }
}

/// Keeps the first of several answers.
@MainActor private final class FirstAnswer<Value> {
  var continuation: CheckedContinuation<Value, Never>?

  func give(_ value: sending Value) {
    continuation?.resume(returning: value)
    continuation = nil
  }
}
