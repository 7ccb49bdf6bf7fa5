public import ExactTime

/// What an output container can express: the only place that knows.
///
/// A container that is added gets a value here, and nowhere else.
public struct ContainerRules: Sendable, Hashable {
  /// The container whose rules these are.
  public let container: OutputContainer
  /// File extensions without their dot, in lower case; the first is the one that messages use.
  public var nameEndings: [String]
  /// What the web calls it (IANA's registry of media types), such as `video/mp4`.
  public var mediaType: String
  /// Codecs that a standard puts into it, by FFmpeg's names; `nil` for "anything FFmpeg has".
  public var codecs: Set<String>?
  /// FFmpeg's name of its muxer.
  public var muxer: String
  /// The kind of ISO base media file; `nil` for containers of other families.
  public var isoFamily: ISOFamily?
  /// Matroska and WebM: frames last as long as the track's header says, unless their block says
  /// otherwise, and have no DTS.
  public var isMatroska = false
  /// Those of the extensions that ask for sound alone: nobody expects video there.
  public var soundEndings: Set<String> = []
  /// What sound becomes that the container does not hold, where it is re-encoded or the name asks for
  /// sound alone.
  public var soundCodec = "aac"
  /// Whether the name asks for sound alone where the container does not hold the video's codec.
  public var isMostlySound = false
  /// Frames come at a fixed rate from the first one on and have no presentation times of their own.
  public var hasFixedFrameRate = false
  /// Frames are known by their number alone: the first cannot be shown for a part of its time.
  public var numbersPictures = false
  /// Nothing can be heard before zero; the muxer adds Opus' pre-skip itself.
  public var beginsAtZero = false
  /// Sound ends where the position of the last page says (RFC 3533, 6).
  public var endsByPosition = false
  /// How much of the first packet is not heard is stated with that packet.
  public var statesDelayByPacket = false
  /// Packets of sound have numbers instead of times, counted from zero, and all are equally long.
  public var countsSoundPackets = false
  /// Prefixes of the names of codecs that are stored as one run of samples or blocks, without packet
  /// boundaries.
  public var packetlessSound: [String] = []
  /// Readers group the samples of uncompressed sound into packets of their own.
  public var regroupsSamples = false
  /// Of frames that MP4 holds several of in a sample, readers take each for a packet.
  public var partsFrames = false
  /// Frames are numbered through the whole file.
  public var numbersFrames = false
  /// A packet's DTS is left out where it equals the PTS, so that readers may take MPEG-2 and MPEG-4 for reordered.
  public var omitsEqualDTS = false
  /// Nothing says how long the last frame is shown.
  public var forgetsLastFrame = false
  /// How far a reader's times may be from those that were written, where the container counts frames
  /// and bytes; `nil` where one tick is the limit.
  public var timeTolerance: MediaDuration?
  /// The same of sound whose times were rounded in the source, where lengths of packets tell the
  /// times here.
  public var roundedTimeTolerance: MediaDuration?
  /// How far a packet begins, at most, from one whose time follows from the position of the same page of Ogg (RFC
  /// 3533, 6): FFmpeg's muxer ends a page with the packet that completes a second, and those of the last page, whose
  /// position is where sound ends, are counted on from the page before.
  public var longestPage: MediaDuration?
  /// How much later than on the output's timeline everything is written.
  public var lead = MediaDuration.zero
  /// Nothing is decoded before zero: all is written as much later as pictures wait for others.
  public var decodesFromZero = false
  /// What subtitles become that are text of another codec, by FFmpeg's name; `nil` where none is held.
  public var textCodec: String?
  /// Files have a place beside the tracks: fonts that subtitles are drawn with (RFC 9559, 5.1.6).
  public var holdsAttachments = false
  /// It is Ogg, by any name: its tags are those of tracks (Vorbis I, 5; RFC 7845, 5.2).
  public var isOgg: Bool { muxer == OutputContainer.ogg.rawValue }
  /// Chapters stand among the comments of Vorbis (its Chapter Extension).
  public var hasChapterComments: Bool { isOgg || container == .flac }
  /// Tags of iTunes, among which any name has a place.
  public var hasFreeTags: Bool { isoFamily == .mp4 || isoFamily == .m4a }
  /// Where pictures of the cover stand; `nil` where they have no place.
  public var coverPlace: CoverPlace?
  /// One track of video and one of sound, and no more.
  public var holdsOneOfEach = false
  /// How many tracks have numbers, where those are few: of all of these codecs together.
  public var mostTracks: [Set<String>: Int] = [:]
  /// Where no header lists the tracks, so that a reader numbers them as they come: the codecs whose configuration is
  /// written before all packets; `nil` where a header lists them.
  public var describedInFront: Set<String>?
  /// Each frame of AAC keeps its header (ISO 14496-3, 1.A.2.2), so that the next may have other channels.
  public var keepsADTSHeaders = false
  /// The sampling rates in Hz that it has numbers for, by codec; a codec that is not listed has any.
  public var soundRates: [String: Set<Int>] = [:]
  /// Of sound that it holds, it has numbers for some rates and channels alone, which its muxer knows.
  public var holdsSomeRates = false
  /// How H.264's NAL units are delimited.
  public var startCodes = StartCodes.asTheyWere
  /// Codecs whose tag in the source names the profile, which this container keeps.
  public var keptTags: Set<String> = []
  /// Options of FFmpeg's muxer.
  public var muxerOptions: [String: String] = [:]
  /// Packets of sound have times of their own.
  public var stampsSound = true
  /// A tag says which timecode the first frame bears.
  public var hasTimecodeTag = false
  /// The longest pause of all tracks that readers do not take for a clock that is reset; `nil` for any.
  public var longestPause: MediaDuration?
  /// Each packet has the time of its arrival before it, and there are 32 or a multiple of them.
  public var hasArrivalTimes = false
  /// The fewest bytes by which readers recognise the file: behind the last packet it is filled up
  /// with packets that hold nothing.
  public var leastByteCount: Int64 = 0
  /// The codecs whose sound can begin and end inside a packet, besides uncompressed ones; `nil` for
  /// all of them.
  public var hiddenSound: Set<String>? = []
  /// Codecs whose sound can end inside a packet, and of which players begin with a whole one whatever
  /// the container says.
  public var wholeStarts: Set<String> = []
  /// How a Vorbis decoder is given the packet before the first that is heard.
  public var vorbis = VorbisStart.plain
  /// Lossless sound is re-encoded where only that makes it begin and end with the right sample.
  public var codesLosslessExactly = false
  /// Re-encoded sound is heard to the end of its last packet.
  public var endsCodedSoundWithPacket = false
  /// RIFF (AVI and WAV): packets of sound are known by their size or by sync words alone.
  public var isRIFF = false
  /// Floating point has one order of bytes only, least significant first.
  public var hasLittleEndianFloatsAlone = false
  /// Encoded sound no longer than this is one frame, which readers do not recognise.
  public var leastEncodedSound: MediaDuration?
  /// Whether messages name it where another does not do.
  public var isProposed = true
  /// The fewest packets of sound in which readers find times.
  public var leastSoundPackets = 1
  /// The fewest packets of sound by which every reader recognises the file; of fewer some do.
  public var tellingSoundPackets = 1

