/// The parts of a track's header, other than samples and edits, that a cut carries over.
package struct ISOTrackBoxes: Sendable {
  /// The track_ID, which the output keeps where it is free.
  ///
  /// References from other tracks use it; for a rebuilt track the caller chooses it.
  package var id: UInt32
  /// The flags of `tkhd`: 1 enabled, 2 in the movie, 4 in its preview.
  package var flags: UInt32 = 3
  /// Seconds since 1904 as stored in `tkhd` and `mdhd`; 0 where not stated.
  package var creationTime: UInt64 = 0
  package var mediaCreationTime: UInt64 = 0
  package var layer: Int16 = 0
  package var alternateGroup: Int16 = 0
  /// The volume as a fixed-point number: 0x100 for audio.
  package var volume: UInt16 = 0
  package var matrix = ISOMatrix.identity
  /// Display size, as 16.16 numbers.
  package var width: UInt32 = 0
  package var height: UInt32 = 0

  /// Ticks per second of the track.
  package var timescale: UInt32
  /// The packed language and the quality of `mdhd`.
  package var language: UInt16 = 0x55C4
  package var quality: UInt16 = 0
  /// The handler's type and its name.
  package var handler: FourCC
  package var handlerName: String = ""
  /// The 12 bytes between the handler's type and its name: QuickTime's manufacturer and flags.
  package var handlerReserved: [UInt8] = []

  /// Boxes of `mdia` other than header, handler and `minf`: `elng`.
  package var mediaBoxes: [ISORawBox] = []
  /// Boxes of `minf` other than `stbl`: the media header, `dinf`, QuickTime's data handler.
  package var informationBoxes: [ISORawBox] = []
  /// The version of `stsd`, on which the layout of audio sample entries depends.
  package var descriptionVersion: UInt8 = 0
  package var sampleEntries: [ISORawSampleEntry] = []
  /// Boxes of `trak` that are carried over as they are: `udta`, `meta`, `tapt`, `uuid`.
  package var boxes: [ISORawBox] = []
  /// References to other tracks, by their ``id``.
  package var references: [ISOTrackReference] = []
  /// The sample groups that `moov` describes.
  package var groups: [ISOSourceGroup] = []
  /// Types of boxes that are not carried over.
  package internal(set) var dropped: [FourCC] = []

  init(id: UInt32, timescale: UInt32, handler: FourCC) {
    self.id = id
    self.timescale = timescale
    self.handler = handler
  }
}

/// A reference of one track to others (ISO 14496-12, 8.3.3): `chap`, `tmcd`, `cdsc` and so on.
package struct ISOTrackReference: Hashable, Sendable {
  package var type: FourCC
  package var ids: [UInt32]

  package init(_ type: FourCC, ids: [UInt32]) {
    self.type = type
    self.ids = ids
  }
}
