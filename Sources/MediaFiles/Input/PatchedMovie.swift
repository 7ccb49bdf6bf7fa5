package import ISOMedia
package import Libav

/// MP4 and QuickTime of which FFmpeg reads some boxes otherwise than they are meant.
package enum PatchedMovie {
  /// The file with others in their place; `nil` where there are none.
  package static func input(of file: InputFile) -> (any ByteInput)? {
    guard ISOMovie.looksLikeISO(firstBytes: file.head),
      let movie = try? ISOMovie(reading: FileBytes(file))
    else { return nil }
    return input(of: file, movie)
  }

  package static func input(of file: InputFile, _ movie: ISOMovie) -> (any ByteInput)? {
    guard !movie.isHeaderUnpacked else { return nil }
    let patches = SoundEntries.patches(for: file, movie) + EarlyCovers.patches(for: movie)
    return patches.isEmpty ? nil : OverlaidInput(file, patches)
  }
}

extension OverlaidInput.Patch {
  /// Another type for a box: it stands behind its size.
  static func type(_ type: String, ofBoxAt offset: Int64) -> Self {
    .init(place: offset + 4, bytes: Array(type.utf8))
  }
}
