import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// `trim strip FILE -o strip.png`: pictures of a film side by side.
struct StripCommand: Sendable {
  private let film: DrawnFilmOptions
  /// `nil` to draw on the terminal.
  private let output: OutputName<Picture.FileFormat>?
  private let instants: FilmstripInstants
  private let width: Int?
  private let columns: Int?
  private let choice: FrameGrabber.Choice
  private let printsJSON: Bool

  static let command = "strip"
  private static let mostPictures = 1000

  init(_ parsed: ParsedArguments) throws(UsageError) {
    film = try DrawnFilmOptions(parsed, command: Self.command)
    output =
      parsed.last("output") == nil
      ? nil
      : try OutputName(parsed, endings: ["jpg": .jpeg], streamed: .png, command: Self.command)
    instants = try Self.instants(parsed)
    width = try NumberArgument.parse(parsed, "width", in: 1...8192, command: Self.command)
    columns = try NumberArgument.parse(
      parsed, "columns", in: 1...Self.mostPictures, command: Self.command)
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
      guard let output else { return try draw(film, times, in: tool, console) }
      let file = try ResultFile(output, madeFrom: film.path)
      let strip = try strip(
        of: film, at: times, tileWidth: width ?? 160, columns: columns ?? 10, in: tool)
      let bytes = try encoded(strip.picture, as: output.format)
      try file.publish(bytes, to: console.out)
      if printsJSON {
        console.out.write(record(film, strip, times, output, byteCount: bytes.count))
      } else if !output.isStandardStream {
        console.out.write(sentence(strip, output, on: console))
      }
      return .success
    } catch {
      return console.report(error, on: input, asJSON: printsJSON)
    }
  }

  /// Shows the pictures in the lines of the terminal, in half blocks.
  private func draw(
    _ film: DrawnFilm, _ times: [MediaTime], in tool: Tool, _ console: Console
  ) throws(PlayFilm.Failure) -> ExitStatus {
    let drawing = StripDrawing(
      console.outTraits, tool.environment, count: times.count, columns: columns)
    guard let drawing, !printsJSON, !console.isPlain else {
      throw PlayFilm.Failure(
        message: "there is not a terminal with colours to draw on",
        hint: "Name a file: -o strip.png, or -o - for standard output.", status: .usage)
    }
    let strip = try strip(
      of: film, at: times, tileWidth: drawing.tileWidth, columns: drawing.columns, in: tool)
    console.out.write(drawing.bytes(strip.picture))
    return .success
  }

  private func strip(
    of film: DrawnFilm, at times: [MediaTime], tileWidth: Int, columns: Int, in tool: Tool
  ) throws(PlayFilm.Failure) -> Filmstrip {
    do throws(ProbeError) {
      let track = try PictureTrack(
        film.path, origin: film.origin, deadline: film.deadline,
        isCancelled: { tool.interruption() != 0 })
      return try Filmstrip(
        of: track, at: times, tileWidth: tileWidth, choice: choice, columns: columns)
    } catch {
      throw PlayFilm.Failure(error)
    }
  }

  private func encoded(
    _ picture: Picture, as format: Picture.FileFormat
  ) throws(PlayFilm.Failure) -> [UInt8] {
    do throws(ProbeError) {
      return try picture.encoded(as: format)
    } catch {
      throw PlayFilm.Failure(error)
    }
  }
}

extension StripCommand {
  private func sentence(
    _ strip: Filmstrip, _ output: OutputName<Picture.FileFormat>, on console: Console
  ) -> String {
    let name = ForeignText.shown(output.path, asciiOnly: !console.outTraits.isUTF8)
    let count = strip.frames.count
    var text = "\(name): \(count) \(count == 1 ? "picture" : "pictures") of "
    text += "\(strip.tileWidth)x\(strip.tileHeight), "
    text += choice == .exact ? "exact frames" : "nearest keyframes"
    if strip.isToneMapped { text += ", HDR mapped to an ordinary screen" }
    return text + "\n"
  }

  private func record(
    _ film: DrawnFilm, _ strip: Filmstrip, _ times: [MediaTime],
    _ output: OutputName<Picture.FileFormat>, byteCount: Int
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
