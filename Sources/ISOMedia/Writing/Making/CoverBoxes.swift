extension ISOMovieBoxes {
  /// Adds cover pictures to the iTunes tags, which FFmpeg, Apple's players and taggers read.
  package mutating func add(_ covers: [(format: ISOCoverArt.Format, picture: [UInt8])]) {
    guard !covers.isEmpty else { return }
    addItems([
      ISORawBox("covr") { writer in
        for (format, picture) in covers {
          writer.box("data") {
            // Well-known types (QuickTime File Format, Metadata, table 3-5), and no locale.
            $0.u32(format == .png ? 14 : 13)
            $0.u32(0)
            $0.raw(picture)
          }
        }
      }
    ])
  }
}
