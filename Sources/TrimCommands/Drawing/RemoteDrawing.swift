import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import MediaFacts

/// The request to a sealed process for a drawing.
struct RemoteDrawing: Sendable, Codable {
  /// The command line, byte by byte.
  var words: [[UInt8]]
  var path: [UInt8]
  var location: String
  var facts: MediaFacts
  var part: MediaTimeRange
  var bounds: MediaTimeRange
  var origin: MediaTime
  var milliseconds: Int64
  /// The layout when it goes to the screen as raw pixels.
  var tiles: ScreenTiles?

  init(_ media: DrawnMedia, _ words: [ArgumentText], tiles: ScreenTiles?) {
    self.words = words.map(\.bytes)
    path = media.path
    location = media.location
    facts = media.facts
    part = media.part
    bounds = media.bounds
    origin = media.origin
    milliseconds = max(0, (media.deadline - .now).wholeMilliseconds)
    self.tiles = tiles
  }

  var media: DrawnMedia {
    DrawnMedia(
      path: path, location: location, facts: facts, part: part, bounds: bounds, origin: origin,
      deadline: .now + .milliseconds(milliseconds))
  }
}

/// How pictures are laid out on a screen.
struct ScreenTiles: Sendable, Codable {
  var width: Int
  var columns: Int
}

extension Drawing {
  /// Its description, sent alongside its bytes.
  var value: JSONValue {
    .object([
      "width": .optional(size?.width), "height": .optional(size?.height),
      "columns": .object(columns), "sentence": .string(sentence),
    ])
  }

  /// `nil` for anything that ``value`` does not produce.
  init?(_ result: SealedAnswer) {
    guard case .object(let columns)? = result.value["columns"],
      let sentence = result.value["sentence"]?.text
    else { return nil }
    self.init(bytes: result.bytes, columns: columns, sentence: ForeignText.shown(sentence))
    if let width = result.value["width"]?.exactInteger,
      let height = result.value["height"]?.exactInteger
    {
      size = (Int(clamping: width), Int(clamping: height))
    }
  }
}

extension DrawingCommand {
  /// Draws in a sealed process, where there is one.
  func drawn(
    _ media: DrawnMedia, with desk: EngineDesk, tiles: ScreenTiles? = nil
  ) throws(PlayedMedia.Failure) -> Drawing {
    guard let remote = desk.engine.remote else { return try drawing(of: media, with: desk) }
    let result: SealedAnswer?
    do throws(EngineFailure) {
      let arguments: JSONValue
      do {
        arguments = try JSONValue.encoded(RemoteDrawing(media, desk.words, tiles: tiles))
      } catch {
        throw EngineFailure(any: error)
      }
      result = try remote(
        RemoteWork(
          path: media.path, arguments: arguments, pixels: media.facts.mostPixels,
          isCancelled: desk.isCancelled))
    } catch {
      throw PlayedMedia.Failure(error)
    }
    guard let result else { return try drawing(of: media, with: desk) }
    guard let drawing = Drawing(result) else {
      throw PlayedMedia.Failure(
        MediaError(.internalError, "the sealed process sent an invalid drawing"))
    }
    return drawing
  }
}

extension PlayedMedia.Failure {
  init(_ failure: EngineFailure) {
    self.init(failure.mediaError)
    // A failure is never a success, whatever its process reports.
    if let status = failure.status, status > 0 { self.status = ExitStatus(code: status) }
  }
}
