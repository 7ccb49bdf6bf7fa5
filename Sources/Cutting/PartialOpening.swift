import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Probing
import Trimming

/// How a file on another machine is opened of which a cut reads only the media of its range, where the rest follows
/// from both ends and the index.
struct PartialOpening {
  let cutter: FileCutter
  let file: InputFile

  /// The file, of which both ends and the media of some ranges are read.
  ///
  /// - Parameter ranges: on the file's own clock.
  /// - Returns: `nil` where all of it has to be read.
  func source(showing ranges: [MediaTimeRange]) throws(CutError) -> PacketCutSource? {
    let isCancelled = cutter.isCancelled
    let partly: PartlyReadMatroska?
    do {
      try LibavLibrary.limitAllocations(to: cutter.limits.allocation)
      partly = try PartlyReadMatroska.open(
        file, showing: ranges, cutter.limits.demuxer, isCancelled: isCancelled)
    } catch let error as ProbeError {
      throw CutError(error)
    } catch let error as LibavError {
      throw CutError(error)
    } catch {
      throw CutError(.internalError, "\(error)")
    }
    guard let partly else { return nil }
    let source = try PacketCutSource(
      file, partly: partly, limits: cutter.limits, isCancelled: isCancelled,
      progress: { _ in !isCancelled() })
    // An ordered edition plays parts that were not read; what is damaged shows more in the whole file.
    guard source.followed == nil, source.facts.damage.isEmpty,
      !source.facts.notes.contains(where: { $0.id == .orderedEdition }),
      source.tracks.allSatisfy({ $0.strays.isEmpty && $0.overlaps.isEmpty && $0.corrupt.isEmpty })
    else { return nil }
    return source
  }
}
