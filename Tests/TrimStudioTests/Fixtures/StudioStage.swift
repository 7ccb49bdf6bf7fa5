import ExactTime
import Foundation
import Support
import Testing
import Trimming

@testable import TrimStudio

/// A studio with one simulated video, really served; nothing is decoded or cut.
final class StudioStage: Sendable {
  let studio: Studio
  let port: UInt16
  let token: String
  let exports = Recorder<ExportRequest>()

  enum Ending: Sendable {
    case success
    case failure(String)
    /// Until it is cancelled.
    case never
  }

  @MainActor init(
    name: String = "clip.mp4", seconds: Int64 = 10, frames: FrameInstants? = nil,
    ending: Ending = .success,
    limits: HTTPServer.Limits = .init(), rate: RequestRate.Limits = .init(),
    bytes: [UInt8] = Array(repeating: 7, count: 5000), opened: Task<Void, any Error>? = nil,
    beginsWith beginning: Int64? = nil, patience: Duration? = nil, isBusy: Bool = false,
    opensFiles: Bool = false
  ) throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/clip.mp4"
    try Data(bytes).write(to: URL(filePath: path))
    let media = StudioMedia(type: "video/mp4") {
      let descriptor = open(path, O_RDONLY)
      withExtendedLifetime(folder) {}
      return .init(descriptor: descriptor, size: UInt64(bytes.count))
    }
    let recorder = exports
    let entry = StudioEntry(
      name: name,
      open: {
        try await opened?.value
        var file = Self.file(name, seconds, frames, media, Self.export(ending, recorder))
        if isBusy {
          file.pictures.still = { _, _, _ in throw StudioBusy("Too many requests at once.") }
        }
        return file
      },
      look: {
        guard let beginning else { throw VideoFailure("it is short") }
        let file = Self.file(name, beginning, nil, media, Self.export(ending, recorder))
        return StudioResult(
          facts: file.about, frames: file.timings.frames, end: MediaTime(beginning), seams: [],
          media: media, pictures: file.pictures)
      },
      reading: { .init(done: 3, total: 4) },
      glance: { .init(length: "", verdict: "", isValid: true) })
    var settings = Studio.Settings()
    settings.server = limits
    settings.rate = rate
    settings.patience = patience ?? settings.patience
    studio = Studio(
      [entry], settings: settings, folders: opensFiles ? Self.folders(like: entry) : nil)
    let address = try studio.start()
    port = studio.port
    token = String(address.split(separator: "#")[1])
  }

  /// A folder 0 with a file 1, and a file 2 that cannot be opened.
  private static func folders(like entry: StudioEntry) -> StudioFolders {
    StudioFolders(
      list: { number in
        guard number == nil || number == 0 else { throw VideoFailure("there is no folder") }
        return .init(id: 0, name: "/videos", files: [.init(id: 1, name: "other.mp4")])
      },
      entry: { number in
        guard number == 1 else { throw VideoFailure("there is no file") }
        var other = entry
        other.name = "other.mp4"
        other.identity = [1]
        return other
      }, make: { _, _ in throw VideoFailure("nothing is made here") })
  }

  @MainActor func stop() { studio.stop() }

  private static func export(_ ending: Ending, _ recorder: Recorder<ExportRequest>) -> ExportPort {
    .files { request, progress in
      recorder.record(request)
      progress(Rational(1, 2))
      switch ending {
      case .success: return ["/out/clip-trimmed.mp4"]
      case .failure(let message): throw VideoFailure(message)
      case .never:
        while true { try await Task.sleep(for: .seconds(3600)) }
      }
    }
  }

  static func file(
    _ name: String, _ seconds: Int64, _ listed: FrameInstants?, _ media: StudioMedia,
    _ export: ExportPort = .files { _, _ in [] }
  ) -> StudioFile {
    let video = TrimmingVideo(duration: MediaDuration(seconds), location: name)
    let frames =
      listed
      ?? FrameInstants(first: .zero, frameLength: MediaDuration(1, 25), count: Int(seconds) * 25)
    var file = StudioFile(
      video: video,
      timings: VideoTimings(bounds: video.bounds, frames: frames ?? .unknown),
      about: StudioFacts(name: name, summary: "made"), media: media,
      flags: .inMemory(isClaimed: true),
      pictures: StudioPictures(
        still: { time, _, _ in
          .init(bytes: [1, 2, 3], type: "image/jpeg", frame: 5, start: time, end: time)
        },
        strip: { times, _ in [UInt8(times.count)] },
        levels: { _, count in Array(repeating: 9, count: count) },
        segment: { kind, coding, range in
          // Sound cannot be copied and is silent.
          if kind == .sound, coding == .copied { return nil }
          return .init(bytes: kind == .sound ? [] : [7], type: "video/mp4", range: range)
        }),
      words: StudioWords(
        verdict: { "\($0.verdict)" }, notice: { notice, _ in "\(notice)" },
        clock: { "\($0.seconds)" }, timecode: { _ in nil },
        time: { text, _ in
          guard let time = Rational(exactly: text) else { throw VideoFailure("no time: \(text)") }
          return MediaTime(seconds: time)
        },
        limit: { text in
          guard let length = Rational(exactly: text) else { throw VideoFailure("no length") }
          return LengthLimit(maximum: MediaDuration(seconds: length))
        }),
      cutting: StudioCutting(
        outlook: { parts, _ in
          .init(sentence: "all copied", encoded: parts.map(\.range))
        },
        preview: { _, _, _ in throw VideoFailure("there is nothing to preview") },
        endPreview: {}, export: export,
        results: {
          [.init(name: "clip-trimmed.mp4", place: "/out/clip-trimmed.mp4", media: media)]
        },
        settings: { StudioSettings(output: "clip-trimmed.mp4") },
        change: { _ in throw VideoFailure("no name") }))
    file.pictures.snapshot = { time in .init(name: "clip é \(time.seconds).png", bytes: [8, 9]) }
    file.finding = finding
    file.sources.identify = { _ in }
    file.lists = lists
    file.saveProject = { project in
      let count = project.partList?.parts.count ?? 0
      return "/out/\(project.output) with \(count) part\(count == 1 ? "" : "s")"
    }
    let pictures = file.pictures
    file.sounds = StudioAudios(tracks: [.init(id: 2, words: "aac"), .init(id: 3, words: "ac3")]) {
      id in
      guard id == 3 else { throw VideoFailure("There is no such audio track.") }
      var other = pictures
      other.levels = { _, count in Array(repeating: 3, count: count) }
      other.segment = { _, _, range in .init(bytes: [33], type: "video/mp4", range: range) }
      return other
    }
    return file
  }
}