  /// Where a container has pictures of the cover.
  public enum CoverPlace: Sendable, Hashable {
    /// Among the tags of iTunes (`covr`).
    case box
    /// A file among the attachments of Matroska (RFC 9559, 5.1.6).
    case attachment
    /// A block in front of the sound: APIC of ID3v2.4 (4.14), PICTURE of FLAC (RFC 9639, 8.8).
    case block
    /// The same block as a comment of Ogg, in letters (METADATA_BLOCK_PICTURE).
    case comment
  }

  /// Kinds of ISO base media files, by their brand.
  public enum ISOFamily: Sendable, Hashable {
    /// MP4, MP4 with sound alone, that of telephones, and QuickTime.
    case mp4, m4a, threeGP, quickTime
  }

  /// How H.264's NAL units are delimited in the output.
  public enum StartCodes: Sendable, Hashable {
    /// As in the source; FFmpeg converts them.
    case asTheyWere
    /// Always with start codes, and with the parameter sets before keyframes: readers know nothing else.
    case always
    /// As ``always`` where re-encoded edges bring parameter sets of their own, which FFmpeg's filter
    /// would leave out.
    case withOwnSets
  }

  /// What becomes of the packet before the first that is heard, which Vorbis needs for its overlap.
  public enum VorbisStart: Sendable, Hashable {
    /// As any other codec.
    case plain
    /// The position of the first page says that a packet is not heard (Vorbis I, A.2).
    case leadPacket
    /// The first packet has a time, and is not heard.
    case firstIsMute
  }

