import Bitstreams
import ExactTime
import ISOMedia
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// A file opened for cutting: the times of all its packets, and the bytes of any.
///
/// No cut changes it: what an output requires of it is an ``OutputView``.
protocol CutSource: AnyObject {
  var file: InputFile { get }
  var facts: MediaFacts { get }
  /// What is not read of the file, since the rest follows from what is.
  var voids: [Range<Int64>] { get }
  /// Whether something was asked about what was not read: what was answered is then worthless.
  var isIncomplete: Bool { get }
  var tracks: [SourceTrack] { get }
  /// The first presented instant on the file's own timeline.
  var zero: MediaTime { get }
  /// The MP4 or QuickTime file whose boxes describe the output; `nil` for other formats.
  var native: ISOCutSource? { get }
  /// Its chapters, along the ordered edition that it plays where there is one.
  var shownChapters: [ChapterFacts] { get }
  /// It, where it joins several sources.
  var joined: JoinedSource? { get }
  /// The source as it is matched with the leading one of a join; `nil` where it is as it was opened.
  var refitted: RefittedSource? { get }
  /// With times and packets as an output requires them; `nil` where they always are. What is read of
  /// them is kept in a file that several sources share.
  func framed(
    for rules: ContainerRules, in spool: PayloadSpool
  ) throws(MediaError) -> FramedSource?

  /// Reads packets of which the bytes will be requested, in one pass: ranges of places, by track.
  func prepare(_ needed: [Int: [Range<Int>]]) throws(MediaError)
  func bytes(ofTrack track: Int, _ place: Int) throws(MediaError) -> [UInt8]
  /// The number of those bytes; for a packet that was not prepared, perhaps that in the file.
  func byteCount(ofTrack track: Int, _ place: Int) throws(MediaError) -> Int
  /// The alpha channel stored with a packet; `nil` if it has none.
  func alpha(ofTrack track: Int, _ place: Int) throws(MediaError) -> [UInt8]?
  /// A cover picture, by its index in ``facts``.
  func cover(ofTrack index: Int) throws(MediaError) -> [UInt8]
  /// The number of samples of each audio packet, read from the packets themselves where the tracks state none:
  /// each is read once.
  func packetLengths(ofTrack track: Int) throws(MediaError) -> [Int32]
  /// What the bitstream states about a packet flagged as key.
  func access(ofTrack track: Int, _ place: Int) -> RandomAccessKind
  /// Keeps intermediate data in a file that several sources share, unless it has one already: a sealed process
  /// has few.
  func share(_ spool: PayloadSpool)
  /// Lends the demuxer, which has the codec parameters.
  func withDemuxer<Result>(
    _ body: (borrowing Demuxer) throws(MediaError) -> Result
  ) throws(MediaError) -> Result
}

/// The source of a packet, and the places of all that are from there.
struct PacketHolder {
  var source: any CutSource
  /// Its number among the joined sources.
  var number: Int
  var places: Range<Int>
}

extension CutSource {
  var native: ISOCutSource? { nil }
  var voids: [Range<Int64>] { [] }
  var isIncomplete: Bool { false }
  var joined: JoinedSource? { nil }
  var refitted: RefittedSource? { nil }
  var shownChapters: [ChapterFacts] { facts.chapters }
  func packetLengths(ofTrack track: Int) throws(MediaError) -> [Int32] { [] }
  func share(_ spool: PayloadSpool) {}
  func framed(for rules: ContainerRules, in spool: PayloadSpool) throws(MediaError) -> FramedSource?
  {
    nil
  }
}

/// A source made of another, which answers what it does not change.
protocol DerivedSource: CutSource {
  var base: any CutSource { get }
}

extension DerivedSource {
  var file: InputFile { base.file }
  var facts: MediaFacts { base.facts }
  var zero: MediaTime { base.zero }
  var shownChapters: [ChapterFacts] { base.shownChapters }
  func cover(ofTrack index: Int) throws(MediaError) -> [UInt8] { try base.cover(ofTrack: index) }

  func withDemuxer<Result>(
    _ body: (borrowing Demuxer) throws(MediaError) -> Result
  ) throws(MediaError) -> Result {
    try base.withDemuxer(body)
  }
}

/// One source, or several that are joined.
extension CutSource {
  /// The sources that are joined; itself, unless there are several.
  var pieces: [any CutSource] { joined?.pieces ?? [self] }
  /// Whether it joins several sources: its ``pieces``.
  var isJoined: Bool { joined != nil }
  /// Whether these are several files, not the pieces of one.
  var areFiles: Bool { joined?.areFiles ?? false }
  /// Whether its packets are those of an MP4 or QuickTime file.
  var isISO: Bool { !isJoined && unmatched.native != nil }
  /// What is not written of those that do not lead, besides tracks.
  var leftOut: [LeftOut] { joined?.leftOut ?? [] }

  /// A range of one of the pieces, on the timeline of all.
  func moved(_ range: MediaTimeRange, of number: Int) throws(ExactTimeError) -> MediaTimeRange {
    try joined?.moved(range, of: number) ?? range
  }

  /// A range of the source's timeline, as the file counts it that holds a packet.
  func own(
    _ range: MediaTimeRange, ofTrack track: Int, _ place: Int
  ) throws(ExactTimeError) -> MediaTimeRange {
    try joined?.own(range, ofTrack: track, place) ?? range
  }

  /// The place of a packet of one of the pieces, in the track of all.
  func place(_ place: Int, ofTrack track: Int, in number: Int) -> Int {
    joined?.place(place, ofTrack: track, in: number) ?? place
  }

  /// The source that a packet is from.
  func holder(ofTrack track: Int, _ place: Int) -> PacketHolder {
    joined?.holder(ofTrack: track, place)
      ?? PacketHolder(source: self, number: 0, places: 0..<tracks[track].coded.packets.count)
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
  /// The container's ticks, where times are counted in others.
  var statedGrid: TickGrid?
  /// Packets are delivered in another framing than the demuxer's: that of `configuration`.
  var isReframed = false
  /// The packet whose headers describe the track, including size and aspect ratio in `facts`, if
  /// it is not the first one.
  var describedAt: Int?
  /// Frame rate from the default duration in Matroska's header.
  var statedFrameRate: Rational?
  /// Delay of all audio in samples, as stated by Matroska and rounded in its millisecond times.
  var codecDelay: Int?
  /// The number of samples that each audio packet states, where known.
  var sampleCounts: [Int32] = []
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
  var descriptions = AudioDescriptions()
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
