/// What a film's header says besides its tracks and times: all that a cut carries over.
public struct ISOMovieBoxes: Sendable {
  /// `nil` for a QuickTime movie from before `ftyp`.
  public var brands: ISOBrands?
  /// Seconds since 1904 as stored; 0 where the file says nothing.
  public var creationTime: UInt64 = 0
  /// The time scale of the source, which the output takes where it states every edit exactly.
  public var timescale: UInt32 = 0
  /// Preferred playback rate and volume, fixed-point numbers.
  public var rate: UInt32 = 0x1_0000
  public var volume: UInt16 = 0x100
  public var matrix = ISOMatrix.identity
  public var nextTrackID: UInt32 = 0
  /// Boxes of `moov` that are carried over as they are: `meta`, `uuid`, `pssh` and others.
  public var boxes: [ISORawBox] = []
  /// The boxes within `udta`, without the chapter list.
  public var userData: [ISORawBox] = []
  /// Boxes of the file's top level that are carried over: `uuid`, and `meta` that points nowhere.
  public var fileBoxes: [ISORawBox] = []
  /// True when the source has a `chpl` list of chapters, which the caller rebuilds.
  public internal(set) var hasChapterList = false
  /// Types of boxes that are not carried over, at the top level and in `moov`.
  public internal(set) var dropped: [FourCC] = []

  public init(brands: ISOBrands?) { self.brands = brands }

  /// True for a QuickTime movie: brand `qt  `, or no `ftyp` at all.
  public var isQuickTime: Bool { brands?.isQuickTime ?? true }
}
