#if FFmpeg
  import ExactTime
  import ISOMedia
  import Libav
  import MediaFacts
  import Trimming

  /// An MP4 or QuickTime film, read natively: FFmpeg is only needed to decode its edges.
  final class ISOCutSource: CutSource {
    let file: InputFile
    let facts: MediaFacts
    private(set) var tracks: [SourceTrack] = []
    let zero: MediaTime
    let movie: ISOMovie

    private let bytes: FileBytes
    private var tables: [ISOSampleTable] = []
    private var demuxer: OpenDemuxer?
    private let limits: Limits

    private final class OpenDemuxer {
      let value: Demuxer
      init(_ value: consuming Demuxer) { self.value = value }
    }

    /// `nil` when the content is not ISO base media.
    init?(
      _ file: InputFile, limits: Limits, isCancelled: @escaping @Sendable () -> Bool
    ) throws(CutError) {
      self.file = file
      self.limits = limits
      bytes = FileBytes(file)
      do {
        var isoLimits = ISOLimits()
        isoLimits.samples = limits.samples
        isoLimits.tracks = limits.streams
        movie = try ISOMovie(reading: bytes, limits: isoLimits)
        let probe = try ISOProbe(bytes, movie, wantsKeyframes: false)
        facts = probe.facts(depth: .header, isSeekable: true)
        zero = facts.durations.presented?.start ?? .zero
        for (index, track) in movie.tracks.enumerated() {
          tables.append(try track.samples(.timesAndPlaces))
          try add(track, at: index, probe.timelines[index])
        }
      } catch let error as ISOError {
        if error.code == .notISO { return nil }
        throw CutError(ProbeError(error))
      } catch let error as CutError {
        throw error
      } catch {
        throw CutError(.internalError, "\(error)")
      }
    }

    private func add(
      _ track: ISOTrack, at index: Int, _ timeline: TrackTimeline?
    ) throws(CutError) {
      let facts = facts.tracks[index]
      let table = tables[index]
      let grid = TickGrid(ticksPerSecond: track.timescale ?? 1)
      var packets: ContiguousArray<CodedPacket> = []
      packets.reserveCapacity(table.count)
      let isComplete = track.placement.isComplete
      for sample in 0..<table.count {
        // Behind the end of a damaged file there is nothing to cut.
        if !isComplete, !isInside(sample, table) { break }
        packets.append(
          CodedPacket(
            pts: table.presentationTime(sample), dts: table.decodeTimes[sample],
            duration: Int64(table.durations[sample]), byteCount: Int(table.sizes[sample]),
            isKey: table.isSync(sample)))
      }
      let (origin, visible, obstacle) = try Self.placement(
        timeline?.edits ?? Self.layout(track, movie, table), grid, zero,
        hasEdits: !track.edits.isEmpty)
      tracks.append(
        SourceTrack(
          facts: facts,
          coded: CodedTrack(
            index: index, kind: facts.kind, codec: facts.codec, grid: grid, origin: origin,
            visible: visible, packets: packets),
          stream: index, configuration: Self.configuration(track),
          isChapterTrack: track.isChapterTrack, timecode: Self.timecode(track),
          obstacle: track.isEncrypted ? "it is encrypted" : obstacle))
    }

    private func isInside(_ sample: Int, _ table: ISOSampleTable) -> Bool {
      guard let offset = table.offset(sample), offset >= 0, offset <= bytes.byteCount else {
        return false
      }
      return Int64(table.sizes[sample]) <= bytes.byteCount - offset
    }

    private static func timecode(_ track: ISOTrack) -> (frame: Int64, length: MediaDuration)? {
      guard let code = track.timecode, let frame = code.startFrame, code.timescale > 0 else {
        return nil
      }
      return (frame, MediaDuration(Int64(code.frameDuration), Int64(code.timescale)))
    }

    private static func configuration(_ track: ISOTrack) -> [UInt8] {
      guard let entry = track.sampleEntries.first else { return [] }
      for box: FourCC in ["avcC", "hvcC", "av1C", "vpcC"] {
        if let bytes = entry.configuration(box) { return bytes }
      }
      if let bytes = entry.configuration("dOps") { return opusHead(bytes) }
      // A full box, and the header of the metadata block (Encapsulation of FLAC in ISO Base Media).
      if let bytes = entry.configuration("dfLa"), bytes.count >= 42 { return Array(bytes[8..<42]) }
      return entry.elementaryStream?.decoderConfiguration ?? []
    }

    /// The identification header of Opus (RFC 7845, 5.1), whose numbers stand the other way round in
    /// MP4 (Encapsulation of Opus in ISO Base Media, 4.3.2).
    private static func opusHead(_ box: [UInt8]) -> [UInt8] {
      guard box.count >= 11 else { return [] }
      return Array("OpusHead".utf8) + [1, box[1]] + box[2..<4].reversed() + box[4..<8].reversed()
        + box[8..<10].reversed() + box[10...]
    }

    /// The edit list of a track that is not presented by itself: subtitles, timecode.
    private static func layout(
      _ track: ISOTrack, _ movie: ISOMovie, _ table: ISOSampleTable
    ) -> EditedTimeline {
      EditedTimeline(
        edits: track.edits.map {
          EditedTimeline.Edit(
            length: $0.segmentDuration, mediaStart: $0.isEmpty ? nil : $0.mediaTime, rate: $0.rate)
        },
        grid: TickGrid(ticksPerSecond: track.timescale ?? 1),
        film: movie.timescale.map { TickGrid(ticksPerSecond: $0) },
        mediaEnd: table.count > 0 ? table.presentationEnd(table.count - 1) : 0,
        isFragmented: movie.isFragmented)
    }

    /// Where the media's tick 0 would be shown, and which ticks are.
    private static func placement(
      _ timeline: EditedTimeline, _ grid: TickGrid, _ zero: MediaTime, hasEdits: Bool
    ) throws(CutError) -> (MediaTime, Range<Int64>, String?) {
      let everything = Int64.min / 4..<Int64.max / 4
      do {
        guard let segment = timeline.segments.first else {
          return (.zero, 0..<0, "its edit list shows nothing")
        }
        let lead = try grid.duration(ofTicks: segment.mediaStart)
        let origin = try segment.start.moved(back: lead)
          .moved(back: zero.distance(from: .zero))
        let end = try segment.mediaEnd?.rounded(.up) ?? everything.upperBound
        guard timeline.segments.count == 1, segment.rate == .one, !timeline.isOverflowing else {
          return (
            origin, everything, "its edit list joins several parts or plays at another speed"
          )
        }
        let start = hasEdits ? segment.mediaStart : everything.lowerBound
        return (origin, start..<max(start, end), nil)
      } catch {
        throw CutError.beyondNumbers
      }
    }

    func table(ofTrack track: Int) -> ISOSampleTable { tables[track] }

    /// What the header says, as bytes to carry over, with a track for each of the output's.
    func readBoxes(for tracks: [OutputTrack]) throws(CutError) -> ISOSourceBoxes {
      do {
        var boxes = try ISOSourceBoxes(reading: bytes)
        boxes.tracks = tracks.map { boxes.tracks[$0.source] }
        return boxes
      } catch {
        throw CutError(ProbeError(error))
      }
    }

    /// Times are exact already, and packets framed as MP4 has them.
    func adapt(to container: OutputContainer) {}

    func prepare(_ needed: [Int: [Range<Int>]]) throws(CutError) {}

    func bytes(ofTrack track: Int, _ place: Int) throws(CutError) -> [UInt8] {
      let table = tables[track]
      let count = Int(table.sizes[place])
      guard let offset = table.offset(place) else {
        throw CutError(.damaged, "sample \(place) of track \(track) has no place in the file")
      }
      let read: [UInt8]
      do {
        read = try bytes.read(at: offset, count: count)
      } catch let fault as InputFault {
        throw CutError(ProbeError(fault))
      } catch {
        throw CutError(.internalError, "\(error)")
      }
      guard read.count == count else {
        throw CutError(
          .inputChanged, "the file ended at byte \(offset + Int64(read.count)) while it was read",
          hint: "Something changed the file; try again.")
      }
      return read
    }

    func sampleCounts(ofTrack track: Int) -> [Int32] { [] }

    func access(ofTrack track: Int, _ place: Int) -> RandomAccessKind {
      let source = tracks[track]
      for limit in [4096, 65536] {
        let count = min(limit, Int(tables[track].sizes[place]))
        guard let offset = tables[track].offset(place),
          let start = try? bytes.read(at: offset, count: count)
        else { return .unknown }
        let access = RandomAccess.classify(
          codec: source.facts.codec, start[...], framing: source.framing)
        if access != .unknown || count < limit { return access }
      }
      return .unknown
    }

    func withDemuxer<Result>(
      _ body: (borrowing Demuxer) throws(CutError) -> Result
    ) throws(CutError) -> Result {
      if let demuxer { return try body(demuxer.value) }
      var opened = try open(.headers)
      // FFmpeg leaves the size of MPEG-4 part 2 and H.263 to their decoders; muxers want it.
      if !opened.value.describesTracks { opened = try open(.streams) }
      demuxer = opened
      return try body(opened.value)
    }

    private func open(_ preparation: Demuxer.Preparation) throws(CutError) -> OpenDemuxer {
      do {
        try LibavLibrary.limitAllocations(to: limits.allocation)
        return OpenDemuxer(
          try Demuxer(
            file, preparation: preparation, editLists: .ignored, limits: limits.demuxer))
      } catch {
        throw CutError(error)
      }
    }
  }
#endif
