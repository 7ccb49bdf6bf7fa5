import CommandLineKit
import EditLists
import MediaFacts

extension EditListFormat {
  /// Writes the first of several lists that the format can hold.
  ///
  /// - Parameters:
  ///   - lists: of one file, what is lost least first.
  ///   - facts: those of the file, for its rate and timecode.
  /// - Returns: what was written, and the list's index.
  /// - Throws: ``PlayedMedia/Failure`` with why the last is refused.
  func written(
    firstOf lists: [EditList], of facts: MediaFacts
  ) throws(PlayedMedia.Failure) -> (written: Written, index: Int) {
    var refusal: ListError?
    for (index, one) in lists.enumerated() {
      var list = one
      list.rate = facts.frameRate
      if id == Self.cmx3600.id, let first = SourceTimecode.start(of: facts) {
        do throws(PlanFile.Failure) {
          list = try list.counted(from: first, isWritten: true)
        } catch {
          throw PlayedMedia.Failure(error)
        }
      }
      do throws(ListError) {
        return (try write(list), index)
      } catch {
        refusal = error
      }
    }
    throw PlayedMedia.Failure(
      message: refusal.map { "\($0)" } ?? "\(name) cannot hold it",
      hint: "Name another format with '--as'.", status: .badData, code: "unreadableList")
  }
}
