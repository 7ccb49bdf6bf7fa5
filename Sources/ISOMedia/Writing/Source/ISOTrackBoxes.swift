/// What a track's header says besides its samples and edits: all that a cut carries over.
public struct ISOTrackBoxes: Sendable {
  /// The track_ID, which the output keeps where it is free.
  ///
  /// References of other tracks name it; a track that is rebuilt has one of the caller's choice.
  public var id: UInt32
  /// The flags of `tkhd`: 1 enabled, 2 in the film, 4 in its preview.
  public var flags: UInt32 = 3
  /// Seconds since 1904 as `tkhd` and `mdhd` store them; 0 where the file says nothing.
  public var creationTime: UInt64 = 0
  public var mediaCreationTime: UInt64 = 0
  public var layer: Int16 = 0
  public var alternateGroup: Int16 = 0
  /// A fixed-point number: 0x100 for sound.
  public var volume: UInt16 = 0
  public var matrix = ISOMatrix.identity
  /// Size of the presentation, 16.16 numbers.
  public var width: UInt32 = 0
  public var height: UInt32 = 0

  /// Ticks a second of the track.
  public var timescale: UInt32
  /// The packed language and the quality of `mdhd`.
  public var language: UInt16 = 0x55C4
  public var quality: UInt16 = 0
  /// The handler's type and its name.
  public var handler: FourCC
  public var handlerName: String = ""
  /// The 12 bytes between the handler's type and its name: QuickTime's manufacturer and flags.
  public var handlerReserved: [UInt8] = []

  /// Boxes of `mdia` besides header, handler and `minf`: `elng`.
  public var mediaBoxes: [ISORawBox] = []
  /// Boxes of `minf` besides `stbl`: the media header, `dinf`, QuickTime's data handler.
  public var informationBoxes: [ISORawBox] = []
  /// The version of `stsd`, on which the layout of sound descriptions depends.
  public var descriptionVersion: UInt8 = 0
  public var sampleEntries: [ISORawSampleEntry] = []
  /// Boxes of `trak` that are carried over as they are: `udta`, `meta`, `tapt`, `uuid`.
  public var boxes: [ISORawBox] = []
  /// References to other tracks, by their ``id``.
  public var references: [ISOTrackReference] = []
  /// The sample groups that `moov` describes.
  public var groups: [ISOSourceGroup] = []
  /// The edit list of the source as stored, for who wants to look.
  public internal(set) var sourceEdits: ISORawBox?
  /// Types of boxes that are not carried over.
  public internal(set) var dropped: [FourCC] = []

  init(id: UInt32, timescale: UInt32, handler: FourCC) {
    self.id = id
    self.timescale = timescale
    self.handler = handler
  }
}

/// A reference of one track to others (ISO 14496-12, 8.3.3): `chap`, `tmcd`, `cdsc` and so on.
public struct ISOTrackReference: Hashable, Sendable {
  public var type: FourCC
  public var ids: [UInt32]

  public init(_ type: FourCC, ids: [UInt32]) {
    self.type = type
    self.ids = ids
  }
}
