import ISOMedia
import MediaFiles

/// The parts of a file besides media and structure, in the terms of its format.
enum SourceParts {
  case boxes(ISOPartWalk)
  case chunks(SourceChunks)
  case elements(MatroskaParts)
  /// Of a format whose parts are not walked.
  case none

  /// - Parameters:
  ///   - voids: what is not read of the file.
  ///   - movie: what is read of a movie, where that is not all.
  init(_ file: InputFile, skipping voids: [Range<Int64>] = [], of movie: ISOMovie? = nil) {
    if ISOMovie.looksLikeISO(firstBytes: file.head) {
      if let walk = try? ISOPartWalk(reading: FileBytes(file), of: movie) {
        self = .boxes(walk)
      } else {
        self = .none
      }
    } else if let elements = MatroskaParts(file, skipping: voids) {
      self = .elements(elements)
    } else {
      let chunks = SourceChunks(file)
      self = chunks.kind == nil ? .none : .chunks(chunks)
    }
  }
}