  /// Whether a packet comes first that has a time, and is not heard.
  func leadsWithMute(_ codec: String) -> Bool { codec == "vorbis" && vorbis == .firstIsMute }

  /// The extension that messages use, with its dot.
  public var ending: String { "." + nameEndings[0] }

  /// MP4 and its kin: edit lists, fragments, ticks of each track's own, data tracks.
  public var isISO: Bool { isoFamily != nil }
  /// QuickTime, which describes some codecs by other boxes than MP4 does.
  public var isQuickTime: Bool { isoFamily == .quickTime }
  /// The last frame can end early: by an edit list, or by the duration of Matroska's last block.
  public var clipsPictures: Bool { isISO || isMatroska }
  /// Every packet has a DTS.
  public var statesDTS: Bool { !isMatroska }
  /// The alpha channel of VP8 and VP9 has a place beside their pictures (RFC 9559, 5.1.3.5.2).
  public var holdsAlpha: Bool { isMatroska }
  /// An edit list can hide frames.
  public var hidesFrames: Bool { isISO }
  /// True where it can be written in fragments, each with an index of its own.
  public var hasFragments: Bool { isISO }
  /// Times are written in ticks of each track's own, so times that another container rounded are
  /// counted again in frames and samples.
  public var countsTimes: Bool { isISO }

  /// True where sound of a codec can begin and end inside a packet.
  ///
  /// By an edit list, by Opus' pre-skip and Matroska's DiscardPadding, or by the delay and padding
  /// that the first frame of an MP3 states; uncompressed sound anywhere.
  public func hidesSamples(of codec: String) -> Bool {
    guard let hiddenSound, !SoundCodec.isUncompressed(codec) else { return true }
    return hiddenSound.contains(codec)
  }

  /// True where sound of a codec is stored as one run of samples or blocks, without packet boundaries.
  public func forgetsPackets(of codec: String) -> Bool {
    packetlessSound.contains { codec.hasPrefix($0) }
      || regroupsSamples && SoundCodec.isUncompressed(codec)
  }

  /// Whether sound of a codec is heard from the output's beginning on, beside pictures, whatever time its first
  /// packet has: AVI has no times of sound, and FFmpeg reads none of FLAC in Ogg.
  public func beginsWithPictures(_ codec: String) -> Bool {
    hasFixedFrameRate || endsByPosition && codec == "flac"
  }

  /// True for Vorbis where the position of the last page says where it ends (Vorbis I, A.2).
  public func statesEnd(of codec: String) -> Bool { endsByPosition && codec == "vorbis" }

  /// A track as it is heard in a container that cannot hide samples: a last packet that an edit list
  /// cuts short is decoded whole.
  public func heardWhole(_ track: CodedTrack) -> CodedTrack {
    guard !hidesSamples(of: track.codec), SoundCodec.hasEqualPackets(track.codec),
      let last = track.packets.indices.last, last > 0
    else { return track }
    let length = track.packets[last - 1].duration
    // A tick less is a rounding of the container that it comes from.
    guard track.packets[last].duration < length &- 1 else { return track }
    var whole = track
    whole.packets[last].duration = length
    return whole
  }

  /// True where re-encoded sound of a codec is heard to the end of its last packet.
  ///
  /// Readers take AC-3 in Matroska apart once more, and forget what its blocks say of padding.
  public func endsWithPacket(of codec: String) -> Bool {
    endsCodedSoundWithPacket || isMatroska && ["ac3", "eac3"].contains(codec)
  }

  /// True where an audio encoder's delay can be hidden.
  public func hidesDelay(of codec: String) -> Bool {
    hidesSamples(of: codec) || statesEnd(of: codec)
  }
}
