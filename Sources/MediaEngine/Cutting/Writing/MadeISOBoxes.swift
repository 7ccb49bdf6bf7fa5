#if FFmpeg
  import ExactTime
  import ISOMedia
  import Libav
  import MediaFacts
  import Synchronization
  import Trimming

  /// What an MP4 or QuickTime header says of tracks that come out of another container.
  ///
  /// FFmpeg's muxer describes the codecs, in a header without samples that is read back.
  struct MadeISOBoxes {
    let source: any CutSource
    let container: OutputContainer
    let labels: PacketWriter.Labels

    /// The boxes, with a track for each of the output's, in their order.
    func boxes(for tracks: [OutputTrack]) throws(CutError) -> ISOSourceBoxes {
      let header = try source.withDemuxer { (demuxer) throws(CutError) in
        try Self.header(tracks.map(stream), of: demuxer, in: container, tags: labels.tags)
      }
      var boxes: ISOSourceBoxes
      do {
        boxes = try ISOSourceBoxes(reading: InMemoryBytes(header))
      } catch {
        throw CutError(.internalError, "the header that was made cannot be read: \(error)")
      }
      guard boxes.tracks.count == tracks.count else {
        throw CutError(.internalError, "the header that was made lacks a track")
      }
      boxes.movie.brands =
        switch container {
        case .mov: .quickTime
        case .m4a: .m4a
        default: .mp4
        }
      for (place, track) in tracks.enumerated() {
        let ticks = track.grid.secondsPerTick
        guard ticks.numerator == 1, let timescale = UInt32(exactly: ticks.denominator) else {
          throw CutError(.notCuttable, "the ticks of track \(place + 1) are too fine for a header")
        }
        boxes.tracks[place].timescale = timescale
        // All parameter sets stand in the header, and Apple's players want to be told so.
        boxes.tracks[place].sampleEntries = boxes.tracks[place].sampleEntries.map {
          $0.format == "hev1" ? $0.named("hvc1") : $0
        }
      }
      return boxes
    }

    private static func header(
      _ streams: [Muxer.Stream], of demuxer: borrowing Demuxer, in container: OutputContainer,
      tags: [(key: String, value: String)] = []
    ) throws(CutError) -> [UInt8] {
      let memory = HeaderMemory()
      do throws(LibavError) {
        _ = try Muxer(
          format: container.muxer, to: memory, from: demuxer, streams: streams, chapters: [],
          tags: tags,
          // FLAC in MP4 is an experiment to FFmpeg, and a standard to its authors.
          options: [("movflags", "empty_moov+default_base_moof"), ("strict", "experimental")])
      } catch {
        throw CutError(
          .codecDoesNotFit,
          "\(container.endings) cannot describe one of the tracks: \(error.message)",
          hint: "Write .mkv here.")
      }
      return memory.bytes
    }

    /// avcC or hvcC for parameter sets behind start codes; `nil` where they are not understood.
    static func configuration(
      ofStream stream: Int, sets: [UInt8], _ demuxer: borrowing Demuxer
    ) -> [UInt8]? {
      let described = Muxer.Stream(
        source: stream, tick: Rational(1, 90_000), extradata: sets, tags: [])
      guard let header = try? header([described], of: demuxer, in: .mp4),
        let movie = try? ISOMovie(reading: InMemoryBytes(header)),
        let entry = movie.tracks.first?.sampleEntries.first
      else { return nil }
      return entry.configuration("avcC") ?? entry.configuration("hvcC")
    }

    private func stream(_ track: OutputTrack) -> Muxer.Stream {
      let described = source.tracks[track.source]
      var tags: [(key: String, value: String)] = []
      if let language = described.facts.language { tags.append(("language", language)) }
      var stream = Muxer.Stream(
        source: described.stream, tick: track.grid.secondsPerTick,
        extradata: described.isReframed ? described.configuration : nil, tags: tags,
        frameRate: described.facts.video?.nominalFrameRate)
      if let made = track.made {
        stream.parameters = made.parameters
        stream.extradata = nil
      }
      return stream
    }
  }

  /// The beginning of a file that nobody needs on disk.
  private final class HeaderMemory: ByteOutput {
    private let content = Mutex<[UInt8]>([])
    var bytes: [UInt8] { content.withLock { $0 } }

    func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
      let start = Int(clamping: position)
      guard start <= 1 << 24 else { throw OutputFault(27) }
      content.withLock { content in
        let end = start + bytes.count
        if content.count < end { content += Array(repeating: 0, count: end - content.count) }
        for offset in bytes.indices { content[start + offset] = bytes[offset] }
      }
    }
  }
#endif
