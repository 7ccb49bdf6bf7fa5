extension Note {
  /// What kind of oddity a note reports, spelled as in JSON.
  ///
  /// New ones may be added; none changes its meaning.
  public enum ID: String, Hashable, Sendable, Codable, CaseIterable {
    /// Every sample is marked as a keyframe, although some are not.
    case allMarkedAsKeyframes = "all-marked-as-keyframes"
    /// The audio begins with samples that are not presented.
    case audioHiddenLead = "audio-hidden-lead"
    /// The audio ends with samples that are not presented.
    case audioPadding = "audio-padding"
    /// The audio begins with an encoder's priming, which is not presented.
    case audioPriming = "audio-priming"
    /// Frames precede the first keyframe, or there is no keyframe.
    case beforeKeyframe = "before-keyframe"
    /// An Ogg file continues with streams of another kind.
    case chainedStreamsDiffer = "chained-streams-differ"
    /// Chapters of a Matroska file are disabled (RFC 9559, 5.1.7.1.4.5).
    case chaptersDisabled = "chapters-disabled"
    /// Nothing describes the track's codec.
    case codecUnknown = "codec-unknown"
    /// The continuity counter restarts between complete packets.
    case continuityRestarts = "continuity-restarts"
    /// The declared duration is an estimate from the bit rate.
    case declaredEstimated = "declared-estimated"
    /// The container declares no duration.
    case declaredMissing = "declared-missing"
    /// The declared duration exceeds the presented one by more than a frame.
    case declaredTooLong = "declared-too-long"
    /// The declared duration is less than the presented one by more than a frame.
    case declaredTooShort = "declared-too-short"
    /// The decoded duration differs from the presented one.
    case decodedDiffers = "decoded-differs"
    /// Decoding timestamps decrease.
    case dtsBackwards = "dts-backwards"
    /// A box that may occur only once occurs more than once.
    case duplicateBox = "duplicate-box"
    /// The edit list shows no part of the track.
    case editListEmpty = "edit-list-empty"
    /// The edit list hides the end of the media.
    case editListHidesEnd = "edit-list-hides-end"
    /// The edit list hides the start of the media.
    case editListHidesStart = "edit-list-hides-start"
    /// The edit list contains numbers that do not fit in 64 bits.
    case editListImpossible = "edit-list-impossible"
    /// The edit list shows several segments of the media.
    case editListMultiple = "edit-list-multiple"
    /// An edit plays at a rate other than 1.
    case editListRate = "edit-list-rate"
    /// The edit list begins with an empty edit.
    case editListStartOffset = "edit-list-start-offset"
    /// The samples are encrypted.
    case encrypted
    /// The media is stored in another file, which is not opened.
    case externalReference = "external-reference"
    /// Video without a container states no frame rate.
    case frameRateAssumed = "frame-rate-assumed"
    /// The iTunSMPB tag, or CAF's packet table, states a number of samples that does not match the track.
    case gaplessTagIgnored = "gapless-tag-ignored"
    /// The bytes before the first frame are not part of any frame.
    case garbageBeforeMedia = "garbage-before-media"
    /// Content light levels are stated.
    case hdrContentLight = "hdr-content-light"
    /// The video is Dolby Vision.
    case hdrDolbyVision = "hdr-dolby-vision"
    /// There is dynamic metadata (HDR10+).
    case hdrDynamic = "hdr-dynamic"
    /// The transfer function is HLG.
    case hdrHLG = "hdr-hlg"
    /// The mastering display is stated.
    case hdrMasteringDisplay = "hdr-mastering-display"
    /// The transfer function is PQ.
    case hdrPQ = "hdr-pq"
    /// A sample's duration is so long that it must be a wrapped number.
    case hugeSampleDuration = "huge-sample-duration"
    /// A header states an impossible duration.
    case impossibleDuration = "impossible-duration"
    /// The sum of the sample table differs from the presented duration.
    case indexedDiffers = "indexed-differs"
    /// A table has entries that refer to nothing in the file.
    case invalidTableEntries = "invalid-table-entries"
    /// Of a large file at an address, only the index was fetched.
    case keyframesNotRead = "keyframes-not-read"
    /// No duration is stated for the last frame.
    case lastDurationMissing = "last-duration-missing"
    /// The last frame has a duration of 0.
    case lastDurationZero = "last-duration-zero"
    /// The file ends inside the last frame, which is not shown.
    case lastFrameCutShort = "last-frame-cut-short"
    /// The last packet decodes to less than the duration that the table gives it.
    case lastPacketShorter = "last-packet-shorter"
    /// A stream begins too late in the file to be recognized.
    case lateStream = "late-stream"
    /// The file has more than the limits allow.
    case limitReached = "limit-reached"
    /// Decoding timestamps begin below zero.
    case negativeDTS = "negative-dts"
    /// The track states no timescale.
    case noTimeScale = "no-time-scale"
    /// The codec is not on the list of codecs that are decoded.
    case notDecoded = "not-decoded"
    /// No packet of the track decodes to a frame.
    case nothingDecodes = "nothing-decodes"
    /// A duration is declared, but nothing can be shown.
    case nothingPresented = "nothing-presented"
    /// Of a large file at an address, only the index and the media at both ends were fetched.
    case onlyEndsRead = "only-ends-read"
    /// Of a large file at an address, other than MP4 and QuickTime, only the headers were fetched.
    case onlyHeadersRead = "only-headers-read"
    /// GOPs depend on the previous one.
    case openGOP = "open-gop"
    /// The edition of a Matroska file is ordered (RFC 9559, 5.1.7.1.3).
    case orderedEdition = "ordered-edition"
    /// The sum of the packets differs from the sample table.
    case packetsDiffer = "packets-differ"
    /// Packets of the track could not be read.
    case packetsUnread = "packets-unread"
    /// The video changes its size, aspect ratio or pixel format in the middle, according to its in-band headers (not read for MP4 and QuickTime).
    case picturesChange = "pictures-change"
    /// Some pictures of a stream have a PTS that contradicts the order in which they are coded to be shown (and another has none).
    case ptsContradictOrder = "pts-contradict-order"
    /// Pictures, or packets of sound, have a PTS far from those around them.
    case ptsOutlier = "pts-outlier"
    /// Two tables state different numbers of samples.
    case sampleCountsDisagree = "sample-counts-disagree"
    /// Packets of a track in a transport stream are scrambled.
    case scrambled
    /// Another FLV follows the first.
    case secondFile = "second-file"
    /// AMR packets without speech (RFC 4867, 4.3.1), for which the decoder generates no comfort noise.
    case silenceNotDecoded = "silence-not-decoded"
    /// The size of the frames differs from what the container states.
    case sizeDiffers = "size-differs"
    /// The audio codec of an FLV is identified by a FourCC (Enhanced RTMP).
    case soundByName = "sound-by-name"
    /// Sound is missing for a packet or longer, with its times counted from the first presented sample.
    case soundGap = "sound-gap"
    /// The first sample is presented before zero.
    case startsBeforeZero = "starts-before-zero"
    /// The first sample is presented after zero.
    case startsLate = "starts-late"
    /// The clock is reset.
    case timestampDiscontinuity = "timestamp-discontinuity"
    /// No packet of the track begins for more than ten seconds, but its clock is continuous.
    case timestampGap = "timestamp-gap"
    /// Packets have impossible timestamps.
    case timestampsImpossible = "timestamps-impossible"
    /// Packets have no PTS.
    case timestampsMissing = "timestamps-missing"
    /// Bytes follow the last box.
    case trailingBytes = "trailing-bytes"
    /// A fragment belongs to no track.
    case unknownFragmentTrack = "unknown-fragment-track"
    /// MP4 states only decoding times, although the pictures are reordered.
    case untimedPictures = "untimed-pictures"
    /// Frames are not evenly spaced.
    case variableFrameRate = "variable-frame-rate"
  }
}
