import Bitstreams
package import ISOMedia
package import Libav

/// MP4 and QuickTime files in which FFmpeg misinterprets some boxes.
package enum PatchedMovie {
  /// The file with those boxes replaced; `nil` if there are none.
  package static func input(of file: InputFile) -> (any ByteInput)? {
    guard ISOMovie.looksLikeISO(firstBytes: file.head),
      let movie = try? ISOMovie(reading: FileBytes(file))
    else { return nil }
    return input(of: file, movie)
  }

  package static func input(of file: InputFile, _ movie: ISOMovie) -> (any ByteInput)? {
    guard !movie.isHeaderUnpacked else { return nil }
    let patches =
      AudioEntries.patches(for: file, movie) + EarlyCovers.patches(for: movie)
      + movie.tracks.compactMap { track in
        guard track.statedTimescale != nil, let place = track.timescaleOffset,
          let timescale = track.timescale.flatMap({ UInt32(exactly: $0) })
        else { return nil }
        return .init(place: place, bytes: timescale.bytes(.big))
      }
    return patches.isEmpty ? nil : OverlaidInput(file, patches)
  }
}

extension OverlaidInput.Patch {
  /// Replaces the type of a box, which follows its size.
  static func type(_ type: String, ofBoxAt offset: Int64) -> Self {
    .init(place: offset + 4, bytes: Array(type.utf8))
  }
}
