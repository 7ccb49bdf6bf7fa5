import CommandLineKit
import EditLists
import ExactTime
import MediaEngine
import MediaFacts

/// A file that a list is for.
struct ListMedia: Sendable {
  let path: [UInt8]
  let facts: MediaFacts

  init(
    _ file: ArgumentText, with tool: Tool, _ timeout: Duration?
  ) throws(PlayedMedia.Failure) {
    path = file.bytes
    do throws(MediaError) {
      facts = try tool.engine.probe(.file(path: path), ProbeOptions(timeout: timeout)) { _ in
        tool.interruption() == 0
      }
    } catch {
      throw PlayedMedia.Failure(error)
    }
  }

  /// A file that was probed before.
  init(_ path: [UInt8], _ facts: MediaFacts) { (self.path, self.facts) = (path, facts) }

  /// The name without its folders.
  var name: String { Self.baseName(String(decoding: path, as: UTF8.self)) }

  /// The last part of a path or URL, of either kind of slash.
  static func baseName(_ hint: String) -> String {
    let last = hint.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.last
    guard let last, let name = String(last) else { return hint }
    return hint.hasPrefix("file:") ? decoded(name) : name
  }

  /// The path that a hint is, which may be a `file:` URL (RFC 8089).
  static func path(_ hint: String) -> [UInt8] {
    guard hint.hasPrefix("file:") else { return Array(hint.utf8) }
    var rest = decoded(String(hint.dropFirst("file:".count)))[...]
    // After two slashes comes the host, which is this one.
    if rest.hasPrefix("//") { rest = rest.dropFirst(2).drop { $0 != "/" } }
    return Array(rest.utf8)
  }

  /// A URL's text with its `%41` as characters (RFC 3986, section 2.1).
  private static func decoded(_ name: String) -> String {
    var bytes: [UInt8] = []
    var rest = name.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let digits = String(rest.prefix(2)), digits.utf8.count == 2,
        let value = UInt8(digits, radix: 16)
      {
        bytes.append(value)
        rest.removeFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A list whose sources are the files that were given for it.
struct MatchedList: Sendable {
  let list: EditList
  /// The files, by the index of their source.
  let media: [Int: ListMedia]
  /// What does not fit the files, as sentences with the part.
  let findings: [String]

  /// - Throws: ``PlayedMedia/Failure`` for a file that the list does not name.
  init(_ list: EditList, _ media: [ListMedia]) throws(PlayedMedia.Failure) {
    self.init(list, try Self.matches(list, media))
  }

  /// - Parameter media: the files, by the index of their source.
  init(_ list: EditList, _ media: [Int: ListMedia]) {
    self.list = list
    self.media = media
    var findings: [String] = []
    for (index, part) in list.parts.enumerated() {
      guard let media = self.media[part.source], let end = media.facts.presentedEnd else {
        continue
      }
      let (start, stop) = (part.range.start, part.range.end)
      // A part that ends with the file may be rounded up.
      let last = (try? end.advanced(by: Self.mostRounding)) ?? end
      let late = start >= end ? "begins at \(Self.text(start))" : "ends at \(Self.text(stop))"
      if start < .zero {
        findings.append("parts[\(index)]: it begins before \(media.name)")
      } else if stop > last {
        findings.append(
          "parts[\(index)]: it \(late), and \(media.name) ends at \(Self.text(end))")
      }
    }
    self.findings = findings
  }

  /// Half of a millisecond, the coarsest unit of the formats that do not count frames.
  private static let mostRounding = MediaDuration(1, 2000)

  private static func text(_ time: MediaTime) -> String {
    DecimalText.shortest(time.seconds) + " s"
  }

  private static func matches(
    _ list: EditList, _ media: [ListMedia]
  ) throws(PlayedMedia.Failure) -> [Int: ListMedia] {
    // The only file is that of the only source, whatever its name was.
    if list.sources.count == 1, media.count == 1 { return [0: media[0]] }
    var matches: [Int: ListMedia] = [:]
    for media in media {
      let place = list.sources.indices.first { index in
        matches[index] == nil
          && list.sources[index].hint.map(ListMedia.baseName) == media.name
      }
      guard let place else {
        throw PlayedMedia.Failure(
          message: "it names no file '\(media.name)'", status: .usage)
      }
      matches[place] = media
    }
    return matches
  }
}
