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
      paths[source] = try folder.file(hint)
    }
    self.paths = paths
  }

  /// The files of a list that is not read for a file yet: what counts frames has any rate.
  init(
    namedIn file: ArgumentText, in folder: SourceFolder
  ) throws(PlayedMedia.Failure) {
    let list: EditList
    do throws(PlanFile.Failure) {
      let bytes = try PlanFile.bytes(of: file, upTo: ListCommand.longest, kind: "a list")
      do throws(ListError) {
        list = try EditListFormat.read(
          bytes,
          context: .init(
            rate: Rational(25), end: MediaTime(Int64(Int32.max)), ignoresMutes: true))
      } catch {
        throw PlanFile.Failure(message: "\(error)", status: .badData)
      }
    } catch {
      throw PlayedMedia.Failure(error)
    }
    try self.init(list, in: folder)
  }
}
