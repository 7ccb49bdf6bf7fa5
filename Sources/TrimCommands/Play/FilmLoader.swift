import MediaEngine
import MediaFacts
import TerminalUI

/// Probes the film that is to be played.
struct FilmLoader: Sendable {
  let tool: Tool
  let input: PlayInput

  var location: String { input.location }

  /// Blocking.
  func load(wantsKeyframes: Bool) throws(PlayFilm.Failure) -> PlayFilm {
    let facts: MediaFacts
    do throws(ProbeError) {
      facts = try tool.engine.probe(
        input.input, ProbeOptions(wantsKeyframes: wantsKeyframes)
      ) { _ in tool.interruption() == 0 }
    } catch {
      throw PlayFilm.Failure(
        message: error.message, hint: error.hint, status: error.exitStatus)
    }
    return try PlayFilm(facts, location: location, part: input.part)
  }

  /// Off the main actor and off the cooperative pool, which blocking work would hold up.
  func loadInBackground() async -> Result<PlayFilm, PlayFilm.Failure> {
    let result = try? await WaitingThread.value {
      Result { () throws(PlayFilm.Failure) in try load(wantsKeyframes: true) }
    }
    return result
      ?? .failure(
        PlayFilm.Failure(message: "the system has no thread left", status: .temporaryFailure))
  }

  func report(_ failure: PlayFilm.Failure, on console: Console) {
    console.error("\(location): \(ForeignText.shown(failure.message))", hint: failure.hint)
  }
}
