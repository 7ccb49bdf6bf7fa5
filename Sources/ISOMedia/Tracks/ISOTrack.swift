package import ExactTime

/// One track as its headers describe it (ISO 14496-12, 8.3).
package struct ISOTrack: Sendable {
  /// The track_ID; 0 where the header is missing.
  package internal(set) var id: UInt32 = 0
  /// `vide`, `soun`, `text`, `sbtl`, `subt`, `tmcd`, `meta`, `hint` and so on.
  package internal(set) var handler: FourCC?
  /// The name in the handler box; `nil` when empty.
  package internal(set) var handlerName: String?
  /// The name in the track's user data; `nil` when there is none.
  package internal(set) var title: String?
  package internal(set) var tags: [ISOTag] = []
  package internal(set) var isEnabled = true
  /// Tracks of the same group, other than 0, are alternatives to each other.
  package internal(set) var alternateGroup: Int16 = 0

  /// Ticks per second of the track's media timeline; `nil` where 0 or not stated.
  package internal(set) var timescale: Int64?
  /// The stated timescale, where it is impossible and ``timescale`` is another.
  package internal(set) var statedTimescale: Int64?
  /// Where the timescale is stated in the file.
  package internal(set) var timescaleOffset: Int64?
  /// The duration of `mdhd` in track ticks; `nil` when 0, unknown (all ones) or beyond 63 bits.
  package internal(set) var mediaDuration: Int64?
  /// The duration of `tkhd` in movie ticks; `nil` when 0, unknown (all ones) or beyond 63 bits.
  package internal(set) var headerDuration: Int64?
  /// Three letters of ISO 639-2 or the tag of an `elng` box; `nil` when undetermined.
  package internal(set) var language: String?

  /// How a player rotates the picture: the matrices of track and movie combined.
  package internal(set) var orientation = ISOOrientation()
  /// Display size in the track header, in whole pixels, not the coded size.
  package internal(set) var displayWidth = 0
  package internal(set) var displayHeight = 0

  package internal(set) var sampleEntries: [ISOSampleEntry] = []
  /// The sample entry of the first samples, which need not be the first entry (ISO 14496-12, 8.7.4).
  package var firstEntry: ISOSampleEntry? {
    guard tables.samplesPerChunk.count > 0 else { return sampleEntries.first }
    let number = Int(tables.samplesPerChunk.field(0, 2))
    return sampleEntries.indices.contains(number - 1)
      ? sampleEntries[number - 1] : sampleEntries.first
  }
  /// The edit list as stored, in order; empty where the track has none.
  package internal(set) var edits: [ISOEdit] = []
  /// References to other tracks, by type: `chap`, `tmcd`, `cdsc` and so on.
  package internal(set) var references: [FourCC: [UInt32]] = [:]
  package internal(set) var timecode: ISOTimecode?
  package internal(set) var compositionShift: ISOCompositionShift?

  /// The totals of the sample tables of `moov` and all fragments.
  package internal(set) var timing = ISOTrackTiming()
  /// Where the samples are, and whether they are in the file.
  package internal(set) var placement = ISOTrackPlacement()
  /// The start of the first fragment from its `tfdt`, in track ticks.
  package internal(set) var firstFragmentTime: Int64?

  /// What is known of the fragments between those at both ends; `nil` where all were read.
  package internal(set) var unread: ISOUnreadFragments?
  /// What follows about fragments that were not read, where their samples are in the table too; `nil` where all were
  /// read.
  package internal(set) var assumed: ISOAssumedFragments?

  /// True when another track refers to this one as its chapter track.
  package internal(set) var isChapterTrack = false
  /// True when all its media data is in another file, which is never opened.
  package internal(set) var isExternal = false
  /// The sample entries, counted from 1, whose samples are in another file (ISO 14496-12, 8.7.2).
  package internal(set) var externalEntries: Set<UInt32> = []

  var tables = SampleTables()
  var fragments: FragmentSamples?
  var limits = ISOLimits()
  var fileByteCount: Int64 = 0
  var hasImpossibleTable = false

  /// True when the samples are encrypted (ISO 23001-7).
  package var isEncrypted: Bool { sampleEntries.contains { $0.encryption != nil } }

  /// True for video, and for an image sequence of AVIF or HEIF (ISO 23008-12, 7.2), which plays like video.
  package var isVideo: Bool { handler == "vide" || handler == "pict" }

  /// The number of samples in `moov` and all fragments.
  package var sampleCount: Int64 { timing.sampleCount }
}

