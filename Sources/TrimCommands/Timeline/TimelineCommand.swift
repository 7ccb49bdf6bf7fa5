import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// `trim timeline FILE -o timeline.svg`: one drawing of a file's timeline.
struct TimelineCommand: DrawingCommand {
  enum Format: String, CaseIterable, Sendable {
    case svg
  }

  var film: DrawnFilmOptions
  var tiles: ScreenTiles?
  private let output: OutputName<Format>
  private let width: Int
  let printsJSON: Bool

  static let command = "timeline"

  init(_ parsed: ParsedArguments) throws(UsageError) {
    film = try DrawnFilmOptions(parsed, command: Self.command)
    output = try OutputName(parsed, streamed: .svg, command: Self.command)
    printsJSON = parsed.has("json")
    width =
      try NumberArgument.parse(parsed, "width", in: 480...8192, command: Self.command) ?? 1200
  }

  func run(in tool: Tool, console: Console) throws(UsageError) -> ExitStatus {
    let input = try PlayInput(
      film.file, part: film.part, command: Self.command, asciiOnly: !console.errTraits.isUTF8)
    do throws(PlayFilm.Failure) {
      try write(
        to: output, of: loaded(input, with: tool.desk), in: tool, console: console)
      return .success
    } catch {
      return console.report(error, on: input, asJSON: printsJSON)
    }
  }

  func loaded(_ input: PlayInput, with desk: EngineDesk) throws(PlayFilm.Failure) -> DrawnFilm {
    try film.film(input: input, with: desk, wantsKeyframes: true)
  }

  func drawing(of film: DrawnFilm, with desk: EngineDesk) throws(PlayFilm.Failure) -> Drawing {
    let timeline = try timeline(of: film, with: desk)
    let cut = film.part == film.bounds ? nil : PlannedCut(of: film, with: desk)
    var page = TimelineDrawing(film, timeline, cut: cut, width: width)
    let packets = timeline.tracks.reduce(0) { $0 + $1.packets.count }
    let count = timeline.tracks.count
    return Drawing(
      bytes: Array(page.draw().utf8),
      columns: JSONValue.members([
        "width": .integer(width),
        "range": .object(["from": .time(film.part.start), "to": .time(film.part.end)]),
        "tracks": .integer(count), "packets": .integer(packets),
      ]),
      sentence: "\(count) track\(count == 1 ? "" : "s"), \(packets) packets, "
        + "\(DecimalText.shortest(film.bounds.length.seconds)) s")
  }

  private func timeline(
    of film: DrawnFilm, with desk: EngineDesk
  ) throws(PlayFilm.Failure) -> FilmTimeline {
    do throws(ProbeError) {
      return try FilmTimeline(
        of: film.path, facts: film.facts, origin: film.origin, deadline: film.deadline,
        isCancelled: desk.isCancelled)
    } catch {
      throw PlayFilm.Failure(error)
    }
  }
}
