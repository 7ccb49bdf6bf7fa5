import CommandLineKit
import MediaEngine
import MediaFacts
import TerminalUI

/// Probes the file to be played.
struct FilmLoader: Sendable {
  let tool: Tool
  let input: PlayInput
  /// Whether the file is also opened for pictures.
  var wantsPictures = false
  /// Whether times will be typed and frames stepped through, which requires all frame times.
  var wantsFrames = false
  /// How long reading the file may take; `nil` for what the limits allow.
  var timeout: Duration?
  /// Receives the reading progress.
  var tell: @Sendable (ProbeProgress) -> Void = { _ in }

  var location: String { input.location }

  /// Loads the file; blocking.
  func load(
    wantsKeyframes: Bool, wantsFrames: Bool = false
  ) throws(PlayFilm.Failure) -> PlayFilm {
    let facts: MediaFacts
    do throws(ProbeError) {
      facts = try tool.engine.probe(
        input.input,
        ProbeOptions(
          wantsKeyframes: wantsKeyframes, wantsFrames: wantsFrames || input.part.namesFrames,
          timeout: timeout)
      ) { progress in
        tell(progress)
        return tool.interruption() == 0
      }
    } catch {
      throw PlayFilm.Failure(error)
    }
    return try PlayFilm(facts, location: location, part: input.part)
  }

  /// A file whose pictures cannot be decoded is shown without them.
  private func loadWithPictures() throws(PlayFilm.Failure) -> PlayFilm {
    guard wantsPictures, case .file(let path) = input.input else {
      return try load(wantsKeyframes: true, wantsFrames: wantsFrames)
    }
    var film = try load(wantsKeyframes: true)
    do {
      if let pictures = try tool.engine.pictures(path, film.facts, film.origin) {
        film.show(pictures)
      } else {
        film.noPicture = "No picture: this build of trim does not decode pictures."
      }
    } catch let error as ProbeError {
      film.noPicture = "No picture: \(ForeignText.shown(error.message))."
    } catch {
      film.noPicture = "No picture: \(ForeignText.shown("\(error)"))."
    }
    guard wantsFrames, film.noPicture != nil else { return film }
    // Its frame times can still be listed.
    guard var listed = try? load(wantsKeyframes: true, wantsFrames: true) else { return film }
    listed.noPicture = film.noPicture
    return listed
  }

  /// Loads off the main actor and off the cooperative pool, which blocking work would stall.
  func loadInBackground() async -> Result<PlayFilm, PlayFilm.Failure> {
    let result = try? await WaitingThread.value {
      Result { () throws(PlayFilm.Failure) in try loadWithPictures() }
    }
    return result
      ?? .failure(
        PlayFilm.Failure(message: "the system cannot start a thread", status: .temporaryFailure))
  }

  func report(_ failure: PlayFilm.Failure, on console: Console) {
    console.error("\(location): \(ForeignText.shown(failure.message))", hint: failure.hint)
  }
}
