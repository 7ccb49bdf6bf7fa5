#if FFmpeg
  import Bitstreams
  import ExactTime
  import Libav
  import MediaFacts
  import Probing
  import Trimming

  extension PacketColumns {
    /// Of a clock that is set back all the time the packets say nothing.
    private static let leastShareKept = 10

    /// The ticks in which the frames of a stream are shown: those before its first keyframe are lost,
    /// and those that lead it, though what follows may refer to them.
    ///
    /// - Parameter start: where the first of them is shown by a probe, on the stream's grid here.
    func visible(ofStream stream: Int, from start: Int64?) -> Range<Int64> {
      if starts.isLost(stream) { return Int64.max / 4..<Int64.max / 4 }
      let first =
        starts.hasUncertainStart(stream, timesAreMade: clocks[stream] != nil)
        ? start : starts.firstShown[stream].map { $0 &* (unrolled[stream]?.multiple ?? 1) }
      return (first ?? .min / 4)..<Int64.max / 4
    }

    /// Whether the end of a stream's last packet is not heard.
    func hidesEnd(ofStream stream: Int) -> Bool {
      guard let column = columns[stream] else { return false }
      return column.hidesEnd
        || isOgg && tracks[stream].codec == "opus"
          && column.packets.earlyEnd(onPageAt: column.pagePlace) != nil
    }

    /// Numbers of packets that show nothing: placeholders of packed pictures, and pictures that are
    /// not meant to be shown.
    func empties(ofStream stream: Int) -> Set<Int> { columns[stream]?.empties ?? [] }

    /// Numbers of the packets that belong to the one before; `nil` where none does.
    func secondFields(ofStream stream: Int) -> Set<Int>? {
      columns[stream].flatMap { $0.seconds.isEmpty ? nil : $0.seconds }
    }

    /// Places of packets that the demuxer says are damaged.
    func corruptPlaces(ofStream stream: Int) -> Set<Int> { columns[stream]?.corrupt ?? [] }

    /// Samples of each packet of sound; zero where it does not tell.
    func samples(ofStream stream: Int) -> [Int32] { columns[stream]?.samples ?? [] }

    /// Places of packets of sound before which others were left out, that overlapped them.
    func overlaps(ofStream stream: Int) -> Set<Int> { columns[stream]?.overlaps ?? [] }

    /// What ADTS headers of its packets say.
    func descriptions(ofStream stream: Int) -> SoundDescriptions {
      columns[stream]?.descriptions ?? SoundDescriptions()
    }

    /// - Parameter isWhole: nothing of the file is known to be missing, so that a stream without
    ///   packets has none.
    func obstacle(ofStream stream: Int, isWhole: Bool) -> String? {
      guard let column = columns[stream] else { return isWhole ? nil : "it has no packets" }
      let track = tracks[stream]
      if track.isEncrypted { return "it is encrypted" }
      // CAF has none in FFmpeg's files (RFC 7845, 5.1).
      if track.codec == "opus", track.extradata.count < 19 {
        return "its identification header is missing"
      }
      if track.codec == "opus", !OpusLayout.isValid(track.extradata) {
        return "its header describes no layout of channels"
      }
      if let clock = clocks[stream] {
        return clock.isLost
          ? "its container does not state when pictures are shown, and its pictures are not understood"
          : nil
      }
      // FFmpeg's parsers give a single frame without a container no time.
      if column.hasNoTime, !(isBare && column.packets.count == 1) {
        return "some of its packets carry no time"
      }
      if column.hasImpossibleTime { return "some of its packets have times that cannot be" }
      if ["h264", "hevc"].contains(track.codec), track.reorderedFrames > 0,
        !column.unstamped.isEmpty
      {
        return "its container does not state when pictures are shown"
      }
      if column.leftOut > column.packets.count / Self.leastShareKept {
        return "its clock is set back again and again"
      }
      if !column.backs.isEmpty,
        track.kind != .video || storesDecoding && !column.isOrderedByPTS
      {
        return "its clock is set back in the middle"
      }
      return nil
    }
  }
#endif
