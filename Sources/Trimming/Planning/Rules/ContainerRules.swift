public import ExactTime
public import MediaFacts

/// What an output container can express: the single source of this knowledge.
///
/// A new container gets a case of ``OutputContainer`` and a value in ContainerRules+Table.
public struct ContainerRules: Sendable, Hashable {
  /// The container whose rules these are.
  public let container: OutputContainer
  /// File extensions without their dot, in lowercase; the first is the one that messages use.
  public var nameEndings: [String]
  /// Its media type (IANA's registry of media types), such as `video/mp4`.
  public var mediaType: String
  /// Codecs that a standard allows in it, by FFmpeg's names; `nil` for "anything FFmpeg supports".
  public var codecs: Set<Codec>?
  /// FFmpeg's name of its muxer.
  public var muxer: String
  /// The kind of ISO base media file; `nil` for containers of other families.
  public var isoFamily: ISOFamily?
  /// Matroska and WebM: frames have the default duration from the track's header unless their block
  /// states another, and have no DTS.
  public var isMatroska = false
  /// Options of FFmpeg's muxer.
  public var muxerOptions: [String: String] = [:]
  /// RIFF (AVI and WAV): audio packets are delimited only by their size or by sync words.
  public var isRIFF = false
  /// Whether messages suggest it when another container is unsuitable.
  public var isSuggested = true
  /// How it times and stores pictures.
  public var pictures = Pictures()
  /// How it times and stores audio, and the codecs for it.
  public var audio = Audio()
  /// What its clock can say, and how exactly.
  public var times = Times()
  /// How much it holds.
  public var limits = Limits()
  /// What it holds besides pictures and audio: text, covers, attachments.
  public var labels = Labels()

  /// True for Ogg with any extension: its tags belong to tracks (Vorbis I, 5; RFC 7845, 5.2).
  public var isOgg: Bool { muxer == OutputContainer.ogg.rawValue }
  /// Chapters are stored as Vorbis comments (Chapter Extension).
  public var hasChapterComments: Bool { isOgg || container == .flac }
  /// iTunes tags, which allow free-form names.
  public var hasFreeTags: Bool { isoFamily == .mp4 || isoFamily == .m4a }

  /// It has a place for title, author and the like; a transport stream only for a title.
  public var holdsTags: Bool {
    switch container {
    case .mpegts, .m2ts, .mpegps, .adts, .amr, .ac3, .eac3, .dts, .mp2: false
    default: true
    }
  }
  /// It has a place for chapters.
  public var holdsChapters: Bool {
    switch container {
    case .matroska, .webm, .mp3, .flac, .ogg, .opus: true
    default: isISO
    }
  }

  /// Where a container stores cover art.
  public enum CoverPlace: Sendable, Hashable {
    /// In the iTunes tags (`covr`).
    case box
    /// A Matroska attachment (RFC 9559, 5.1.6).
    case attachment
    /// A block before the audio: APIC of ID3v2.4 (4.14), PICTURE of FLAC (RFC 9639, 8.8).
    case block
    /// The same block as an Ogg comment in Base64 (METADATA_BLOCK_PICTURE).
    case comment
  }

  /// Kinds of ISO base media files, by their brand.
  public enum ISOFamily: Sendable, Hashable {
    /// MP4, audio-only MP4, 3GP, and QuickTime.
    case mp4, m4a, threeGP, quickTime
  }

  /// How H.264's NAL units are delimited in the output.
  public enum StartCodes: Sendable, Hashable {
    /// As in the source; FFmpeg converts as needed.
    case asTheyWere
    /// Always with start codes, and with the parameter sets before keyframes: readers expect nothing else.
    case always
    /// As ``always`` where re-encoded edges have their own parameter sets, which FFmpeg's filter would drop.
    case withOwnSets
  }

  /// What happens to the packet before the first audible one, which Vorbis needs for its overlap.
  public enum VorbisStart: Sendable, Hashable {
    /// Like any other codec.
    case plain
    /// The granule position of the first page signals that a packet is not heard (Vorbis I, A.2).
    case leadPacket
    /// The first packet has a time, and is not heard.
    case firstIsMute
  }

  /// Whether the first packet has a time but is not heard.
  func leadsWithMute(_ codec: Codec) -> Bool { codec == .vorbis && audio.vorbis == .firstIsMute }

  /// The extension that messages use, with its dot.
  public var ending: String { "." + nameEndings[0] }

