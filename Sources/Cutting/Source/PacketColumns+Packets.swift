import Bitstreams
import ExactTime
import Libav
import MediaFacts
import Probing
import Trimming

extension PacketColumns {
  /// The packets of a stream, each with a PTS.
  ///
  /// Where some have none, a reordered picture is shown when the next reordered one is decoded,
  /// which is when a decoder with a delay of one outputs it.
  func packets(ofStream stream: Int) -> ContiguousArray<CodedPacket> {
    guard let column = columns[stream] else { return [] }
    var packets = column.packets
    // A truncated frame is not presented.
    let isTorn = !lastFrame.isEmpty && !FLACFrame.isWhole(lastFrame)
    if column.isCutShort || isTorn, !packets.isEmpty { packets.removeLast() }
    if let clock = clocks[stream] {
      time(&packets, by: clock, delay: tracks[stream].reorderedFrames)
      return packets
    }
    unrolled[stream]?.unroll(&packets) { place(ofPacket: $0, stream) }
    // In Matroska, only rounding errors.
    if tracks[stream].codec == .vorbis {
      packets.closeBlocks(upTo: isOgg ? 4096 : 2)
      if isOgg { packets.placeLead() }
    }
    if isOgg, tracks[stream].codec == .opus { packets.delayEnd(onPageAt: column.pagePlace) }
    if tracks[stream].kind == .audio {
      packets.hearInOrder()
      packets.separate()
    }
    // Frames with damaged headers are in the previous packet.
    if isBareFLAC, tracks[stream].codec == .flac { packets.holdUntilNext() }
    if tracks[stream].kind == .video, !column.unstamped.isEmpty,
      column.unstamped.count < packets.count
    {
      Self.stamp(&packets, column.unstamped, packets.map(\.dts))
    }
    if tracks[stream].kind == .video,
      !storesDecoding || column.isFilled || !column.backs.isEmpty
        || unrolled[stream] != nil && !packets.isInDecodingOrder
    {
      packets.orderDecoding()
    }
    if tracks[stream].kind == .video { packets.holdUntilNext() }
    return packets
  }

  private static func stamp(
    _ packets: inout ContiguousArray<CodedPacket>, _ unstamped: [Int], _ decoded: [Int64]
  ) {
    let bare = Set(unstamped)
    var next: Int64?
    for place in packets.indices.reversed() {
      let waits = bare.contains(place) || packets[place].pts > decoded[place]
      if bare.contains(place), let end = packets.last {
        packets[place].pts =
          next ?? (decoded.last ?? decoded[place]) &+ max(1, end.duration)
      }
      if waits { next = decoded[place] }
    }
  }

  /// Pictures last until the next one is shown.
  private func time(
    _ packets: inout ContiguousArray<CodedPacket>, by clock: PictureClock, delay: Int
  ) {
    guard let (times, end) = clock.times(delay: delay), times.count == packets.count else {
      return
    }
    for place in packets.indices { packets[place].pts = times[place] }
    if let last = packets.indices.max(by: { times[$0] < times[$1] }) {
      packets[last].duration = end &- times[last]
    }
    packets.holdUntilNext()
    // Raw streams have no DTS either.
    if clock.madeInstants || !packets.isInDecodingOrder { packets.orderDecoding() }
  }
}
