#if FFmpeg
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
    /// As an output wants them: see ``adapt(to:)``.
    var tracks: [SourceTrack] { get }
    /// As the container states them.
    var stated: [SourceTrack] { get }
    /// The first presented instant on the file's own timeline.
    var zero: MediaTime { get }

    /// With times counted in frames and samples, and packets framed as in MP4; `nil` where they are
    /// so already.
    func counted() throws(CutError) -> [SourceTrack]?

    /// Gets ready to hand out packets for an output: MP4 wants times counted in frames and samples, and packets in its
    /// own framing; AVI wants AAC without ADTS headers, as MP4 does.
    func adapt(to container: OutputContainer) throws(CutError)

    /// Finds out under which parameter sets packets are samples of MP4: those in force at the first that is
    /// copied.
    ///
    /// - Parameters:
    ///   - copied: ranges of places, by track, in the order of the output; they were prepared.
    ///   - changing: tracks whose format changes, so that edges bring their own parameter sets.
    /// - Returns: tracks in which one set takes the place of another: all sets stay in the samples.
    func settleSets(
      copying copied: [Int: [Range<Int>]], changing: Set<Int>
    ) throws(CutError) -> Set<Int>

    /// Describes a video track by the headers at a packet, whose format is not that of the file's first pictures.
    func describe(_ track: Int, as look: CodedLook, at place: Int) throws(CutError)

    /// Has what some packets say describe a track of AAC whose frames lose their headers.
    func describe(_ track: Int, as run: SoundDescriptions.Run)

    /// Makes the bytes of some packets available: ranges of places, by track.
    func prepare(_ needed: [Int: [Range<Int>]]) throws(CutError)
    func bytes(ofTrack track: Int, _ place: Int) throws(CutError) -> [UInt8]
    /// The alpha channel that stands beside a packet; `nil` where none does.
    func alpha(ofTrack track: Int, _ place: Int) throws(CutError) -> [UInt8]?
    /// A picture of the cover: one of those that ``facts`` tell, by its index.
    func cover(ofTrack index: Int) throws(CutError) -> [UInt8]
    /// How many samples each packet of a track of sound says it has, where they are known.
    func sampleCounts(ofTrack track: Int) -> [Int32]
    /// The same as packets say themselves, where ``sampleCounts(ofTrack:)`` does not know: each is looked at once.
    func packetLengths(ofTrack track: Int) throws(CutError) -> [Int32]
    /// What the bitstream says of a packet flagged as key.
    func access(ofTrack track: Int, _ place: Int) -> RandomAccessKind
    /// Lends the demuxer that knows the codecs' parameters.
    func withDemuxer<Result>(
      _ body: (borrowing Demuxer) throws(CutError) -> Result
    ) throws(CutError) -> Result
  }

  /// A track of the source and what is needed to copy it.
  struct SourceTrack {
    var facts: TrackFacts
    var coded: CodedTrack
    /// FFmpeg's number of the stream.
    var stream: Int
    /// avcC, hvcC and their like; empty where there is none.
    var configuration: [UInt8]
    /// Chapters as a track of titles, which is clipped like subtitles.
    var isChapterTrack = false
    /// Whether it announces that an alpha channel stands beside its pictures (AlphaMode; RFC 9559, 5.1.4.1.28.4),
    /// which may still be beside none, or some.
    var hasAlpha = false
    /// Bytes of an attachment, of which the configuration has the beginning; or of a cover.
    var attachedByteCount = 0
    /// Told beside pictures and sound, as they are shown: where a camera is, how it moves (ISO 14496-12, 12.3).
    var isTimedMetadata = false
    /// The frame numbers that the samples of a timecode track hold, from its first, which counts from tick
    /// 0 on, and how long a frame of it lasts.
    var timecode: (samples: [ISOTimecode.Sample], length: MediaDuration)?
    /// By how much the container rounds times that are counted here; `nil` where none are.
    var roundedBy: MediaDuration?
    /// Packets are handed out in another framing than the demuxer knows, that of `configuration`.
    var isReframed = false
    /// The packet whose headers describe the track, if not the first one.
    var describedAt: Int?
    /// The size and aspect ratio in `facts` were read at `describedAt`.
    var isReshaped = false
    /// Frames a second, where Matroska's header says how long each is.
    var statedFrameRate: Rational?
    /// Samples by which Matroska says that all sound is late, which its times in milliseconds round.
    var codecDelay: Int?
    /// Bytes of a block of ADPCM, of which a packet may hold several; `nil` where a packet is one.
    var blockByteCount: Int?
    /// Places of packets that the container's own error detection marks.
    var corrupt: Set<Int> = []
    /// Places of packets of sound before which others were left out, since they overlapped.
    var overlaps: Set<Int> = []
    /// What its packets say of it, where they do.
    var descriptions = SoundDescriptions()
    /// Why it cannot be cut along; `nil` when it can.
    var obstacle: String?

    var framing: Framing { Framing(codec: facts.codec, configuration: configuration) }
    /// As its pictures say, where their container may say otherwise or nothing.
    var shape: Muxer.PictureShape? {
      guard let video = facts.video, video.width > 0, video.height > 0 else { return nil }
      return Muxer.PictureShape(
        width: video.width, height: video.height, sampleAspectRatio: video.sampleAspectRatio,
        isFallback: !isReshaped && !["dnxhd", "dvvideo"].contains(facts.codec))
    }

    /// Whether headers say how far pictures are reordered, so that a decoder need not guess.
    var statesReordering: Bool {
      guard ["h264", "hevc"].contains(facts.codec) else { return true }
      return VideoHeader(codec: facts.codec, configuration: configuration)?.maxReorderFrames != nil
    }

    /// False where headers say that pictures are shown as they are coded.
    var mayReorder: Bool {
      VideoHeader(codec: facts.codec, configuration: configuration)?.maxReorderFrames != 0
    }

    /// H.264 that reorders pictures without saying how far.
    var leavesReorderingOpen: Bool {
      guard facts.codec == "h264", !statesReordering else { return false }
      let first = coded.packets.prefix(600)
      return zip(first, first.dropFirst()).contains { $0.pts > $1.pts }
    }

    /// Those of its pictures stand in the packets alone.
    var lacksParameterSets: Bool {
      ["h264", "hevc"].contains(facts.codec) && configuration.isEmpty
    }
  }
#endif
