public import ExactTime

/// What a kind of output can say: the only place that knows.
///
/// A container that is added gets a value here, and nowhere else.
public struct ContainerRules: Sendable, Hashable {
  public let container: OutputContainer
  /// Endings of names, in lower case; the first is the one that sentences use.
  public var nameEndings: [String]
  /// Codecs that a standard puts into it, by FFmpeg's names; `nil` for "anything FFmpeg has".
  public var codecs: Set<String>?
  /// FFmpeg's name of its muxer.
  public var muxer: String
  /// The kind of ISO base media file; `nil` for containers of other families.
  public var isoFamily: ISOFamily?
  /// Matroska and WebM: frames last as long as the track's header says, unless their block says
  /// otherwise, and have no DTS.
  public var isMatroska = false
  /// Those of the endings that ask for sound alone: nobody looks for pictures there.
  public var soundEndings: Set<String> = []
  /// What sound becomes that it does not hold, where a name asks for sound alone; `nil` where it holds
  /// all.
  public var soundCodec: String?
  /// Whether a name asks for sound alone where it does not hold the pictures.
  public var isMostlySound = false
  /// Frames lie on a grid from the first one and have no presentation times of their own.
  public var hasFixedFrameRate = false
  /// Frames are told by their number alone: the first cannot be shown in part.
  public var numbersPictures = false
  /// Nothing can be heard before zero; the muxer adds Opus' pre-skip itself.
  public var beginsAtZero = false
  /// Sound ends where the position of the last page says (RFC 3533, 6).
  public var endsByPosition = false
  /// What is not heard of the first packet is stated with that packet.
  public var statesDelayByPacket = false
  /// Packets of sound have places instead of times, counted from zero, and one length for all.
  public var countsSoundPackets = false
  /// Sound that is a row of samples or blocks here, however packets parted it: beginnings of codecs'
  /// names.
  public var packetlessSound: [String] = []
  /// Frames are numbered through the whole file.
  public var numbersFrames = false
  /// A packet's DTS is left out where it is its PTS, so that readers may take MPEG-2 for reordered.
  public var omitsEqualDTS = false
  /// How far a reader's times may be from those that were written, where the container counts frames
  /// and bytes; `nil` where its ticks say it.
  public var timeTolerance: MediaDuration?
  /// By how much everything is later than on the output's timeline.
  public var lead = MediaDuration.zero
  /// What H.264's units stand behind.
  public var startCodes = StartCodes.asTheyWere
  /// Codecs whose tag in the source names the profile, which this container keeps.
  public var keptTags: Set<String> = []
  /// Options of FFmpeg's muxer.
  public var muxerOptions: [String: String] = [:]
  /// Those that come to them for less than two seconds.
  public var shortMuxerOptions: [String: String] = [:]
  /// Packets of sound have times of their own.
  public var stampsSound = true
  /// The codecs whose sound can begin and end inside a packet, besides uncompressed ones; `nil` for
  /// all of them.
  public var hiddenSound: Set<String>? = []
  /// How a decoder of Vorbis is given the packet before the first that is heard.
  public var vorbis = VorbisStart.plain
  /// Lossless sound is re-encoded where only that begins and ends with the right sample.
  public var codesLosslessExactly = false
  /// Re-encoded sound is heard to the end of its last packet.
  public var endsCodedSoundWithPacket = false
  /// Sound whose packets are told apart by their size or by marks alone.
  public var isRIFF = false
  /// Fewer packets of sound than this are not recognised by readers, by codec.
  public var leastSoundPackets = 1

  /// Kinds of ISO base media files, by their brand.
  public enum ISOFamily: Sendable, Hashable {
    case mp4, m4a, quickTime
  }

  public enum StartCodes: Sendable, Hashable {
    /// As the source has them; FFmpeg translates.
    case asTheyWere
    /// Always behind start codes, with the parameter sets before keyframes: readers know nothing else.
    case always
    /// The same where encoded edges bring sets of their own, which FFmpeg's filter would leave out.
    case withOwnSets
  }

  public enum VorbisStart: Sendable, Hashable {
    /// As any other codec.
    case plain
    /// The position of the first page says that a packet is not heard (Vorbis I, A.2).
    case leadPacket
    /// The first packet has a time, and is not heard.
    case firstIsMute
  }

  /// The ending that sentences use, with its dot.
  public var ending: String { "." + nameEndings[0] }

  /// MP4 and its kin: edit lists, fragments, ticks of each track's own, data tracks.
  public var isISO: Bool { isoFamily != nil }
  /// QuickTime describes some codecs in other words than MP4 does.
  public var isQuickTime: Bool { isoFamily == .quickTime }
  /// Pictures can end before their time: edit lists, and the length of Matroska's last block.
  public var clipsPictures: Bool { isISO || isMatroska }
  /// Every packet has a DTS.
  public var statesDTS: Bool { !isMatroska }
  /// An edit list can hide frames.
  public var hidesFrames: Bool { isISO }
  public var hasFragments: Bool { isISO }
  /// Times are written in ticks of each track's own, so those that another container rounded are
  /// counted again.
  public var countsTimes: Bool { isISO }

  /// Where sound can begin and end inside a packet.
  ///
  /// By an edit list, by Opus' pre-skip and Matroska's DiscardPadding, or by the delay and padding
  /// that the first frame of an MP3 states; uncompressed sound anywhere.
  public func hidesSamples(of codec: String) -> Bool {
    guard let hiddenSound, !SoundCodec.isUncompressed(codec) else { return true }
    return hiddenSound.contains(codec)
  }

  /// Where sound is a row of samples or blocks, however packets parted it.
  public func forgetsPackets(of codec: String) -> Bool {
    packetlessSound.contains { codec.hasPrefix($0) }
  }

  /// The position of the last page says where Vorbis ends (Vorbis I, A.2).
  public func statesEnd(of codec: String) -> Bool { endsByPosition && codec == "vorbis" }

  /// Whether the delay of an encoder of sound can be hidden.
  public func hidesDelay(of codec: String) -> Bool {
    hidesSamples(of: codec) || statesEnd(of: codec)
  }
}
