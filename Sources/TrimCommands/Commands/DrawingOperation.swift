import CommandLineKit
import Isolation
import MediaEngine

extension RemoteDrawing {
  /// The operation of a sealed process that makes a drawing, as the same command line would in its own
  /// process.
  static func performing(_ commands: CommandSpec) -> SealedOperation {
    { work in
      let asked: RemoteDrawing
      do {
        asked = try work.arguments.decoded(as: RemoteDrawing.self)
      } catch {
        throw EngineFailure.invalidAnswer
      }
      return try asked.drawn(commands, isCancelled: work.isCancelled)
    }
  }

  private func drawn(
    _ commands: CommandSpec, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EngineFailure) -> SealedAnswer {
    let media = media
    let desk = EngineDesk(
      engine: .live(isCancelled: isCancelled),
      isCancelled: { isCancelled() || ContinuousClock.now >= media.deadline })
    do throws(PlayedMedia.Failure) {
      var command = try Self.command(words.map { ArgumentText(bytes: $0) }, commands)
      command.tiles = tiles
      let drawing = try command.drawing(of: media, with: desk)
      return SealedAnswer(drawing.value, drawing.bytes)
    } catch {
      // Nothing else cancels it from within.
      if error.code == MediaErrorCode.cancelled.rawValue, ContinuousClock.now >= media.deadline {
        throw EngineFailure(.tookTooLong)
      }
      throw EngineFailure(
        code: error.code, message: error.message, hint: error.hint, status: error.status.code)
    }
  }

  private static func command(
    _ words: [ArgumentText], _ commands: CommandSpec
  ) throws(PlayedMedia.Failure) -> any DrawingCommand {
    do throws(UsageError) {
      if case .run(let name, let parsed) = try ArgumentParser(root: commands).parse(words) {
        switch name {
        case StripCommand.command: return try StripCommand(parsed)
        case WaveCommand.command: return try WaveCommand(parsed)
        case TimelineCommand.command: return try TimelineCommand(parsed)
        default: break
        }
      }
    } catch {
      throw PlayedMedia.Failure(message: error.message, status: .usage)
    }
    throw PlayedMedia.Failure(MediaError(.internalError, "the request cannot be understood"))
  }
}
