import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// `trim strip FILE -o strip.png`: pictures of a file side by side.
struct StripCommand: DrawingCommand {
  var media: DrawnMediaOptions
  var tiles: ScreenTiles?
  /// `nil` for raw pixels: to draw on the terminal, or for a batch row.
  private let output: OutputName<Picture.FileFormat>?
  private let instants: FilmstripInstants
  private let width: Int?
  private let columns: Int?
  private let choice: FrameGrabber.Choice
  let printsJSON: Bool

  static let command = "strip"
  private static let mostPictures = 1000

  init(_ parsed: ParsedArguments) throws(UsageError) {
    media = try DrawnMediaOptions(parsed, command: Self.command)
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
      media.file, part: media.part, command: Self.command, asciiOnly: !console.errTraits.isUTF8)
    do throws(PlayedMedia.Failure) {
      let media = try loaded(input, with: tool.desk)
      if let output {
        try write(to: output, of: media, in: tool, console: console)
      } else {
        try draw(media, in: tool, console)
      }
      return .success
    } catch {
      return console.report(error, on: input, asJSON: printsJSON)
    }
  }

  func drawing(of media: DrawnMedia, with desk: EngineDesk) throws(PlayedMedia.Failure) -> Drawing {
    let times = try times(in: media)
    let strip = try strip(
      of: media, at: times, tileWidth: tiles?.width ?? width ?? 160,
      columns: tiles?.columns ?? columns ?? 10, with: desk)
    let format = tiles == nil ? output?.format : nil
    return Drawing(
      bytes: try format.map { (format) throws(PlayedMedia.Failure) in
        try encoded(strip.picture, as: format)
      } ?? strip.picture.pixels,
      size: (strip.picture.width, strip.picture.height), columns: members(strip, at: times),
      sentence: sentence(strip))
  }

  private func times(in media: DrawnMedia) throws(PlayedMedia.Failure) -> [MediaTime] {
    guard let times = instants.times(in: media.part, atMost: Self.mostPictures) else {
      throw PlayedMedia.Failure(
        message: "more than \(Self.mostPictures) pictures are requested",
        hint: "Use a longer interval with --every.", status: .usage)
    }
    return times
  }

  /// Shows the pictures in the lines of the terminal, in half blocks.
  private func draw(
    _ media: DrawnMedia, in tool: Tool, _ console: Console
  ) throws(PlayedMedia.Failure) {
    let times = try times(in: media)
    let drawing = StripDrawing(
      console.outTraits, tool.environment, count: times.count, columns: columns)
    guard let drawing, !printsJSON, !console.isPlain else {
      throw PlayedMedia.Failure(
        message: "there is no color terminal to draw on",
        hint: "Name a file: -o strip.png, or -o - for standard output.", status: .usage)
    }
    var command = self
    command.tiles = ScreenTiles(width: drawing.tileWidth, columns: drawing.columns)
    let drawn = try command.drawn(media, with: tool.desk, tiles: command.tiles)
    guard let size = drawn.size, size.width > 0, size.height > 0,
      drawn.bytes.count / 3 / size.width == size.height,
      drawn.bytes.count == size.width * size.height * 3
    else { throw PlayedMedia.Failure(MediaError(.internalError, "there is no picture to show")) }
    console.out.write(
      drawing.bytes(Picture(width: size.width, height: size.height, pixels: drawn.bytes)))
  }

  private func strip(
    of media: DrawnMedia, at times: [MediaTime], tileWidth: Int, columns: Int, with desk: EngineDesk
  ) throws(PlayedMedia.Failure) -> Filmstrip {
    do throws(MediaError) {
      let track = try PictureTrack(
        media.path, origin: media.origin, deadline: media.deadline,
        isCancelled: desk.isCancelled)
      return try Filmstrip(
        of: track, at: times, tileWidth: tileWidth, choice: choice, columns: columns)
    } catch {
      throw PlayedMedia.Failure(error)
    }
  }

  private func encoded(
    _ picture: Picture, as format: Picture.FileFormat
  ) throws(PlayedMedia.Failure) -> [UInt8] {
    do throws(MediaError) {
      return try picture.encoded(as: format)
    } catch {
      throw PlayedMedia.Failure(error)
    }
  }
}

extension StripCommand {
  private func sentence(_ strip: Filmstrip) -> String {
    let count = strip.frames.count
    var text = "\(count) \(count == 1 ? "picture" : "pictures") of "
    text += "\(strip.tileWidth)x\(strip.tileHeight), "
    text += choice == .exact ? "exact frames" : "nearest keyframes"
    if strip.substituteCount > 0 {
      text += ", \(strip.substituteCount) of them in place of frames that cannot be decoded"
    }
    if strip.isToneMapped { text += ", HDR tone-mapped to SDR" }
    return text
  }

  private func members(_ strip: Filmstrip, at times: [MediaTime]) -> [JSONValue.Member] {
    let pictures = zip(times, strip.frames).map { time, frame in
      JSONValue.object([
        "asked": .time(time), "frame": .integer(frame.number), "start": .time(frame.start),
        "end": .time(frame.end),
      ])
    }
    return JSONValue.members([
      "choice": .string(choice.rawValue),
      "tile": .object([
        "width": .integer(strip.tileWidth), "height": .integer(strip.tileHeight),
      ]),
      "is_tone_mapped": .bool(strip.isToneMapped),
      "substitutes": .integer(strip.substituteCount), "pictures": .array(pictures),
    ])
  }
}
