import CommandLineKit
import Isolation
import MediaEngine
import MediaFacts

extension TaskRunner {
  /// The output name for levels that go into the row.
  static let levels = Array("levels.json".utf8)

  /// - Parameter output: `nil` if the result goes into the row.
  func draw(
    _ name: String, _ parsed: ParsedArguments, to output: [UInt8]?, within time: Duration
  ) throws(BatchFailure) -> Done {
    let deadline = ContinuousClock.now + time
    let desk = EngineDesk(engine: engine, isCancelled: { ContinuousClock.now >= deadline })
    var command = try Self.command(name, parsed)
    command.media.timeout = time
    let drawing: Drawing
    let media: DrawnMedia
    do throws(PlayedMedia.Failure) {
      let part = try Self.input(of: command.media)
      media = try command.loaded(part, with: desk)
      drawing = try command.drawing(of: media, with: desk)
      if let output {
        try ResultFile(output, replaces: true, madeFrom: media.path).publish(drawing.bytes)
      }
    } catch {
      throw BatchFailure(error)
    }
    return Done(
      result: .object(try Self.result(drawing, isWritten: output != nil)),
      bytes: media.facts.byteCount)
  }

  private static func command(
    _ name: String, _ parsed: ParsedArguments
  ) throws(BatchFailure) -> any DrawingCommand {
    do throws(UsageError) {
      switch name {
      case StripCommand.command: return try StripCommand(parsed)
      case TimelineCommand.command: return try TimelineCommand(parsed)
      default: return try WaveCommand(parsed)
      }
    } catch {
      throw BatchFailure(error)
    }
  }

  static func input(of media: DrawnMediaOptions) throws(PlayedMedia.Failure) -> PlayInput {
    do throws(UsageError) {
      return try PlayInput(
        media.file, part: media.part, command: media.command, asciiOnly: false)
    } catch {
      throw PlayedMedia.Failure(message: error.message, status: .usage)
    }
  }

  private static func result(
    _ drawing: Drawing, isWritten: Bool
  ) throws(BatchFailure) -> [JSONValue.Member] {
    guard isWritten else {
      if let size = drawing.size { return try pixels(drawing, width: size.width, size.height) }
      guard let levels = try? JSONReader.read(drawing.bytes) else {
        throw BatchFailure(
          code: MediaError.Code.internalError.rawValue, status: .software,
          "the levels are not JSON")
      }
      return drawing.columns + JSONValue.members(["levels": levels])
    }
    var members = JSONValue.members(["bytes": .integer(drawing.bytes.count)])
    if let size = drawing.size {
      members += JSONValue.members([
        "width": .integer(size.width), "height": .integer(size.height),
      ])
    }
    return members + drawing.columns
  }

  /// The maximum number of pixels in a row: about one 4K picture.
  private static let mostPixels = 1 << 23

  private static func pixels(
    _ drawing: Drawing, width: Int, _ height: Int
  ) throws(BatchFailure) -> [JSONValue.Member] {
    guard width * height <= mostPixels else {
      throw BatchFailure(
        code: MediaError.Code.limitExceeded.rawValue, status: .badData,
        "pictures of \(width)x\(height) pixels in total exceed what a row can hold",
        hint: "Name a file as 'output', take fewer pictures, or narrower ones with 'width'.")
    }
    return JSONValue.members([
      "width": .integer(width), "height": .integer(height),
      "pixels": .object([
        "format": .string("rgb24"), "data_b64": .string(Base64.encode(drawing.bytes)),
      ]),
    ]) + drawing.columns
  }
}
