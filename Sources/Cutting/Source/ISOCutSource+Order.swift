#if FFmpeg
  import Bitstreams
  import ISOMedia
  import MediaFacts
  import Probing
  import Trimming

  extension ISOCutSource {
    /// Some writers state when pictures are decoded and leave out when they are shown (`ctts`): where pictures are
    /// reordered all the same, the one that is shown n-th takes the n-th time.
    static func order(
      _ packets: inout ContiguousArray<CodedPacket>, of track: TrackFacts,
      configuration: [UInt8], bytes: (_ place: Int, _ most: Int) -> [UInt8]?
    ) {
      guard ["h264", "hevc"].contains(track.codec), packets.count > 1,
        packets.allSatisfy({ $0.pts == $0.dts }),
        var clock = PictureClock(
          format: PictureClock.untimedISO, codec: track.codec, configuration: configuration)
      else { return }
      for place in packets.indices {
        // Whether units stand behind lengths shows in a whole sample alone.
        let most = place == 0 ? Int(packets[0].byteCount) : headBytes
        guard let head = bytes(place, most),
          clock.add(head, instant: packets[place].dts, duration: packets[place].duration) != nil,
          !clock.isLost
        else { return }
        if place == mostInOrder, clock.isInOrder { return }
      }
      guard !clock.isInOrder, let (times, end) = clock.times(delay: 0),
        times.count == packets.count
      else { return }
      for place in packets.indices { packets[place].pts = times[place] }
      packets.holdLast(for: end &- (times.max() ?? end))
      packets.orderDecoding()
    }

    /// Up to the header of the first slice, behind what may stand before it.
    private static let headBytes = 4096
    /// Encoders that reorder do so in every second.
    private static let mostInOrder = 256
  }
#endif