/// The totals of a track's sample tables, without expanding them.
package struct ISOTrackTiming: Hashable, Sendable {
  package internal(set) var sampleCount: Int64 = 0
  /// The sum of all sample durations, in track ticks.
  package internal(set) var totalDuration: Int64 = 0
  /// The duration that all samples share; `nil` when they differ or there are none.
  package internal(set) var constantDuration: Int64?
  /// The least and greatest presentation minus decoding times; `nil` without samples.
  package internal(set) var leastCompositionOffset: Int32?
  package internal(set) var greatestCompositionOffset: Int32?
  /// True when presentation times are stated, even if equal to decoding times: `ctts`, or offsets in the runs
  /// of fragments.
  package internal(set) var statesPresentation = false
  /// True when decoding can start at every sample.
  package internal(set) var isAllSync = true
  /// True when `stts` contains a duration beyond 2^31 - 1 ticks: allowed (ISO 14496-12, 8.6.1.2), but many
  /// readers treat such a number as negative.
  package internal(set) var hasHugeDurations = false

  /// True when some samples are shown in another order, or at another distance, than decoded.
  package var isReordered: Bool { leastCompositionOffset != greatestCompositionOffset }
}

/// Where a track's samples are in the file.
package struct ISOTrackPlacement: Hashable, Sendable {
  /// Total size of the samples in bytes, inside the file or not.
  package internal(set) var byteCount: Int64 = 0
  /// Samples that end beyond the file.
  package internal(set) var outsideCount: Int64 = 0
  /// The offset of the first of them.
  package internal(set) var firstOutsideOffset: Int64?
  /// Samples that are in no chunk.
  package internal(set) var unplacedCount: Int64 = 0

  package var isComplete: Bool { outsideCount == 0 && unplacedCount == 0 }
}

/// One entry of an edit list (ISO 14496-12, 8.6.6).
package struct ISOEdit: Hashable, Sendable {
  /// Its duration in movie ticks; 0 in a fragmented file means to the end.
  package var segmentDuration: UInt64
  /// Where in the media it starts, in track ticks; −1 for an empty edit.
  package var mediaTime: Int64
  /// Playback rate, from a 16.16 number: 1 in normal files, 0 for a dwell.
  package var rate: Rational

  package var isEmpty: Bool { mediaTime == -1 }
}

/// The `cslg` box: how composition and decoding times relate (ISO 14496-12, 8.6.1.4).
package struct ISOCompositionShift: Hashable, Sendable {
  package var compositionToDecodeShift: Int64
  package var leastOffset: Int64
  package var greatestOffset: Int64
  package var compositionStart: Int64
  package var compositionEnd: Int64
}

/// A QuickTime timecode track's description and the frame numbers in its samples.
package struct ISOTimecode: Hashable, Sendable {
  /// Bit 0: drop frame; bit 1: 24 hours at most; bit 2: negative times; bit 3: counter.
  package var flags: UInt32
  package var timescale: UInt32
  /// Duration of a frame in ticks of ``timescale``.
  package var frameDuration: UInt32
  /// Frames per second, rounded up.
  package var framesPerSecond: UInt8
  /// The frame number at which the track starts; `nil` when its sample is not in the file.
  package var startFrame: Int64?
  /// The samples after the first, in order: each resets the count at its tick.
  package var later: [Sample] = []

  /// The frame number at a tick of the track's media.
  package struct Sample: Hashable, Sendable {
    package var tick: Int64
    package var frame: Int64

    package init(tick: Int64, frame: Int64) {
      self.tick = tick
      self.frame = frame
    }
  }

  package var isDropFrame: Bool { flags & 1 != 0 }
}