  /// The MP4 family: edit lists, fragments, per-track time bases, data tracks.
  public var isISO: Bool { isoFamily != nil }
  /// QuickTime, which describes some codecs with different boxes than MP4.
  public var isQuickTime: Bool { isoFamily == .quickTime }
  /// The last frame can end early: by an edit list, or by the duration of Matroska's last block.
  public var clipsPictures: Bool { isISO || isMatroska }
  /// Every packet has a DTS.
  public var statesDTS: Bool { !isMatroska }
  /// The alpha channel of VP8 and VP9 can be stored alongside the pictures (RFC 9559, 5.1.3.5.2).
  public var holdsAlpha: Bool { isMatroska }
  /// An edit list can hide frames.
  public var hidesFrames: Bool { isISO }
  /// True where it can be written in fragments, each with its own index.
  public var hasFragments: Bool { isISO }
  /// Times are written in each track's own time base, so times that another container rounded are
  /// recomputed from frame and sample counts.
  public var countsTimes: Bool { isISO }

  /// True where audio of a codec can begin and end inside a packet.
  ///
  /// This is done by an edit list, by the Opus pre-skip and Matroska's DiscardPadding, or by the
  /// delay and padding stated in the first frame of an MP3; uncompressed audio can be cut anywhere.
  public func hidesSamples(of codec: Codec) -> Bool {
    guard let clipped = audio.clipped, !AudioCodec.isUncompressed(codec) else { return true }
    return clipped.contains(codec)
  }

  /// True where audio of a codec is stored as one run of samples or blocks, without packet boundaries.
  public func forgetsPackets(of codec: Codec) -> Bool {
    audio.packetless.contains { codec.rawValue.hasPrefix($0) }
      || audio.regroupsSamples && AudioCodec.isUncompressed(codec)
  }

  /// Whether audio of a codec plays from the start of the output alongside video, whatever the time of its
  /// first packet: AVI has no audio timestamps, and FFmpeg reads none for FLAC in Ogg.
  public func beginsWithPictures(_ codec: Codec) -> Bool {
    pictures.hasFixedFrameRate || audio.endsByPosition && codec == .flac
  }

  /// True for Vorbis where the granule position of the last page states where it ends (Vorbis I,
  /// A.2).
  public func statesEnd(of codec: Codec) -> Bool { audio.endsByPosition && codec == .vorbis }

  /// A track as heard in a container that cannot hide samples: a last packet that an edit list cuts short is
  /// decoded in full.
  public func heardWhole(_ track: CodedTrack) -> CodedTrack {
    guard !hidesSamples(of: track.codec), AudioCodec.hasEqualPackets(track.codec),
      let last = track.packets.indices.last, last > 0
    else { return track }
    let length = track.packets[last - 1].duration
    // One tick less is rounding by the source container.
    guard track.packets[last].duration < length &- 1 else { return track }
    var whole = track
    whole.packets[last].duration = length
    return whole
  }

  /// True where re-encoded audio of a codec plays to the end of its last packet.
  ///
  /// Readers parse AC-3 in Matroska again, and lose the padding stated in its blocks.
  public func endsWithPacket(of codec: Codec) -> Bool {
    audio.endsEncodedWithPacket
      || isMatroska && codec.isOne(of: .ac3, .eac3)
  }

  /// True where an audio encoder's delay can be hidden.
  public func hidesDelay(of codec: Codec) -> Bool {
    hidesSamples(of: codec) || statesEnd(of: codec)
  }
}

extension ContainerRules {
  /// How it times and stores pictures.
  public struct Pictures: Sendable, Hashable {
    /// Frames come at a fixed rate from the first one on and have no individual presentation times.
    public var hasFixedFrameRate = false
    /// Frames are identified only by number: the first one is always shown for its full duration.
    public var areNumbered = false
    /// A packet's DTS is omitted where it equals the PTS, so readers may assume that MPEG-2 and MPEG-4 are
    /// reordered.
    public var omitsEqualDTS = false
    /// Nothing states the duration of the last frame.
    public var forgetsLastFrame = false
    /// How H.264's NAL units are delimited.
    public var startCodes = StartCodes.asTheyWere
    /// Codecs whose tag in the source identifies the profile and is kept by this container.
    public var keptTags: Set<Codec> = []
    /// A tag states the timecode of the first frame.
    public var hasTimecodeTag = false
  }

