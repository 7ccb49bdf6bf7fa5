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
      // Two digits count up to 100 frames; what drops frames is read at 29.97 fps first, then at 59.94.
      if let found = try? read(at: Rational(100)) {
        list = found
      } else {
        do throws(ListError) {
          list = try read(at: Rational(60_000, 1001))
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
