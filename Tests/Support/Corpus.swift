package import ExactTime
import Foundation

/// Real files made by other people, with the results of a full decode of each; found through
/// `TRIM_CORPUS`, and always optional.
package struct Corpus: Sendable {
  package let folder: String
  package let clips: [CorpusClip]

  /// `nil` when the variable is not set or the folder has no manifest.
  package static let shared: Corpus? = {
    guard let folder = ProcessInfo.processInfo.environment["TRIM_CORPUS"], !folder.isEmpty,
      let text = try? String(contentsOfFile: folder + "/MANIFEST.jsonl", encoding: .utf8)
    else { return nil }
    let clips = text.split(separator: "\n").compactMap { CorpusClip(line: String($0), in: folder) }
    return Corpus(folder: folder, clips: clips)
  }()

  /// The message of tests that are skipped without it.
  package static let absence = "no corpus of real clips: set TRIM_CORPUS to its folder"
}

/// One file of the corpus, and the facts known about it.
package struct CorpusClip: Sendable, CustomStringConvertible {
  package let name: String
  package let path: String
  package let first: Rational?
  package let end: Rational?
  package let span: Rational?
  package let oneFrame: Rational
  package let streams: [Stream]
  package let native: [String: String]
  package var description: String { name }

  package struct Stream: Sendable {
    package let index: Int
    package let kind: String
    package let codec: String
    package let first: Rational?
    package let end: Rational?
    package let frames: Int?
    package let samples: Int?
    package let sampleRate: Int?
    package let isCoverArt: Bool
  }

  init?(line: String, in folder: String) {
    guard let data = line.data(using: .utf8),
      let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let name = object["path"] as? String
    else { return nil }
    self.name = name
    path = folder + "/" + name
    let truth = object["truth"] as? [String: Any] ?? [:]
    first = Self.rational(truth["first"])
    end = Self.rational(truth["end"])
    span = Self.rational(truth["span"])
    oneFrame = Self.rational(truth["one_frame"]) ?? .zero
    streams = (object["streams"] as? [[String: Any]] ?? []).map { stream in
      Stream(
        index: stream["index"] as? Int ?? 0, kind: stream["type"] as? String ?? "",
        codec: stream["codec"] as? String ?? "", first: Self.rational(stream["first"]),
        end: Self.rational(stream["end"]), frames: stream["frames"] as? Int,
        samples: stream["samples"] as? Int, sampleRate: stream["sample_rate"] as? Int,
        isCoverArt: stream["attached_pic"] as? Int == 1)
    }
    native = (object["native"] as? [String: Any] ?? [:]).mapValues { "\($0)" }
  }

  private static func rational(_ value: Any?) -> Rational? {
    (value as? String).flatMap { Rational(exactly: $0) }
  }
}
