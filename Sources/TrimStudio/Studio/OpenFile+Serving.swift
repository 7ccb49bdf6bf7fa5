import ExactTime
import SafeText
import Trimming

extension OpenFile {
  /// Answers a request about this file.
  func serve(
    _ route: Route.FileRoute, _ request: AdmittedRequest, _ exchange: HTTPExchange
  ) async {
    if case .events(let page) = route { return addListener(page, exchange) }
    await exchange.answer { try await response(to: route, request) }
  }

  private func response(
    to route: Route.FileRoute, _ request: AdmittedRequest
  ) async throws -> HTTPResponse {
    switch route {
    case .events, .check, .reading, .look, .addSource: return .nothing
    case .opening: return await HTTPResponse.written(opening)
    case .input: return takeInput(request)
    case .text: return takeText(request)
    case .shown(let shown):
      return try await Self.response(to: shown, of: file.media, file.pictures, request)
    case .makePreview:
      guard let wanted: PreviewWish = try? request.json() else {
        return HTTPResponse(refusing: 400, "This is not a preview request.")
      }
      return HTTPResponse(json: try await makePreview(isWritten: wanted.isWritten ?? false))
    case .find: return try find(request)
    case .endFind:
      search.stop()
      return .nothing
    case .findings: return await HTTPResponse.written(search.list)
    case .importList: return try await importList(request)
    case .exportList: return try await exportList(request)
    case .saveProject:
      return HTTPResponse(json: SavedProject(place: try await file.saveProject(work.project)))
    case .endPreview:
      endPreview()
      return .nothing
    case .preview(let number, let shown):
      guard let preview, preview.number == number else {
        return HTTPResponse(refusing: 404, "This preview was replaced by a newer one.")
      }
      return try await Self.response(
        to: shown, of: preview.result.media, preview.result.pictures, request)
    case .strip(let range, let count, let height):
      let bytes = try await file.pictures.strip(Self.middles(of: range, count), height)
      return HTTPResponse(200, type: "image/jpeg", .bytes(bytes))
    case .levels(let range, let count):
      let levels = try await file.pictures.levels(range, count)
      return HTTPResponse(200, type: "application/octet-stream", .bytes(levels))
    case .folder(let number):
      guard let folders = file.cutting.folders else { throw VideoFailure("There are no folders.") }
      return HTTPResponse(json: try await folders.list(number))
    case .makeFolder:
      guard let folders = file.cutting.folders, let wish: FolderWish = try? request.json() else {
        return HTTPResponse(refusing: 400, "This is not a request for a folder.")
      }
      return HTTPResponse(
        json: StudioNumber(number: try await folders.make(wish.folder, wish.name)))
    case .snapshot(let time): return try await snapshot(time)
    case .soundSegment(let track, let coding, let range):
      return try await Self.response(
        to: .segment(.sound, coding, range), of: file.media, try await file.sounds.open(track),
        request)
    case .soundLevels(let track, let range, let count):
      let levels = try await file.sounds.open(track).levels(range, count)
      return HTTPResponse(200, type: "application/octet-stream", .bytes(levels))
    case .result(let number):
      let results = file.cutting.results()
      guard results.indices.contains(number) else {
        return HTTPResponse(refusing: 404, "There is no such result.")
      }
      let result = results[number]
      var response = try await HTTPResponse(result.media, range: request.range)
      response.fields.append(("Content-Disposition", Disposition.attachment(result.name)))
      return response
    }
  }

  /// The frame on screen at an instant as a PNG file, named after when it begins.
  private func snapshot(_ time: MediaTime) async throws -> HTTPResponse {
    let frames = file.timings.frames
    let start = frames.index(at: time).flatMap { frames.time(at: $0) } ?? time
    let made = try await file.pictures.snapshot(start)
    return HTTPResponse(
      200, type: "image/png", .bytes(made.bytes),
      fields: [("Content-Disposition", Disposition.attachment(made.name))])
  }

  /// Starts decoders before the first pictures are requested, and prepares what a page plays first if few
  /// browsers decode the file.
  func warmUp() async {
    guard file.about.shape != nil else { return }
    _ = try? await file.pictures.still(.zero, 64, 64)
    _ = try? await file.pictures.strip([.zero], 96)
    guard file.about.isSeldomDecoded else { return }
    // The ranges that track.js requests at the beginning.
    if let range = beginning(of: MediaDuration(1, 4)) {
      _ = try? await file.pictures.segment(.video, .made, range)
    }
    if let range = beginning(of: MediaDuration(1)), file.about.hasSound {
      let copied = try? await file.pictures.segment(.sound, .copied, range)
      if copied == nil { _ = try? await file.pictures.segment(.sound, .made, range) }
    }
  }

