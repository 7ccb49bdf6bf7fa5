import CommandLineKit
import MediaEngine
import MediaFacts

extension TaskRunner {
  func find(_ parsed: ParsedArguments, within time: Duration) throws(BatchFailure) -> Done {
    let deadline = ContinuousClock.now + time
    let desk = EngineDesk(engine: engine, isCancelled: { ContinuousClock.now >= deadline })
    var command: FindCommand
    do throws(UsageError) {
      command = try FindCommand(parsed)
    } catch {
      throw BatchFailure(error)
    }
    command.media.timeout = time
    do throws(PlayedMedia.Failure) {
      let (media, found) = try command.findings(in: Self.input(of: command.media), with: desk)
      return Done(
        result: .object(FindingsRecord.columns(found)), bytes: media.facts.byteCount)
    } catch {
      throw BatchFailure(error)
    }
  }
}

extension BatchFailure {
  init(_ error: PlayedMedia.Failure) {
    self.init(code: error.code, status: error.status, error.message, hint: error.hint)
  }
}
