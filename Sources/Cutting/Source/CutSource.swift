import Bitstreams
import ExactTime
import ISOMedia
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// A file opened for cutting: the times of all its packets, and the bytes of any.
protocol CutSource: AnyObject {
  var file: InputFile { get }
  var facts: MediaFacts { get }
  /// What is not read of the file, since the rest follows from what is.
  var voids: [Range<Int64>] { get }
  /// Whether something was asked about what was not read: what was answered is then worthless.
  var isIncomplete: Bool { get }
  /// As an output requires them: see ``adapt(to:)``.
  var tracks: [SourceTrack] { get }
  /// As the container states them.
  var stated: [SourceTrack] { get }
  /// The first presented instant on the file's own timeline.
  var zero: MediaTime { get }
  /// The sources that are joined; itself, unless there are several.
  var pieces: [any CutSource] { get }
  /// The MP4 or QuickTime file whose boxes describe the output; `nil` for other formats.
  var native: ISOCutSource? { get }
  /// Its chapters, along the ordered edition that it plays where there is one.
  var shownChapters: [ChapterFacts] { get }
  /// Whether its packets are those of an MP4 or QuickTime file.
  var isISO: Bool { get }
  /// Whether it joins several sources: its ``pieces``.
  var isJoined: Bool { get }
  /// Whether these are several files, not the pieces of one.
  var areFiles: Bool { get }
  /// What is not written of those that do not lead, besides tracks.
  var leftOut: [LeftOut] { get }
  /// A range of one of the pieces, on the timeline of all.
  func moved(_ range: MediaTimeRange, of number: Int) throws(ExactTimeError) -> MediaTimeRange
  /// The place of a packet of one of the pieces, in the track of all.
  func place(_ place: Int, ofTrack track: Int, in number: Int) -> Int
  /// Takes over what was determined about the tracks of the pieces.
  func refresh()
  /// The source as it is matched with the leading one of a join; `nil` where it is as it was opened.
  var refitted: RefittedSource? { get }
  /// A range of the source's timeline, as the file counts it that holds a packet.
  func own(
    _ range: MediaTimeRange, ofTrack track: Int, _ place: Int
  ) throws(ExactTimeError) -> MediaTimeRange
  /// The source that a packet is from.
  func holder(ofTrack track: Int, _ place: Int) -> PacketHolder

  /// With times counted in frames and samples, and packets framed as in MP4; `nil` if they
  /// already are.
  func counted() throws(CutError) -> [SourceTrack]?

  /// Prepares to deliver packets for an output: MP4 requires times counted in frames and samples,
  /// and its own packet framing; AVI requires AAC without ADTS headers, as MP4 does.
  func adapt(to container: OutputContainer) throws(CutError)

  /// Determines the parameter sets of MP4 samples: those active at the first copied packet.
  ///
  /// - Parameters:
  ///   - copied: ranges of places, by track, in output order; already prepared.
  ///   - changing: tracks whose format changes, so that edges bring their own parameter sets.
  /// - Returns: tracks in which sets replace each other: all sets stay in the samples.
  func settleSets(
    copying copied: [Int: [Range<Int>]], changing: Set<Int>
  ) throws(CutError) -> Set<Int>

  /// Describes a video track by the headers at a packet, whose format differs from the file's
  /// first pictures.
  func describe(_ track: Int, as format: CodedFormat, at place: Int) throws(CutError)

  /// Describes an AAC track that loses its frame headers by what some of its packets state.
  func describe(_ track: Int, as run: SoundDescriptions.Run)

  /// Says that the media of a range will be read, from the keyframe before it on: from another machine, it then
  /// comes in few requests.
  func expectMedia(of range: MediaTimeRange)

  /// Makes the bytes of some packets available: ranges of places, by track.
  func prepare(_ needed: [Int: [Range<Int>]]) throws(CutError)
  func bytes(ofTrack track: Int, _ place: Int) throws(CutError) -> [UInt8]
  /// The alpha channel stored with a packet; `nil` if it has none.
  func alpha(ofTrack track: Int, _ place: Int) throws(CutError) -> [UInt8]?
  /// A cover picture, by its index in ``facts``.
  func cover(ofTrack index: Int) throws(CutError) -> [UInt8]
  /// The number of samples that each audio packet states, where known.
  func sampleCounts(ofTrack track: Int) -> [Int32]
  /// The same, read from the packets themselves where ``sampleCounts(ofTrack:)`` has none: each
  /// is read once.
  func packetLengths(ofTrack track: Int) throws(CutError) -> [Int32]
  /// What the bitstream states about a packet flagged as key.
  func access(ofTrack track: Int, _ place: Int) -> RandomAccessKind
  /// Keeps intermediate data in a file that several sources share, unless it has one already: a sealed process
  /// has few.
  func share(_ spool: PayloadSpool)
  /// Lends the demuxer, which has the codec parameters.
  func withDemuxer<Result>(
    _ body: (borrowing Demuxer) throws(CutError) -> Result
  ) throws(CutError) -> Result
}

/// The source of a packet, and the places of all that are from there.
struct PacketHolder {
  var source: any CutSource
  /// Its number among the joined sources.
  var number: Int
  var places: Range<Int>
}

