import CommandLineKit
import ExactTime
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

  init(_ film: DrawnFilm, _ words: [ArgumentText], tiles: ScreenTiles?) {
    self.words = words.map(\.bytes)
    path = film.path
    location = film.location
    facts = film.facts
    part = film.part
    bounds = film.bounds
    origin = film.origin
    milliseconds = max(0, (film.deadline - .now).wholeMilliseconds)
    self.tiles = tiles
  }

  var film: DrawnFilm {
    DrawnFilm(
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
  init?(_ result: RemoteWork.Result) {
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
    _ film: DrawnFilm, with desk: EngineDesk, tiles: ScreenTiles? = nil
  ) throws(PlayFilm.Failure) -> Drawing {
    guard let remote = desk.engine.remote else { return try drawing(of: film, with: desk) }
    let result: RemoteWork.Result?
    do throws(EngineFailure) {
      let arguments: JSONValue
      do {
        arguments = try JSONValue.encoded(RemoteDrawing(film, desk.words, tiles: tiles))
      } catch {
        throw EngineFailure(any: error)
      }
      result = try remote(
        RemoteWork(
          path: film.path, arguments: arguments, pixels: film.facts.mostPixels,
          isCancelled: desk.isCancelled))
    } catch {
      throw PlayFilm.Failure(error)
    }
    guard let result else { return try drawing(of: film, with: desk) }
    guard let drawing = Drawing(result) else {
      throw PlayFilm.Failure(
        ProbeError(.internalError, "the sealed process sent an invalid drawing"))
    }
    return drawing
  }
}

extension PlayFilm.Failure {
  init(_ failure: EngineFailure) {
    self.init(failure.probeError)
    // A failure is never a success, whatever its process reports.
    if let status = failure.status, status > 0 { self.status = ExitStatus(code: status) }
  }
}
