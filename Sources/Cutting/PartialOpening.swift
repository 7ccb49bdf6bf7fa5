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
  /// - Parameters:
  ///   - ranges: on the file's own clock.
  ///   - opened: as parts of it were read before.
  /// - Returns: `nil` where all of it has to be read.
  func source(
    showing ranges: [MediaTimeRange], of opened: any CutSource
  ) throws(MediaError) -> (any CutSource)? {
    if let native = opened.native { return try movie(showing: ranges, of: native) }
    return try matroska(showing: ranges)
  }

  /// The same of a fragmented movie.
  ///
  /// - Parameter opened: `nil` where nothing of it was read, and nothing has to be shown.
  func movie(
    showing ranges: [MediaTimeRange], of opened: ISOCutSource?
  ) throws(MediaError) -> ISOCutSource? {
    try .inParts(
      file, showing: ranges, opened: opened, limits: cutter.limits,
      isCancelled: cutter.isCancelled)
  }

  /// The same of Matroska.
  func matroska(showing ranges: [MediaTimeRange]) throws(MediaError) -> PacketCutSource? {
    let isCancelled = cutter.isCancelled
    let partly: PartlyReadMatroska?
    do {
      try LibavLibrary.limitAllocations(to: cutter.limits.allocation)
      partly = try PartlyReadMatroska.open(
        file, showing: ranges, cutter.limits.demuxer, isCancelled: isCancelled)
    } catch {
      throw MediaError(any: error)
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
