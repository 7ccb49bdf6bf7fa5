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

  var media: DrawnMediaOptions
  var tiles: ScreenTiles?
  private let output: OutputName<Format>
  private let width: Int
  let printsJSON: Bool

  static let command = "timeline"

  init(_ parsed: ParsedArguments) throws(UsageError) {
    media = try DrawnMediaOptions(parsed, command: Self.command)
    output = try OutputName(parsed, streamed: .svg, command: Self.command)
    printsJSON = parsed.has("json")
    width =
      try NumberArgument.parse(parsed, "width", in: 480...8192, command: Self.command) ?? 1200
  }

  func run(in tool: Tool, console: Console) throws(UsageError) -> ExitStatus {
    let input = try PlayInput(
      media.file, part: media.part, command: Self.command, asciiOnly: !console.errTraits.isUTF8)
    do throws(PlayedMedia.Failure) {
      try write(
        to: output, of: loaded(input, with: tool.desk), in: tool, console: console)
      return .success
    } catch {
      return console.report(error, on: input, asJSON: printsJSON)
    }
  }

  func loaded(_ input: PlayInput, with desk: EngineDesk) throws(PlayedMedia.Failure) -> DrawnMedia {
    try media.media(input: input, with: desk, wantsKeyframes: true)
  }

  func drawing(of media: DrawnMedia, with desk: EngineDesk) throws(PlayedMedia.Failure) -> Drawing {
    let timeline = try timeline(of: media, with: desk)
    let cut = media.part == media.bounds ? nil : PlannedCut(of: media, with: desk)
    var page = TimelineDrawing(media, timeline, cut: cut, width: width)
    let packets = timeline.tracks.reduce(0) { $0 + $1.packets.count }
    let count = timeline.tracks.count
    return Drawing(
      bytes: Array(page.draw().utf8),
      columns: JSONValue.members([
        "width": .integer(width),
        "range": .object(["from": .time(media.part.start), "to": .time(media.part.end)]),
        "tracks": .integer(count), "packets": .integer(packets),
      ]),
      sentence:
        "\(count) track\(count == 1 ? "" : "s"), \(packets) packet\(packets == 1 ? "" : "s"), "
        + "\(DecimalText.shortest(media.bounds.length.seconds)) s")
  }

  private func timeline(
    of media: DrawnMedia, with desk: EngineDesk
  ) throws(PlayedMedia.Failure) -> MediaTimeline {
    do throws(MediaError) {
      return try MediaTimeline(
        of: media.path, facts: media.facts, origin: media.origin, deadline: media.deadline,
        isCancelled: desk.isCancelled)
    } catch {
      throw PlayedMedia.Failure(error)
    }
  }
}
