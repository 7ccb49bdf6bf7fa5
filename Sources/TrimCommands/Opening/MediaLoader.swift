import CommandLineKit
import MediaEngine
import MediaFacts
import Threads

/// Probes the file to be played.
struct MediaLoader: Sendable {
  let tool: Tool
  private(set) var input: PlayInput
  /// Whether the file is also opened for pictures.
  var wantsPictures = false
  /// Whether times will be typed and frames stepped through, which requires all frame times.
  var wantsFrames = false
  /// How long reading the file may take; `nil` for what the limits allow.
  var timeout: Duration?
  /// Receives the reading progress.
  var report: @Sendable (ProbeProgress) -> Void = { _ in }

  var location: String { input.location }

  /// What loads another file in the same way.
  func of(_ input: PlayInput) -> MediaLoader {
    var other = self
    other.input = input
    return other
  }

  /// Loads the file; blocking.
  func load(
    wantsKeyframes: Bool, wantsFrames: Bool = false
  ) throws(PlayedMedia.Failure) -> PlayedMedia {
    let facts: MediaFacts
    var options = ProbeOptions(
      wantsKeyframes: wantsKeyframes, wantsFrames: wantsFrames || input.part.namesFrames,
      timeout: timeout)
    options.numbersKeyframes = input.part.needsKeyframes
    do throws(MediaError) {
      facts = try tool.engine.probe(input.input, options) { progress in
        report(progress)
        return tool.interruption() == 0
      }
    } catch {
      throw PlayedMedia.Failure(error)
    }
    return try PlayedMedia(facts, location: location, part: input.part)
  }

  /// A file whose pictures cannot be decoded is shown without them.
  private func loadWithPictures() throws(PlayedMedia.Failure) -> PlayedMedia {
    guard wantsPictures, case .file(let path) = input.input else {
      return try load(wantsKeyframes: true, wantsFrames: wantsFrames)
    }
    var media = try load(wantsKeyframes: true)
    do {
      if let pictures = try tool.engine.pictures(path, media.facts, media.origin) {
        media.show(pictures)
      } else {
        media.noPicture = "No picture: this build of trim cannot decode video."
      }
    } catch {
      media.noPicture = "No picture: \(ForeignText.shown("\(error)"))."
    }
    guard wantsFrames, media.noPicture != nil else { return media }
    // Its frame times can still be listed.
    guard var listed = try? load(wantsKeyframes: true, wantsFrames: true) else { return media }
    listed.noPicture = media.noPicture
    return listed
  }

  /// Loads off the main actor and off the cooperative pool, which blocking work would stall.
  func loadInBackground() async -> Result<PlayedMedia, PlayedMedia.Failure> {
    let result = try? await WaitingThread.value {
      Result { () throws(PlayedMedia.Failure) in try loadWithPictures() }
    }
    return result
      ?? .failure(
        PlayedMedia.Failure(message: "the system cannot start a thread", status: .temporaryFailure))
  }

  func report(_ failure: PlayedMedia.Failure, on console: Console) {
    console.error("\(location): \(ForeignText.shown(failure.message))", hint: failure.hint)
  }
}
