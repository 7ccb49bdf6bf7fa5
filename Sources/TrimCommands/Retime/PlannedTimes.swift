import CommandLineKit
import EditLists
import ExactTime
import MediaEngine

/// The map of source and output times in the JSON of a cut or join, planned or done.
struct PlannedTimes {
  let map: TimeMap

  /// - Parameter source: the index of a source; `nil` for the only one.
  init(
    reading bytes: [UInt8], source: Int?
  ) throws(PlayedMedia.Failure) {
    let document: JSONValue
    do throws(JSONReader.Failure) {
      document = try JSONReader.read(bytes)
    } catch {
      throw Self.failure("it is not a JSON document: \(error)")
    }
    // A row of a batch has them in its result.
    guard case .array(let parts)? = document["parts"] ?? document["result"]?["parts"],
      !parts.isEmpty
    else {
      throw Self.failure(
        "it has no parts with times; 'trim cut --json' prints them, with -n or without")
    }
    let sources = Set(parts.map { $0["source"]?.exactInteger ?? 0 })
    guard sources.count == 1 || source != nil else {
      throw PlayedMedia.Failure(
        message: "it is of \(sources.count) files", hint: "Say which one with --source.",
        status: .usage)
    }
    let own = source.map { Int64($0) } ?? sources.first ?? 0
    guard sources.contains(own) else {
      throw PlayedMedia.Failure(
        message: "it has no part of a file \(own + 1)", status: .usage)
    }
    var ranges: [(range: MediaTimeRange, isOwn: Bool)] = []
    for (index, part) in parts.enumerated() {
      guard let start = Self.time(part["written_from"]), let end = Self.time(part["written_to"]),
        let range = MediaTimeRange(from: start, to: end)
      else {
        throw Self.failure("$.parts[\(index)]: it has no times 'written_from' and 'written_to'")
      }
      ranges.append((range, (part["source"]?.exactInteger ?? 0) == own))
    }
    do throws(ExactTimeError) {
      map = try TimeMap(following: ranges)
    } catch {
      throw Self.failure("its times are out of range")
    }
  }

  private static func time(_ value: JSONValue?) -> MediaTime? {
    value?["value"].flatMap { try? $0.decoded(as: MediaTime.self) }
  }

  private static func failure(_ message: String) -> PlayedMedia.Failure {
    PlayedMedia.Failure(message: message, status: .badData, code: "unreadablePlan")
  }
}
