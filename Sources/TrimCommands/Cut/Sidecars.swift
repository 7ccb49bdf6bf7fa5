import CommandLineKit
import EditLists
import ExactTime
import Isolation
import MediaEngine
import Trimming

/// `--sidecars`: subtitles, transcripts and chapters beside the source, retimed and written beside the output.
///
/// They have the source's name, perhaps a language after it (`clip.en.srt` for `clip.mp4`), and become those
/// of the output with the same ending.
struct Sidecars {
  /// A file beside the source.
  private struct Source {
    let path: [UInt8]
    /// What follows the stem: `.en.srt`.
    let ending: [UInt8]
    let bytes: [UInt8]
    let retimer: Retimer
  }

  /// What becomes of a file beside the source.
  struct Written {
    let path: [UInt8]
    let output: [UInt8]
    /// The format's `id`, and its name for people.
    let format: String
    let formatName: String
    let text: Retimer.Retimed
    /// Where it is written; `nil` in a dry run, and where nothing is left of it.
    let file: ResultFile?

    func publish() throws(PlayedMedia.Failure) { try file?.publish(text.bytes) }
  }

  private var sources: [Source] = []
  private let media: [UInt8]

  /// The most that is read of one; hours of words with all their probabilities are less.
  private static let longest = 64 << 20

  /// Reads what is beside a file.
  ///
  /// - Throws: ``PlayedMedia/Failure`` for a sidecar that cannot be read.
  init(beside media: [UInt8]) throws(PlayedMedia.Failure) {
    self.media = media
    let (folder, name) = Self.split(media)
    let stem = Self.stem(of: name)
    let names: [[UInt8]]
    do throws(FolderListing.Failure) {
      names = try FolderListing.names(in: folder.isEmpty ? Array(".".utf8) : folder)
    } catch {
      throw PlayedMedia.Failure(message: error.message, hint: error.hint, status: error.status)
    }
    for other in names where other != name && other.starts(with: stem) {
      let ending = Array(other.dropFirst(stem.count))
      guard let kind = Self.kind(of: ending) else { continue }
      let path = folder + other
      // A pipe of that name would never end.
      guard (try? InputFile(path: path)) != nil else { continue }
      let bytes = try Self.bytes(of: path)
      // An extension such as .json says little: what is no sidecar stays where it is.
      guard let retimer = try? Retimer.of(bytes, extension: kind) else { continue }
      sources.append(Source(path: path, ending: ending, bytes: bytes, retimer: retimer))
    }
  }

  /// What belongs to an output, its places checked and kept unless it is a dry run.
  ///
  /// - Throws: ``PlayedMedia/Failure`` for one that is damaged, and for an output that exists.
  func written(
    by plan: CutPlan, beside output: [UInt8], replaces: Bool, isDryRun: Bool
  ) throws(PlayedMedia.Failure) -> [Written] {
    let (folder, name) = Self.split(output)
    var written: [Written] = []
    for source in sources {
      let text: Retimer.Retimed
      do throws(ListError) {
        text = try source.retimer(source.bytes, by: try TimeMap(of: plan))
      } catch {
        throw Self.failure(source.path, "\(error)")
      }
      let path = folder + Self.stem(of: name) + source.ending
      let isWritten = !isDryRun && !text.bytes.isEmpty
      written.append(
        Written(
          path: source.path, output: path, format: source.retimer.format.id,
          formatName: source.retimer.format.name, text: text,
          file: isWritten
            ? try ResultFile(
              path, replaces: replaces, madeFrom: source.path,
              sparing: sources.map(\.path) + [media]) : nil))
    }
    return written
  }

  private static func failure(_ path: [UInt8], _ reason: String) -> PlayedMedia.Failure {
    PlayedMedia.Failure(
      message: "the sidecar \(ForeignText.shown(path)) cannot be re-timed: \(reason)",
      hint: "Mend or move it, or cut without --sidecars.", status: .badData,
      code: "unreadableList")
  }

