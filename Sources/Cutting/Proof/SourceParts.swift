import ISOMedia
import MediaFiles

/// The parts of a file besides media and structure, in the terms of its format.
enum SourceParts {
  case boxes(ISOPartWalk)
  case chunks(SourceChunks)
  case elements(MatroskaParts)
  /// Of a format whose parts are not walked.
  case none

  /// - Parameter voids: what is not read of the file.
  init(_ file: InputFile, skipping voids: [Range<Int64>] = []) {
    if ISOMovie.looksLikeISO(firstBytes: file.head) {
      if let walk = try? ISOPartWalk(reading: FileBytes(file)) {
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