extension CutSource {
  var pieces: [any CutSource] { [self] }
  var native: ISOCutSource? { nil }
  var voids: [Range<Int64>] { [] }
  var isIncomplete: Bool { false }
  var isISO: Bool { false }
  var isJoined: Bool { false }
  var areFiles: Bool { false }
  var leftOut: [LeftOut] { [] }
  func refresh() {}
  var refitted: RefittedSource? { nil }
  func share(_ spool: PayloadSpool) {}
  var shownChapters: [ChapterFacts] { facts.chapters }

  // Where packets are found by reading all of them, nothing is left to be said.
  func expectMedia(of range: MediaTimeRange) {}

  func own(
    _ range: MediaTimeRange, ofTrack track: Int, _ place: Int
  ) throws(ExactTimeError) -> MediaTimeRange { range }

  func moved(_ range: MediaTimeRange, of number: Int) throws(ExactTimeError) -> MediaTimeRange {
    range
  }

  func place(_ place: Int, ofTrack track: Int, in number: Int) -> Int { place }

  func holder(ofTrack track: Int, _ place: Int) -> PacketHolder {
    PacketHolder(source: self, number: 0, places: 0..<tracks[track].coded.packets.count)
  }
}

/// A source track and what is needed to copy it.
struct SourceTrack {
  var facts: TrackFacts
  var coded: CodedTrack
  /// FFmpeg's stream index.
  var stream: Int
  /// The codec configuration, such as avcC or hvcC; empty if there is none.
  var configuration: [UInt8]
  /// Chapters as a track of titles, which is clipped like subtitles.
  var isChapterTrack = false
  /// Whether it announces an alpha channel (AlphaMode; RFC 9559, 5.1.4.1.28.4), which all, some
  /// or none of its pictures may have.
  var hasAlpha = false
  /// Size in bytes of a cover, or of an attachment, whose beginning is in the configuration.
  var attachedByteCount = 0
  /// Metadata presented in sync with video and audio: camera position, motion (ISO 14496-12,
  /// 12.3).
  var isTimedMetadata = false
  /// The frame numbers in the samples of a timecode track, from its first, which counts from tick
  /// 0, and its frame duration.
  var timecode: (samples: [ISOTimecode.Sample], length: MediaDuration)?
  /// The container's rounding error for times that are counted here; `nil` where none are.
  var roundedBy: MediaDuration?
  /// Packets are delivered in another framing than the demuxer's: that of `configuration`.
  var isReframed = false
  /// The packet whose headers describe the track, including size and aspect ratio in `facts`, if
  /// it is not the first one.
  var describedAt: Int?
  /// Frame rate from the default duration in Matroska's header.
  var statedFrameRate: Rational?
  /// Delay of all audio in samples, as stated by Matroska and rounded in its millisecond times.
  var codecDelay: Int?
  /// Bytes per ADPCM block, of which a packet may hold several; `nil` where a packet is one
  /// block.
  var blockByteCount: Int?
  /// Places of packets that the container's own error detection flags.
  var corrupt: Set<Int> = []
  /// The stated PTS of pictures that were given another because it was far from those around
  /// them, by place.
  var strays: [Int: MediaTime] = [:]
  /// Places of audio packets before which overlapping ones were dropped.
  var overlaps: Set<Int> = []
  /// What its packets state about the track, if anything.
  var descriptions = SoundDescriptions()
  /// It is described by another source, and the demuxer does not know it: whatever is in it is re-encoded.
  var isLent = false
  /// The same for pictures, which are all encoded to what this describes.
  var parameters: CodecParameters?
  /// Why the track cannot be cut; `nil` if it can.
  var obstacle: String?

  var framing: Framing { Framing(codec: facts.codec, configuration: configuration) }
  /// The shape that its pictures state, which the container may contradict or omit.
  var shape: Muxer.PictureShape? {
    guard let video = facts.video, video.width > 0, video.height > 0 else { return nil }
    return Muxer.PictureShape(
      width: video.width, height: video.height, sampleAspectRatio: video.sampleAspectRatio,
      isFallback: describedAt == nil && !facts.codec.isOne(of: .dnxhd, .dvVideo))
  }

  /// Whether headers state the reorder depth, so that a decoder need not guess.
  var statesReordering: Bool {
    guard facts.codec.usesNALUnits else { return true }
    return VideoHeader(codec: facts.codec, configuration: configuration)?.maxReorderFrames != nil
  }

  /// False where headers state that pictures are shown in decode order.
  var mayReorder: Bool {
    VideoHeader(codec: facts.codec, configuration: configuration)?.maxReorderFrames != 0
  }

  /// H.264 that may reorder pictures without stating the depth.
  var leavesReorderingOpen: Bool {
    guard facts.codec == .h264, !statesReordering else { return false }
    let first = coded.packets.prefix(600)
    return zip(first, first.dropFirst()).contains { $0.pts > $1.pts }
  }

  /// Whether its parameter sets are only in the packets.
  var lacksParameterSets: Bool {
    facts.codec.usesNALUnits && configuration.isEmpty
  }
}
