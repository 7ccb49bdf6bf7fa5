import CommandLineKit
import MediaEngine

extension EngineServer {
  /// Makes a drawing, as the same command line would in its own process.
  func draw(
    _ path: [UInt8], _ arguments: JSONValue
  ) throws(EngineFailure) -> (JSONValue, [UInt8]) {
    let asked: RemoteDrawing = try EngineProcess.decoded(arguments)
    let media = asked.media
    let desk = EngineDesk(
      engine: engine,
      isCancelled: { [heartbeat] in
        _ = heartbeat()
        return ContinuousClock.now >= media.deadline
      })
    do throws(PlayedMedia.Failure) {
      var command = try command(asked.words.map { ArgumentText(bytes: $0) })
      command.tiles = asked.tiles
      let drawing = try command.drawing(of: media, with: desk)
      return (drawing.value, drawing.bytes)
    } catch {
      // Nothing else cancels it from within.
      if error.code == MediaErrorCode.cancelled.rawValue, ContinuousClock.now >= media.deadline {
        throw EngineFailure(.tookTooLong)
      }
      throw EngineFailure(
        code: error.code, message: error.message, hint: error.hint, status: error.status)
    }
  }

  private func command(_ words: [ArgumentText]) throws(PlayedMedia.Failure) -> any DrawingCommand {
    do throws(UsageError) {
      if case .run(let name, let parsed) = try ArgumentParser(root: commands).parse(words) {
        switch name {
        case StripCommand.command: return try StripCommand(parsed)
        case WaveCommand.command: return try WaveCommand(parsed)
        case FindCommand.command: return try FindCommand(parsed)
        case TimelineCommand.command: return try TimelineCommand(parsed)
        default: break
        }
      }
    } catch {
      throw PlayedMedia.Failure(message: error.message, status: .usage)
    }
    throw PlayedMedia.Failure(ProbeError(.internalError, "the request cannot be understood"))
  }
}
