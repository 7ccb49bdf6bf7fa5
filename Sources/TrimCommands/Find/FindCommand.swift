import CommandLineKit
import Detection
import ExactTime
import MediaEngine
import MediaFacts

/// `trim find FILE`: silence, black, still and changing pictures.
struct FindCommand: DrawingCommand {
  var media: DrawnMediaOptions
  /// Not applicable.
  var tiles: ScreenTiles?
  private let options: FindOptions
  private let list: FoundList?
  let printsJSON: Bool

  static let command = "find"

  init(_ parsed: ParsedArguments) throws(UsageError) {
    media = try DrawnMediaOptions(parsed, command: Self.command)
    options = try FindOptions(parsed, command: Self.command)
    list = try FoundList(parsed, command: Self.command)
    printsJSON = parsed.has("json")
  }

  func run(in tool: Tool, console: Console) throws(UsageError) -> ExitStatus {
    let input = try PlayInput(
      media.file, part: media.part, command: Self.command, asciiOnly: !console.errTraits.isUTF8)
    do throws(PlayedMedia.Failure) {
      let media = try loaded(input, with: tool.desk)
      let columns = try drawn(media, with: tool.desk).columns
      let written = try list?.write(Self.findings(columns), of: media, to: console)
      if printsJSON {
        let head = RecordHead.members(
          kind: Self.command, input: .file(path: media.path), bytes: media.facts.byteCount)
        console.out.write(JSONWriter.write(.object(head + columns), .indented))
      } else if let written {
        if list?.isStandardStream == false { console.out.write("\(written)\n") }
      } else {
        console.out.write(
          FindScreen(
            columns: .object(columns), name: media.path, options: options,
            traits: console.outTraits, isPlain: console.isPlain
          ).text)
      }
      return .success
    } catch {
      return console.report(error, on: input, asJSON: printsJSON)
    }
  }

  private static func findings(_ columns: [JSONValue.Member]) -> [Finding] {
    guard case .array(let all)? = JSONValue.object(columns)["findings"] else { return [] }
    return all.compactMap { one in
      func time(_ key: String) -> MediaTime? {
        one[key]?["value"]?.text.flatMap { Rational(exactly: $0) }.map { MediaTime(seconds: $0) }
      }
      guard let kind = one["kind"]?.text.flatMap(Finding.Kind.init(rawValue:)),
        let from = time("from"), let to = time("to"), let range = MediaTimeRange(from: from, to: to)
      else { return nil }
      return Finding(kind, range)
    }
  }

  func drawing(of media: DrawnMedia, with desk: EngineDesk) throws(PlayedMedia.Failure) -> Drawing {
    do throws(ProbeError) {
      return Drawing(bytes: [], columns: try columns(of: media, with: desk), sentence: "")
    } catch {
      throw PlayedMedia.Failure(error)
    }
  }

  private func columns(
    of media: DrawnMedia, with desk: EngineDesk
  ) throws(ProbeError) -> [JSONValue.Member] {
    var (findings, unseen): ([Finding], [MediaTimeRange]) = ([], [])
    var examined: [JSONValue] = []
    let tracks = media.facts.tracks.filter(\.isPresented)
    if options.kinds.contains(.silence), tracks.contains(where: { $0.kind == .audio }) {
      let track = try SoundTrack(
        media.path, facts: media.facts, origin: media.origin, deadline: media.deadline,
        isCancelled: desk.isCancelled)
      findings += try track.silences(
        in: media.part, below: options.silenceLevel, shortest: options.shortest[.silence] ?? .zero)
      examined.append(.integer(track.trackID))
    }
    if let search = options.pictures, tracks.contains(where: { $0.kind == .video }) {
      let track = try PictureTrack(
        media.path, origin: media.origin, deadline: media.deadline, isCancelled: desk.isCancelled)
      let found = try track.findings(in: media.part, search, threads: Self.threads)
      findings += found.findings
      unseen = found.unseen
      examined.append(.integer(track.trackID))
    }
    guard !examined.isEmpty else {
      let what =
        options.pictures == nil
        ? "audio" : options.kinds.contains(.silence) ? "audio and no video" : "video"
      throw ProbeError(
        options.pictures == nil ? .noSound : .noPicture, "it has no \(what)",
        hint: "'trim probe' shows what it contains.")
    }
    return JSONValue.members([
      "range": .object(["from": .time(media.part.start), "to": .time(media.part.end)]),
      "tracks": .array(examined), "thresholds": options.record,
      "findings": .array(findings.map(\.record)),
      "not_examined": .array(
        unseen.map { .object(["from": .time($0.start), "to": .time($0.end)]) }),
    ])
  }

  /// Half of the largest machines' cores gain nothing here.
  private static let threads = 2
}

extension FindOptions {
  /// The thresholds of what was looked for.
  fileprivate var record: JSONValue {
    .object(
      Finding.Kind.allCases.filter(kinds.contains).map { kind in
        var members: [JSONValue.Member] = []
        if let shortest = shortest[kind] {
          members += JSONValue.members(["shortest": .time(shortest)])
        }
        switch kind {
        case .silence:
          members += JSONValue.members([
            "level_dbfs": .number(silenceLevel.shown), "window": .time(MediaDuration(1, 100)),
          ])
        case .black:
          members += JSONValue.members([
            "level": .integer(Int(BlackDetector.level)),
            "most_light_percent": .integer(BlackDetector.mostLight),
          ])
        case .still:
          members += JSONValue.members(["most_difference": .integer(StillDetector.most)])
        case .scene:
          members += JSONValue.members([
            "least_difference": .integer(SceneDetector.least),
            "ratio": .number("\(SceneDetector.ratio)"),
            "window_frames": .integer(SceneDetector.reach),
          ])
        }
        return JSONValue.Member(key: kind.rawValue, value: .object(members))
      })
  }
}

extension SoundLevel {
  /// In dBFS, as text.
  var shown: String {
    let (whole, rest) = (tenths / 10, abs(tenths % 10))
    let sign = tenths < 0 && whole == 0 ? "-" : ""
    return sign + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
  }
}

extension Finding {
  fileprivate var record: JSONValue {
    .object([
      "kind": .string(kind.rawValue), "from": .time(range.start), "to": .time(range.end),
      "length": .time(range.length), "score": score.map { .number(Self.text($0)) } ?? .null,
    ])
  }

  /// With two decimals; a score is never a time.
  private static func text(_ score: Double) -> String {
    let hundredths = Int((min(max(score, -1e9), 1e9) * 100).rounded())
    let rest = abs(hundredths % 100)
    let sign = hundredths < 0 ? "-" : ""
    return "\(sign)\(abs(hundredths) / 100)"
      + (rest == 0 ? "" : rest < 10 ? ".0\(rest)" : ".\(rest)")
  }
}
