import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// `trim strip FILE -o strip.png`: pictures of a film side by side.
struct StripCommand: Sendable {
  private let film: DrawnFilmOptions
  private let output: OutputName<Picture.FileFormat>
  private let instants: FilmstripInstants
  private let width: Int
  private let columns: Int
  private let choice: FrameGrabber.Choice
  private let printsJSON: Bool

  static let command = "strip"
  private static let mostPictures = 1000

  init(_ parsed: ParsedArguments) throws(UsageError) {
    film = try DrawnFilmOptions(parsed, command: Self.command)
    output = try OutputName(parsed, endings: ["jpg": .jpeg], command: Self.command)
    instants = try Self.instants(parsed)
    width =
      try NumberArgument.parse(parsed, "width", in: 1...8192, command: Self.command) ?? 160
    columns =
      try NumberArgument.parse(
        parsed, "columns", in: 1...Self.mostPictures, command: Self.command) ?? 10
    choice = parsed.has("fast") ? .keyframe : .exact
    printsJSON = parsed.has("json")
  }

  private static func instants(_ parsed: ParsedArguments) throws(UsageError) -> FilmstripInstants {
    let count = try NumberArgument.parse(parsed, "count", in: 1...mostPictures, command: command)
    guard let every = parsed.last("every") else { return .count(count ?? 10) }
    guard count == nil else {
      throw UsageError("'--count' and '--every' cannot be used together.", command: command)
    }
    return .every(try LengthArgument.parse(every, option: "every", command: command))
  }

  func run(in tool: Tool, console: Console) throws(UsageError) -> ExitStatus {
    let input = try PlayInput(
      film.file, part: film.part, command: Self.command, asciiOnly: !console.errTraits.isUTF8)
    do throws(PlayFilm.Failure) {
      let film = try film.film(in: tool, input: input)
      guard let times = instants.times(in: film.part, atMost: Self.mostPictures) else {
        throw PlayFilm.Failure(
          message: "more than \(Self.mostPictures) pictures are asked for",
          hint: "Take a longer step with --every.", status: .usage)
      }
      let file = try ResultFile(
        output.path, replaces: output.replaces, madeFrom: film.path)
      let strip = try strip(of: film, at: times, in: tool)
      let bytes = try encoded(strip.picture)
      try file.publish(bytes)
      console.out.write(
        printsJSON
          ? record(film, strip, times, byteCount: bytes.count)
          : Array(sentence(strip, on: console).utf8))
      return .success
    } catch {
      console.report(error, on: input.location)
      return error.status
    }
  }

  private func strip(
    of film: DrawnFilm, at times: [MediaTime], in tool: Tool
  ) throws(PlayFilm.Failure) -> Filmstrip {
    do throws(ProbeError) {
      let track = try PictureTrack(
        film.path, origin: film.origin, deadline: film.deadline,
        isCancelled: { tool.interruption() != 0 })
      return try Filmstrip(
        of: track, at: times, tileWidth: width, choice: choice, columns: columns)
    } catch {
      throw PlayFilm.Failure(error)
    }
  }

  private func encoded(_ picture: Picture) throws(PlayFilm.Failure) -> [UInt8] {
    do throws(ProbeError) {
      return try picture.encoded(as: output.format)
    } catch {
      throw PlayFilm.Failure(error)
    }
  }
}

extension StripCommand {
  private func sentence(_ strip: Filmstrip, on console: Console) -> String {
    let name = ForeignText.shown(output.path, asciiOnly: !console.outTraits.isUTF8)
    let count = strip.frames.count
    var text = "\(name): \(count) \(count == 1 ? "picture" : "pictures") of "
    text += "\(strip.tileWidth)x\(strip.tileHeight), "
    text += choice == .exact ? "exact frames" : "nearest keyframes"
    if strip.isToneMapped { text += ", HDR mapped to an ordinary screen" }
    return text + "\n"
  }

  private func record(
    _ film: DrawnFilm, _ strip: Filmstrip, _ times: [MediaTime], byteCount: Int
  ) -> [UInt8] {
    let pictures = zip(times, strip.frames).map { time, frame in
      JSONValue.object([
        "asked": .time(time), "frame": .integer(frame.number), "start": .time(frame.start),
        "end": .time(frame.end),
      ])
    }
    let head = RecordHead.members(
      kind: "strip", input: .file(path: film.path), bytes: film.facts.byteCount)
    return JSONWriter.write(
      .object(
        head
          + JSONValue.members([
            "output": OutputRecord.value(
              output.path, bytes: byteCount, width: strip.picture.width,
              height: strip.picture.height),
            "choice": .string(choice.rawValue),
            "tile": .object([
              "width": .integer(strip.tileWidth), "height": .integer(strip.tileHeight),
            ]),
            "is_tone_mapped": .bool(strip.isToneMapped),
            "pictures": .array(pictures),
          ])), .indented)
  }
}

/// What was written, for the records of the drawing commands.
enum OutputRecord {
  static func value(_ path: [UInt8], bytes: Int, width: Int, height: Int) -> JSONValue {
    var members = JSONValue.members(["path": .string(String(decoding: path, as: UTF8.self))])
    if !UTF8Units.isValid(path) {
      members += JSONValue.members(["path_b64": .string(Base64.encode(path))])
    }
    return .object(
      members
        + JSONValue.members([
          "bytes": .integer(bytes), "width": .integer(width), "height": .integer(height),
        ]))
  }
}
