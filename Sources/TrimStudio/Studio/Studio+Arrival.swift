import ExactTime
import Trimming

extension Studio {
  /// How long a file may take to be opened before its beginning is shown.
  private static let patience = Duration.milliseconds(200)

  /// Tells a page what it is about: as much as is known soon.
  func arrive(_ asked: Int?, _ exchange: HTTPExchange) async {
    var arrival = StudioArrival(files: list)
    guard let id = asked ?? (entries.count == 1 ? 0 : nil) else {
      return exchange.answer(HTTPResponse(json: arrival).safe)
    }
    guard entries.indices.contains(id) else {
      return exchange.answer(HTTPResponse(refusing: 404, "There is no such file.").safe)
    }
    arrival.file = id
    switch await soonest(of: id) {
    case .opened(let file?): arrival.opening = file.opening
    case .opened(nil): return exchange.answer(refusal(of: id).safe)
    case .begun(let look):
      arrival.look = MediaTimeRange(from: .zero, to: look.end).map { bounds in
        StudioPreview(
          facts: look.facts, frames: look.frames, bounds: bounds, seams: [],
          media: look.media.type, isWritten: true)
      }
    }
    await exchange.answer(HTTPResponse.written(arrival).safe)
  }

  /// The beginning of a file that takes long to be opened; `nil` where there is none to be shown.
  func look(into id: Int) async -> StudioResult? {
    if let known = looks[id] { return await known.value }
    guard isOpening(id) else { return nil }
    let look = Task { [entry = entries[id]] () -> StudioResult? in
      try? await Task.sleep(for: Self.patience)
      guard isOpening(id) else { return nil }
      return try? await entry.look()
    }
    looks[id] = look
    return await look.value
  }

  /// Serves what is seen and heard of a beginning.
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

  private enum Soonest {
    case opened(OpenFile?)
    case begun(StudioResult)
  }

  /// All of a file or its beginning, whichever is there first.
  private func soonest(of id: Int) async -> Soonest {
    let first = FirstAnswer<Soonest>()
    return await withCheckedContinuation { continuation in
      first.continuation = continuation
      Task { first.give(.opened(await open(id))) }
      Task {
        if let look = await look(into: id) { first.give(.begun(look)) }
      }
    }
  }
}

/// Takes the first of several answers.
@MainActor private final class FirstAnswer<Value> {
  var continuation: CheckedContinuation<Value, Never>?

  func give(_ value: sending Value) {
    continuation?.resume(returning: value)
    continuation = nil
  }
}
