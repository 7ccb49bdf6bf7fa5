public import ExactTime

/// One track as its headers describe it (ISO 14496-12, 8.3).
public struct ISOTrack: Sendable {
  /// The track_ID; 0 where the header is missing.
  public internal(set) var id: UInt32 = 0
  /// `vide`, `soun`, `text`, `sbtl`, `subt`, `tmcd`, `meta`, `hint` and so on.
  public internal(set) var handler: FourCC?
  /// The name in the handler box; `nil` when empty.
  public internal(set) var handlerName: String?
  /// The name in the track's user data; `nil` when there is none.
  public internal(set) var title: String?
  public internal(set) var tags: [ISOTag] = []
  public internal(set) var isEnabled = true
  /// Tracks of one group other than 0 are alternatives to each other.
  public internal(set) var alternateGroup: Int16 = 0

  /// Ticks a second of the track's own time; `nil` where the file says 0 or nothing.
  public internal(set) var timescale: Int64?
  /// The duration of `mdhd` in track ticks; `nil` when 0, unknown (all ones) or beyond 63 bits.
  public internal(set) var mediaDuration: Int64?
  /// The duration of `tkhd` in movie ticks; `nil` when 0, unknown (all ones) or beyond 63 bits.
  public internal(set) var headerDuration: Int64?
  /// Three letters of ISO 639-2 or the tag of an `elng` box; `nil` when undetermined.
  public internal(set) var language: String?

  /// How a player turns the picture: the matrices of track and movie together.
  public internal(set) var orientation = ISOOrientation()
  /// Size in the track header, in whole pixels: the presentation's, not the coded one.
  public internal(set) var displayWidth = 0
  public internal(set) var displayHeight = 0

  public internal(set) var sampleEntries: [ISOSampleEntry] = []
  /// The edit list as stored, in order; empty where the track is shown as it is.
  public internal(set) var edits: [ISOEdit] = []
  /// References to other tracks, by type: `chap`, `tmcd`, `cdsc` and so on.
  public internal(set) var references: [FourCC: [UInt32]] = [:]
  public internal(set) var timecode: ISOTimecode?
  public internal(set) var compositionShift: ISOCompositionShift?

  /// What the sample tables of `moov` and all fragments add up to.
  public internal(set) var timing = ISOTrackTiming()
  /// Where the samples lie, and whether the file has them.
  public internal(set) var placement = ISOTrackPlacement()
  /// The start of the first fragment as its `tfdt` says, in track ticks.
  public internal(set) var firstFragmentTime: Int64?

  /// True when some other track names this one as its list of chapters.
  public internal(set) var isChapterTrack = false
  /// True when all its media lie in another file, which is never opened.
  public internal(set) var isExternal = false
  /// The sample entries, counted from 1, whose samples lie in another file (ISO 14496-12, 8.7.2).
  public internal(set) var externalEntries: Set<UInt32> = []

  var tables = SampleTables()
  var fragments: FragmentSamples?
  var limits = ISOLimits()
  var fileByteCount: Int64 = 0
  var hasImpossibleTable = false

  /// True when the samples are encrypted (ISO 23001-7).
  public var isEncrypted: Bool { sampleEntries.contains { $0.encryption != nil } }

  /// How many samples there are in `moov` and all fragments.
  public var sampleCount: Int64 { timing.sampleCount }
}

/// What a track's sample tables add up to, without expanding them.
public struct ISOTrackTiming: Hashable, Sendable {
  public internal(set) var sampleCount: Int64 = 0
  /// The sum of all sample durations, in track ticks.
  public internal(set) var totalDuration: Int64 = 0
  /// The duration that all samples share; `nil` when they differ or there are none.
  public internal(set) var constantDuration: Int64?
  /// The least and the greatest presentation minus decoding time; `nil` without samples.
  public internal(set) var leastCompositionOffset: Int32?
  public internal(set) var greatestCompositionOffset: Int32?
  /// True when decoding can start at every sample.
  public internal(set) var isAllSync = true

  /// True when some samples are shown in another order, or at another distance, than decoded.
  public var isReordered: Bool { leastCompositionOffset != greatestCompositionOffset }
}

/// Where a track's samples lie in the file.
public struct ISOTrackPlacement: Hashable, Sendable {
  /// All bytes of the samples, inside the file or not.
  public internal(set) var byteCount: Int64 = 0
  /// Samples that end beyond the file.
  public internal(set) var outsideCount: Int64 = 0
  /// Where the first of them begins.
  public internal(set) var firstOutsideOffset: Int64?
  /// Samples that no chunk holds.
  public internal(set) var unplacedCount: Int64 = 0

  public var isComplete: Bool { outsideCount == 0 && unplacedCount == 0 }
}

/// One entry of an edit list (ISO 14496-12, 8.6.6).
public struct ISOEdit: Hashable, Sendable {
  /// How long it lasts, in movie ticks; 0 in a fragmented film means to the end.
  public var segmentDuration: UInt64
  /// Where in the media it starts, in track ticks; −1 for an empty edit.
  public var mediaTime: Int64
  /// Playback rate, a 16.16 number: 1 in all sane files, 0 for a dwell.
  public var rate: Rational

  public var isEmpty: Bool { mediaTime == -1 }
}

/// The `cslg` box: how composition and decoding times relate (ISO 14496-12, 8.6.1.4).
public struct ISOCompositionShift: Hashable, Sendable {
  public var compositionToDecodeShift: Int64
  public var leastOffset: Int64
  public var greatestOffset: Int64
  public var compositionStart: Int64
  public var compositionEnd: Int64
}

/// A QuickTime timecode track's description and the number its first sample holds.
public struct ISOTimecode: Hashable, Sendable {
  /// Bit 0: drop frame; bit 1: 24 hours at most; bit 2: negative times; bit 3: counter.
  public var flags: UInt32
  public var timescale: UInt32
  /// Duration of a frame in ticks of ``timescale``.
  public var frameDuration: UInt32
  /// Frames a second, rounded up.
  public var framesPerSecond: UInt8
  /// The frame number at which the track starts; `nil` when its sample is not in the file.
  public var startFrame: Int64?

  public var isDropFrame: Bool { flags & 1 != 0 }
}
