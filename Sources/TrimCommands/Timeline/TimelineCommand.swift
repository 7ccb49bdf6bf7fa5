import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// `trim timeline FILE -o timeline.svg`: one picture of a film's time.
struct TimelineCommand: Sendable {
  enum Format: String, CaseIterable, Sendable {
    case svg
  }

  private let film: DrawnFilmOptions
  private let output: OutputName<Format>
  private let width: Int
  private let printsJSON: Bool

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
      let film = try film.film(in: tool, input: input, wantsKeyframes: true)
      let file = try ResultFile(output, madeFrom: film.path)
      let timeline = try timeline(of: film, in: tool)
      let cut = film.part == film.bounds ? nil : PlannedCut(of: film, in: tool)
      var drawing = TimelineDrawing(film, timeline, cut: cut, width: width)
      let bytes = Array(drawing.draw().utf8)
      try file.publish(bytes, to: console.out)
      if printsJSON {
        console.out.write(record(film, timeline, byteCount: bytes.count))
      } else if !output.isStandardStream {
        console.out.write(sentence(film, timeline, on: console))
      }
      return .success
    } catch {
      return console.report(error, on: input, asJSON: printsJSON)
    }
  }

  private func timeline(
    of film: DrawnFilm, in tool: Tool
  ) throws(PlayFilm.Failure) -> FilmTimeline {
    do throws(ProbeError) {
      return try FilmTimeline(
        of: film.path, facts: film.facts, origin: film.origin, deadline: film.deadline,
        isCancelled: { tool.interruption() != 0 })
    } catch {
      throw PlayFilm.Failure(error)
    }
  }

  private func record(
    _ film: DrawnFilm, _ timeline: FilmTimeline, byteCount: Int
  ) -> [UInt8] {
    let head = RecordHead.members(
      kind: "timeline", input: .file(path: film.path), bytes: film.facts.byteCount)
    return JSONWriter.write(
      .object(
        head
          + JSONValue.members([
            "output": OutputRecord.value(output.path, bytes: byteCount),
            "width": .integer(width),
            "range": .object(["from": .time(film.part.start), "to": .time(film.part.end)]),
            "tracks": .integer(timeline.tracks.count),
            "packets": .integer(timeline.tracks.reduce(0) { $0 + $1.packets.count }),
          ])), .indented)
  }

  private func sentence(
    _ film: DrawnFilm, _ timeline: FilmTimeline, on console: Console
  ) -> String {
    let name = ForeignText.shown(output.path, asciiOnly: !console.outTraits.isUTF8)
    let packets = timeline.tracks.reduce(0) { $0 + $1.packets.count }
    let count = timeline.tracks.count
    return "\(name): \(count) track\(count == 1 ? "" : "s"), \(packets) packets, "
      + "\(DecimalText.shortest(film.bounds.length.seconds)) s\n"
  }
}