  private static func bytes(of path: [UInt8]) throws(PlayedMedia.Failure) -> [UInt8] {
    do throws(PlanFile.Failure) {
      return try PlanFile.bytes(
        of: ArgumentText(bytes: path), upTo: longest, kind: "a sidecar")
    } catch {
      throw PlayedMedia.Failure(
        message: "the sidecar \(ForeignText.shown(path)) cannot be read: \(error.message)",
        status: error.status)
    }
  }

  /// The folder with its slash, and the name.
  private static func split(_ path: [UInt8]) -> (folder: [UInt8], name: [UInt8]) {
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return (Array(path[..<start]), Array(path[start...]))
  }

  private static func stem(of name: [UInt8]) -> [UInt8] {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
    return Array(name[..<dot])
  }

  /// The extension of a sidecar, from what follows the stem: `.srt`, `.en.srt`, `.pt-BR.forced.vtt`,
  /// `.chapters.xml`; `nil` for anything else, such as another file whose name begins alike.
  static func kind(of ending: [UInt8]) -> String? {
    let words = ending.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self).lowercased() }
    guard words.count > 1, words[0].isEmpty, let kind = words.last,
      Retimer.extensions.contains(kind),
      words.dropFirst().dropLast().allSatisfy({ isLanguage($0) || roles.contains($0) })
    else { return nil }
    return kind
  }

  private static let roles: Set<String> = [
    "forced", "sdh", "default", "auto", "orig", "chapters", "transcript", "words", "labels",
  ]

  /// A language tag: two or three letters, and subtags (RFC 5646, section 2.1).
  private static func isLanguage(_ word: String) -> Bool {
    let tags = word.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = tags.first, (2...3).contains(first.utf8.count),
      first.utf8.allSatisfy({ (0x61...0x7A).contains($0) })
    else { return false }
    return tags.dropFirst().allSatisfy { tag in
      (1...8).contains(tag.utf8.count)
        && tag.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }
  }
}

extension TimeMap {
  /// The map of the parts of a cut.
  ///
  /// All of them are the file's own: the sources of the plan are its pieces, such as the links of a chained
  /// Ogg file, on one timeline.
  init(of plan: CutPlan) throws(ListError) {
    let parts = plan.shownParts.compactMap { part in
      (try? part.start.advanced(by: part.length))
        .flatMap { MediaTimeRange(from: part.start, to: $0) }
        .map { (range: $0, isOwn: true) }
    }
    guard parts.count == plan.shownParts.count, let map = try? TimeMap(following: parts) else {
      throw ListError.outOfRange
    }
    self = map
  }
}

extension Sidecars.Written {
  /// The numbers of cues for people.
  var sentence: String {
    guard !text.bytes.isEmpty else { return "not written: nothing in it is in what is written" }
    var words = "\(formatName), \(CountText.of(text.written, "cue"))"
    let lost = [(text.dropped, "dropped"), (text.clipped, "clipped")].filter { $0.0 > 0 }
    if !lost.isEmpty {
      words += " (" + lost.map { "\($0.0) \($0.1)" }.joined(separator: ", ") + ")"
    }
    return words
  }

  var leftOut: [String] { text.leftOut }

  var record: JSONValue {
    .object(
      JSONValue.members([
        "path": .string(String(decoding: path, as: UTF8.self)),
        "output": text.bytes.isEmpty
          ? .null : OutputRecord.value(output, bytes: text.bytes.count),
      ]) + Self.columns(format, text))
  }

  /// What a re-timed text is, in JSON.
  static func columns(_ format: String, _ text: Retimer.Retimed) -> [JSONValue.Member] {
    JSONValue.members([
      "format": .string(format), "written": .integer(text.written),
      "dropped": .integer(text.dropped), "clipped": .integer(text.clipped),
      "left_out": .array(text.leftOut.map(JSONValue.string)),
    ])
  }
}
