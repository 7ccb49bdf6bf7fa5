/// What a kind of output can say: the only place that knows.
///
/// A container that is added gets a value here, and nowhere else.
public struct ContainerRules: Sendable, Hashable {
  public let container: OutputContainer
  /// Endings of names, in lower case; the first is the one that sentences use.
  public var nameEndings: [String]
  /// Codecs that a standard puts into it, by FFmpeg's names; `nil` for "anything FFmpeg has".
  public var codecs: Set<String>?
  /// MP4 and its kin: edit lists, fragments, ticks of each track's own, data tracks.
  public var isISO = false
  /// QuickTime describes some codecs in other words than MP4 does.
  public var isQuickTime = false
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
  /// Nothing can be heard before zero.
  public var beginsAtZero = false
  /// Frames are numbered through the whole file.
  public var numbersFrames = false
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

  /// Pictures can end before their time: edit lists, and the length of Matroska's last block.
  public var clipsPictures: Bool {
    isISO || container == .matroska || container == .webm
  }
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
    // Readers of AVI part samples anew, by 1,024.
    container == .wav
      || container == .avi
        && (codec.hasPrefix("adpcm_") || SoundCodec.isUncompressed(codec))
  }

  /// The position of the last page says where Vorbis ends (Vorbis I, A.2).
  public func statesEnd(of codec: String) -> Bool { vorbis == .leadPacket && codec == "vorbis" }

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

  /// Whether the delay of an encoder of sound can be hidden.
  public func hidesDelay(of codec: String) -> Bool {
    hidesSamples(of: codec) || statesEnd(of: codec)
  }
}