  /// How it times and stores audio, and the codecs for it.
  public struct Audio: Sendable, Hashable {
    /// The extensions that mean audio only: nobody expects video in such files.
    public var endings: Set<String> = []
    /// The codec for audio that the container does not hold, when it is re-encoded or the file name asks for
    /// audio only.
    public var codec = Codec.aac
    /// Whether the file name means audio only when the container does not hold the video's codec.
    public var isUsual = false
    /// Nothing can be heard before zero; the muxer adds the Opus pre-skip itself.
    public var beginsAtZero = false
    /// The granule position of the last page states where the audio ends (RFC 3533, 6).
    public var endsByPosition = false
    /// The first packet itself states how much of it is not heard.
    public var statesDelayByPacket = false
    /// Audio packets have numbers instead of times, counted from zero, and all have the same
    /// duration.
    public var countsPackets = false
    /// Name prefixes of codecs that are stored as one run of samples or blocks, without packet boundaries.
    public var packetless: [String] = []
    /// It holds only linear PCM: it has tags for other codecs (RFC 2361), but few readers accept them.
    public var holdsSamplesAlone = false
    /// The byte order of the PCM that samples of discs and cameras are unpacked to (`le` or `be`); `nil`
    /// where it holds no PCM with a video.
    public var unpackedOrder: String?
    /// Readers group uncompressed samples into packets as they choose.
    public var regroupsSamples = false
    /// Where MP4 holds several frames per sample, readers treat each frame as a packet.
    public var partsFrames = false
    /// Frames are numbered throughout the file.
    public var numbersFrames = false
    /// Each AAC frame keeps its ADTS header (ISO 14496-3, 1.A.2.2), so the channel configuration may change.
    public var keepsADTSHeaders = false
    /// The sample rates in Hz that it can signal, by codec; a codec that is not listed allows any.
    public var rates: [Codec: Set<Int>] = [:]
    /// It can signal only some sample rates and channel counts, which its muxer knows.
    public var holdsSomeRates = false
    /// Audio packets have their own timestamps.
    public var stampsPackets = true
    /// The codecs whose audio can begin and end inside a packet, in addition to uncompressed ones;
    /// `nil` for all.
    public var clipped: Set<Codec>? = []
    /// Codecs whose audio can end inside a packet, but which players begin with a whole packet regardless of
    /// what the container states.
    public var wholeAtStart: Set<Codec> = []
    /// How a Vorbis decoder gets the packet before the first audible one.
    public var vorbis = VorbisStart.plain
    /// Lossless audio is re-encoded where that is the only way to begin and end at the right sample.
    public var encodesLosslessExactly = false
    /// Re-encoded audio plays to the end of its last packet.
    public var endsEncodedWithPacket = false
    /// Floating-point samples can only be little-endian.
    public var hasLittleEndianFloatsAlone = false
    /// Encoded audio no longer than this is a single frame, which readers do not recognize.
    public var leastEncoded: MediaDuration?
    /// The minimum number of audio packets from which readers can determine times.
    public var leastPackets = 1
    /// The minimum number of audio packets for every reader to recognize the file; with fewer, only
    /// some do.
    public var recognizedPackets = 1
  }

  /// What its clock can say, and how exactly.
  public struct Times: Sendable, Hashable {
    /// How far the times read back may be from those written, where the container counts frames and bytes;
    /// `nil` where one tick is the limit.
    public var tolerance: MediaDuration?
    /// The same for audio whose times were rounded in the source, where the output's times follow
    /// from packet durations.
    public var roundedTolerance: MediaDuration?
    /// The largest distance from a packet to the one whose time follows from the granule position of the same
    /// Ogg page (RFC 3533, 6): FFmpeg's muxer ends a page with the packet that completes a second, and packets
    /// of the last page, whose position is where the audio ends, are counted from the page before.
    public var longestPage: MediaDuration?
    /// The offset by which all timestamps are written later than the output's timeline.
    public var lead = MediaDuration.zero
    /// No DTS is below zero: everything is written later by the reordering delay.
    public var decodesFromZero = false
    /// The longest gap across all tracks that readers do not treat as a clock reset; `nil` for any.
    public var longestPause: MediaDuration?
    /// How many hours the output may last before its clock wraps; `nil` for any number.
    public var longestHours: Int64?
    /// Each packet is preceded by its arrival time, and the packet count is a multiple of 32.
    public var hasArrivalTimes = false
  }

  /// How much it holds.
  public struct Limits: Sendable, Hashable {
    /// At most one video track and one audio track.
    public var holdsOneOfEach = false
    /// The maximum number of tracks, where stream numbers are limited: for all the codecs in a set
    /// together.
    public var mostTracks: [Set<Codec>: Int] = [:]
    /// Where no header lists the tracks, so that a reader numbers them as they appear: the codecs whose
    /// configuration is written before all packets; `nil` where a header lists the tracks.
    public var describedInFront: Set<Codec>?
    /// The minimum size in bytes at which readers recognize the file: a shorter one is padded with null
    /// packets at the end.
    public var leastByteCount: Int64 = 0
  }

  /// What it holds besides pictures and audio: text, covers, attachments.
  public struct Labels: Sendable, Hashable {
    /// The codec that text subtitles of other codecs are converted to, by FFmpeg's name; `nil` where text is
    /// not supported.
    public var textCodec: Codec?
    /// Files can be attached alongside the tracks, such as fonts for subtitles (RFC 9559, 5.1.6).
    public var holdsAttachments = false
    /// Where cover art is stored; `nil` where it cannot be.
    public var covers: CoverPlace?
  }
}
