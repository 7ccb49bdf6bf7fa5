import CommandLineKit
import MediaEngine
import MediaFacts

/// A command that makes one small file from one media file: `trim strip`, `wave` and `timeline`, typed or as
/// a batch task.
protocol DrawingCommand: Sendable {
  /// The kind of its JSON, which is the command's name.
  static var command: String { get }

  var media: DrawnMediaOptions { get set }
  /// The layout when drawn as raw pixels for the screen.
  var tiles: ScreenTiles? { get set }
  var printsJSON: Bool { get }

  func loaded(_ input: PlayInput, with desk: EngineDesk) throws(PlayedMedia.Failure) -> DrawnMedia
  /// Draws in this process.
  func drawing(of media: DrawnMedia, with desk: EngineDesk) throws(PlayedMedia.Failure) -> Drawing
}

/// A finished drawing, before it is written anywhere.
struct Drawing: Sendable {
  var bytes: [UInt8]
  /// The size in pixels, for a picture.
  var size: (width: Int, height: Int)?
  /// The members of its JSON other than the output location.
  var columns: [JSONValue.Member]
  /// The text after the file name: `10 pictures of 160x90`.
  var sentence: String
}

/// The engine as used by these commands, in the tool or in a batch worker.
struct EngineDesk: Sendable {
  var engine: EnginePort
  /// The command line, for a process that must parse it the same way.
  var words: [ArgumentText] = []
  /// Called from inside long loops, on any thread.
  var isCancelled: @Sendable () -> Bool = { false }
}

extension Tool {
  var desk: EngineDesk {
    EngineDesk(
      engine: engine, words: words, isCancelled: { [interruption] in interruption() != 0 })
  }
}

extension DrawingCommand {
  func loaded(_ input: PlayInput, with desk: EngineDesk) throws(PlayedMedia.Failure) -> DrawnMedia {
    try media.media(input: input, with: desk)
  }

  /// Draws, writes the file and reports it.
  func write<Format>(
    to output: OutputName<Format>, of media: DrawnMedia, in tool: Tool, console: Console
  ) throws(PlayedMedia.Failure) {
    let file = try ResultFile(output, madeFrom: media.path)
    let drawing = try drawn(media, with: tool.desk)
    try file.publish(drawing.bytes, to: console.out)
    if printsJSON {
      console.out.write(JSONWriter.write(record(drawing, of: media, at: output.path), .indented))
    } else if !output.isStandardStream {
      let name = ForeignText.shown(output.path, asciiOnly: !console.outTraits.isUTF8)
      console.out.write("\(name): \(drawing.sentence)\n")
    }
  }

  private func record(_ drawing: Drawing, of media: DrawnMedia, at path: [UInt8]) -> JSONValue {
    let count = drawing.bytes.count
    let output =
      drawing.size.map {
        OutputRecord.value(path, bytes: count, width: $0.width, height: $0.height)
      } ?? OutputRecord.value(path, bytes: count)
    let head = RecordHead.members(
      kind: Self.command, input: .file(path: media.path), bytes: media.facts.byteCount)
    return .object(head + JSONValue.members(["output": output]) + drawing.columns)
  }
}
