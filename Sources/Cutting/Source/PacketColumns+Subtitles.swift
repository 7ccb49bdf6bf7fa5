import Bitstreams
import ExactTime
import Libav
import MediaFacts
import Probing
import Trimming

extension PacketColumns {
  /// Adds a packet of data that is presented with audio and video.
  mutating func addTimed(
    _ packet: PacketFacts, _ track: LibavTrack, to column: inout PacketColumn,
    _ demuxer: borrowing Demuxer
  ) {
    guard SubtitleCodec.standsUntilNext(track.codec) else {
      var packet = packet
      if track.codec == .dvdSubtitle, packet.duration == 0,
        let end = SubPicture.end(of: demuxer.withPacketBytes { Array($0) }),
        let ticks = try? track.grid?.ticks(of: end, rounding: .nearest)
      {
        packet.duration = ticks
      }
      append(packet, isKey: packet.isKey, track, to: &column)
      return
    }
    if SubtitleCodec.isOfPages(track.codec) {
      addPage(packet, track, to: &column, demuxer)
      return
    }
    let (composition, isEnd) = demuxer.withPacketBytes {
      (PresentationComposition($0), PresentationComposition.ends(with: $0))
    }
    let place = column.packets.count
    defer { column.isScreenOpen = !isEnd && (composition != nil || column.isScreenOpen) }
    if composition == nil, column.isScreenOpen, place > 0 {
      // Transport streams carry the segments of a screen separately.
      column.seconds.insert(column.number - 1)
      column.packets[place - 1].byteCount += packet.byteCount
      return
    }
    if composition?.isEmpty == true { column.clearings.insert(place) }
    append(packet, isKey: composition?.isComplete == true, track, to: &column)
  }

  /// Adds a packet of page segments; more of the same page may follow in separate packets.
  private func addPage(
    _ packet: PacketFacts, _ track: LibavTrack, to column: inout PacketColumn,
    _ demuxer: borrowing Demuxer
  ) {
    let segments = demuxer.withPacketBytes { PageComposition.segments(of: Array($0)) }
    // A packet may have none; in a truncated one some may be left.
    guard segments.first == 0x0F || segments.starts(with: [0x20, 0x00, 0x0F]) else {
      column.empties.insert(column.number - 1)
      return
    }
    let page = PageComposition(segments)
    let place = column.packets.count
    if page?.isEmpty == true { column.clearings.insert(place) }
    if let page { column.longestScreen = page.longest }
    column.screenLimits[place] = column.longestScreen
    append(packet, isKey: page?.isComplete == true, track, to: &column)
  }

  /// Subtitles without a duration stay on screen until the next ones, or the end; those that only
  /// clear the screen show nothing.
  func standing(
    _ packets: ContiguousArray<CodedPacket>, ofStream stream: Int, until end: Int64?
  ) -> ContiguousArray<CodedPacket> {
    guard let column = columns[stream] else { return packets }
    var result = packets
    for place in packets.indices
    where packets[place].duration == 0 && !column.clearings.contains(place) {
      guard let next = place + 1 < packets.count ? packets[place + 1].pts : end,
        case (let length, false) = next.subtractingReportingOverflow(packets[place].pts)
      else { continue }
      result[place].duration = max(0, length)
      if let seconds = column.screenLimits[place],
        let most = try? grid(ofStream: stream)?.ticks(
          of: MediaDuration(Int64(seconds)), rounding: .down)
      {
        result[place].duration = min(result[place].duration, most)
      }
    }
    return result
  }
}

extension ContiguousArray<CodedPacket> {
  /// Text without a duration stays until another one begins, or the end (RFC 9559, 5.1.3.5.3).
  ///
  /// FFmpeg's demuxer does not distinguish a missing duration from a zero one.
  mutating func standUntilNext(or end: Int64?) {
    var (next, before) = (end, Int64?.none)
    let order = indices.sorted { (self[$0].pts, $0) < (self[$1].pts, $1) }
    for place in order.reversed() {
      // Several may begin at the same time.
      if let before, before != self[place].pts { next = before }
      before = self[place].pts
      guard self[place].duration == 0, let next,
        case (let length, false) = next.subtractingReportingOverflow(self[place].pts)
      else { continue }
      self[place].duration = Swift.max(0, length)
    }
  }
}