  private func beginning(of length: MediaDuration) -> MediaTimeRange? {
    let end = MediaTime(seconds: length.seconds)
    return MediaTimeRange(from: .zero, to: min(end, file.video.bounds.end))
  }

  /// The response with media: from the file, or from a previewed result.
  nonisolated static func response(
    to route: Route.Shown, of media: StudioMedia, _ pictures: StudioPictures,
    _ request: AdmittedRequest
  ) async throws -> HTTPResponse {
    switch route {
    case .media:
      return try await HTTPResponse(media, range: request.range)
    case .still(let time, let width, let height):
      let still = try await pictures.still(time, width, height)
      return HTTPResponse(
        200, type: still.type, .bytes(still.bytes),
        fields: [
          ("X-Frame", "\(still.frame)"), ("X-Frame-Start", "\(still.start.seconds)"),
          ("X-Frame-End", "\(still.end.seconds)"),
        ])
    case .segment(let kind, let coding, let range):
      guard let segment = try await pictures.segment(kind, coding, range) else {
        return HTTPResponse(refusing: 406, "It cannot be sent unchanged.")
      }
      guard !segment.bytes.isEmpty else { return .nothing }
      var response = HTTPResponse(
        200, type: segment.type, .bytes(segment.bytes),
        fields: [
          ("X-From", "\(segment.range.start.seconds)"), ("X-To", "\(segment.range.end.seconds)"),
        ])
      if let start = segment.start { response.fields.append(("X-Start", "\(start.seconds)")) }
      return response
    }
  }

  private func takeInput(_ request: AdmittedRequest) -> HTTPResponse {
    guard let input: PageInput = try? request.json(), input.page.utf8.count <= 64,
      case .input(let happened) = input.message.content, happened.isOfPage
    else { return HTTPResponse(refusing: 400, "This is not input from a page.") }
    switch happened {
    case .partDidRename(_, let name) where !ForeignText.isHonest(name),
      .markerDidRename(_, let name) where !ForeignText.isHonest(name):
      return HTTPResponse(refusing: 422, "“\(ForeignText.shown(name))” is not a name.")
    default: break
    }
    take(happened, from: input.page)
    return .nothing
  }

  private func takeText(_ request: AdmittedRequest) -> HTTPResponse {
    guard let typed: PageText = try? request.json(), typed.text.utf8.count <= 1000 else {
      return HTTPResponse(refusing: 400, "This is not text from a page.")
    }
    do {
      try take(typed.text, for: typed.purpose)
      return .nothing
    } catch let failure as VideoFailure {
      return HTTPResponse(refusing: 422, failure.message)
    } catch {
      return HTTPResponse(refusing: 422, "\(error)")
    }
  }

  /// The midpoint of each of `count` equal parts.
  private static func middles(of range: MediaTimeRange, _ count: Int) throws -> [MediaTime] {
    let length = try range.checkedLength()
    return try (0..<count).map { part in
      try range.start.advanced(
        by: length.scaled(by: Rational(checked: Int128(2 * part + 1), over: Int128(2 * count))))
    }
  }
}

extension HTTPExchange {
  /// Answers with the response made, or with the reason for failure.
  @MainActor func answer(_ make: () async throws -> HTTPResponse) async {
    do {
      answer(try await make().safe)
    } catch let busy as StudioBusy {
      answer(busy.response.safe)
    } catch let failure as VideoFailure {
      answer(HTTPResponse(refusing: 422, failure.message).safe)
    } catch {
      answer(HTTPResponse(refusing: 422, "\(error)").safe)
    }
  }
}

extension HTTPResponse {
  /// Encodes a value concurrently: a list of all frames takes long, and others are served
  /// meanwhile.
  @concurrent static func written(_ value: some Encodable & Sendable) async -> HTTPResponse {
    HTTPResponse(json: value)
  }
}

/// The name under which a browser saves a file (RFC 6266).
enum Disposition {
  static func attachment(_ name: String) -> String {
    let plain = String(
      name.unicodeScalars.map { scalar -> Character in
        scalar.isASCII && scalar.value >= 0x20 && !"\"\\/%;".unicodeScalars.contains(scalar)
          ? Character(scalar) : "_"
      })
    let escaped = name.utf8.map { byte -> String in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
    }.joined()
    return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(escaped)"
  }
}
