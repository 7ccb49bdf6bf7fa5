import CommandLineKit
import EditLists
import ExactTime
import MediaEngine
import MediaFacts

/// The files that a list names, for commands that are given the list alone.
struct ListedFiles: Sendable {
  /// Their paths, without links, by the index of their source; those only of sources that have parts.
  let paths: [Int: [UInt8]]

  /// - Throws: ``PlayedMedia/Failure`` for a source without a name, or whose file is not below the folder.
  init(_ list: EditList, in folder: SourceFolder) throws(PlayedMedia.Failure) {
    var paths: [Int: [UInt8]] = [:]
    for source in Set(list.parts.map(\.source)).sorted() {
      guard let hint = list.sources[source].hint else {
        throw PlayedMedia.Failure(
          message: "source \(source + 1) has no name", hint: "Name the file on the command line.",
          status: .badData, code: "unreadableList")
      }
      let path = try folder.file(hint)
      if let other = paths.first(where: { $0.value == path })?.key,
        list.sources[other].hint.map(ListMedia.path) != ListMedia.path(hint)
      {
        throw PlayedMedia.Failure(
          message: "sources \(other + 1) and \(source + 1) have different paths, and both would be "
            + ForeignText.shown(path),
          hint: "Give the files on the command line.", status: .badData, code: "unreadableList")
      }
      paths[source] = path
    }
    self.paths = paths
  }

  /// Frames per second at which lists count.
  private static let rates = [
    Rational(25), Rational(24), Rational(30), Rational(30_000, 1001), Rational(50), Rational(60),
    Rational(60_000, 1001), Rational(48), Rational(100), Rational(120), Rational(15), Rational(12),
    Rational(10),
  ]

  /// The files of a list that is not read for a file yet: its times do not matter.
  init(
    namedIn file: ArgumentText, in folder: SourceFolder
  ) throws(PlayedMedia.Failure) {
    let list: EditList
    do throws(PlanFile.Failure) {
      let bytes = try PlanFile.bytes(of: file, upTo: ListCommand.longest, kind: "a list")
      func read(at rate: Rational) throws(ListError) -> EditList {
        try EditListFormat.read(
          bytes,
          context: .init(rate: rate, end: MediaTime(Int64(Int32.max)), ignoresMutes: true))
      }
      // Where frames are counted, only at its own rate is every part of a list as long in the source as in the result.
      if let found = Self.rates.lazy.compactMap({ try? read(at: $0) }).first {
        list = found
      } else {
        do throws(ListError) {
          list = try read(at: Rational(25))
        } catch {
          throw PlanFile.Failure(message: "\(error)", status: .badData)
        }
      }
    } catch {
      throw PlayedMedia.Failure(error)
    }
    try self.init(list, in: folder)
  }
}
