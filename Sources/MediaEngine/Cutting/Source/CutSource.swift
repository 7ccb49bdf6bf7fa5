#if FFmpeg
  import ExactTime
  import Libav
  import MediaFacts
  import Trimming

  /// A film opened for cutting: the times of all its packets, and the bytes of any.
  protocol CutSource: AnyObject {
    var file: InputFile { get }
    var facts: MediaFacts { get }
    var tracks: [SourceTrack] { get }
    /// The first presented instant on the film's own timeline.
    var zero: MediaTime { get }

    /// Gets ready for an output: MP4 wants times counted in frames and samples, and packets in its
    /// own framing.
    func adapt(to container: OutputContainer) throws(CutError)

    /// Makes the bytes of some packets available: ranges of places, by track.
    func prepare(_ needed: [Int: [Range<Int>]]) throws(CutError)
    func bytes(ofTrack track: Int, _ place: Int) throws(CutError) -> [UInt8]
    /// How many samples each packet of a track of sound says it has, where they are known.
    func sampleCounts(ofTrack track: Int) -> [Int32]
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
    /// The frame number with which a timecode track begins, and how long a frame of it lasts.
    var timecode: (frame: Int64, length: MediaDuration)?
    /// By how much the container rounds times that are counted here; `nil` where none are.
    var roundedBy: MediaDuration?
    /// Packets are handed out as MP4 has them, with `configuration`; the demuxer knows another.
    var isReframed = false
    /// Why it cannot be cut along; `nil` when it can.
    var obstacle: String?

    var framing: Framing { Framing(codec: facts.codec, configuration: configuration) }
  }
#endif