extension StudioStage {
  /// Lists of two numbers a line.
  private static var lists: StudioLists {
    StudioLists(
      formats: [.init(id: "edl", name: "EDL", ending: "edl")],
      read: { bytes, present, adds in
        let parts = try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
          let numbers = line.split(separator: " ").compactMap { Int64($0) }
          guard numbers.count == 2,
            let range = MediaTimeRange(from: MediaTime(numbers[0]), to: MediaTime(numbers[1]))
          else { throw VideoFailure("line 1: no range") }
          return range
        }
        let list = PartList(
          (adds ? present.parts : [])
            + parts.enumerated().map { .init(id: present.nextID + $0, range: $1) }, joins: true)
        guard let list else { throw VideoFailure("there are no parts") }
        return .init(
          list: list, sentence: "read \(bytes.count) bytes", notes: ["left out: nothing"])
      },
      write: { list, format in
        guard format == "edl" else { throw VideoFailure("There is no such format.") }
        let rows = list.parts.map { "\($0.range.start.seconds) \($0.range.end.seconds)" }
        return .init(name: "clip.edl", text: rows.joined(separator: "\n"), notes: [])
      })
  }

  /// Silence is found; a search for still pictures ends only when it is stopped.
  private static var finding: StudioFinding {
    StudioFinding(
      choices: [
        .init(
          kind: .silence,
          thresholds: [.init(id: .silenceLevel, title: "Below (dBFS)", usual: "-40")]),
        .init(kind: .black, refusal: "no video"),
      ],
      work: { wish in
        if let level = wish.thresholds[.silenceLevel], Rational(exactly: level) == nil {
          throw VideoFailure("no level: \(level)")
        }
        return { isCancelled in
          while wish.kinds.contains(.still) {
            if isCancelled() { throw VideoFailure("it was stopped") }
            try await Task.sleep(for: .milliseconds(2))
          }
          guard wish.kinds.contains(.silence) else { throw VideoFailure("it has no video") }
          let ranges = [(2, 4), (6, 7)].compactMap { start, end in
            MediaTimeRange(from: MediaTime(start), to: MediaTime(end))
          }
          return .init(
            findings: ranges.enumerated().map { number, range in
              TrimmingFinding(id: number + 1, kind: .silence, range: range)
            }, sentence: "silence", gaps: ["not examined: 8 to 9"])
        }
      })
  }
}

/// A browser that was admitted.
struct Visitor: Sendable {
  let client: WebClient
  let cookie: String
  let port: UInt16
  /// The response when it was admitted.
  let entry: WebClient.Reply

  init(_ stage: StudioStage) throws {
    client = WebClient(port: stage.port)
    port = stage.port
    entry = try #require(
      try client.reply(
        to: Self.post("/session", "{\"token\":\"\(stage.token)\"}", port: port),
        silence: Self.patience))
    let set = try #require(entry.value("set-cookie"))
    cookie = String(set.split(separator: ";")[0])
  }

  static func post(_ path: String, _ body: String, port: UInt16, more: String = "") -> String {
    "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\(more)\r\n\(body)"
  }

  /// Seconds; a busy machine may delay a server.
  private static let patience = 10

  func get(_ path: String, more: String = "") throws -> WebClient.Reply {
    try #require(
      try client.reply(
        to: "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nCookie: \(cookie)\r\n"
          + "Connection: close\r\n\(more)\r\n", silence: Self.patience))
  }

  @discardableResult
  func post(_ path: String, _ body: String) throws -> WebClient.Reply {
    try #require(
      try client.reply(
        to: Self.post(path, body, port: port, more: "Cookie: \(cookie)\r\n"),
        silence: Self.patience))
  }

  struct NotTaken: Error {
    var input: String
    var status: Int
  }

  /// Sends an input of a page called `a`, which must be accepted.
  func input(_ input: String, page: String = "a") throws {
    let reply = try post(
      "/files/0/input",
      "{\"page\":\"\(page)\",\"message\":{\"version\":1,\"input\":\(input)}}")
    if reply.status != 204 { throw NotTaken(input: input, status: reply.status) }
  }

  /// The events a page receives, from the beginning.
  func listen(page: String = "a") throws -> WebConnection {
    let connection = try client.open()
    try connection.send(
      Array(
        ("GET /files/0/events?page=\(page) HTTP/1.1\r\nHost: localhost:\(port)\r\n"
          + "Cookie: \(cookie)\r\n\r\n").utf8))
    return connection
  }
}
