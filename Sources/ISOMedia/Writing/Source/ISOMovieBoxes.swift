/// The parts of a file's header, other than tracks and times, that a cut carries over.
package struct ISOMovieBoxes: Sendable {
  /// `nil` for a QuickTime movie from before `ftyp`.
  package var brands: ISOBrands?
  /// Seconds since 1904 as stored; 0 where not stated.
  package var creationTime: UInt64 = 0
  /// The timescale of the source, which the output uses where it expresses every edit exactly.
  package var timescale: UInt32 = 0
  /// Preferred playback rate and volume, fixed-point numbers.
  package var rate: UInt32 = 0x1_0000
  package var volume: UInt16 = 0x100
  package var matrix = ISOMatrix.identity
  package var nextTrackID: UInt32 = 0
  /// Boxes of `moov` that are carried over as they are: `meta`, `uuid`, `pssh` and others.
  package var boxes: [ISORawBox] = []
  /// The boxes within `udta`, without the chapter list.
  package var userData: [ISORawBox] = []
  /// Top-level boxes that are carried over: `uuid`, and `meta` without file offsets.
  package var fileBoxes: [ISORawBox] = []
  /// True when the source has a `chpl` list of chapters, which the caller rebuilds.
  package internal(set) var hasChapterList = false
  /// Types of boxes that are not carried over, at the top level and in `moov`.
  package internal(set) var dropped: [FourCC] = []

  package init(brands: ISOBrands?) { self.brands = brands }

  /// True for a QuickTime movie: brand `qt  `, or no `ftyp` at all.
  package var isQuickTime: Bool { brands?.isQuickTime ?? true }
}
