import Bitstreams
import ExactTime
import Libav
import MediaFiles

/// Reads the packets of one track, and identifies the table's picture for each.
struct PacketCursor: ~Copyable {
  let track: PictureTrack
  private(set) var demuxer: Demuxer
  private(set) var stream: Int

  /// The index of the packet that was read and not yet taken.
  private(set) var held: Int?
  /// The index of the last packet that was read; −1 before the first.
  private(set) var lastRead = -1
  /// How much later FFmpeg's ticks are than the sample table's: it shifts those of files with
  /// negative composition offsets.
  private(set) var shift: (pts: Int64, dts: Int64) = (0, 0)
  private(set) var hasBegun = false
  /// The number of the last packet that was read, from 0, where packets are counted.
  private var number: Int64 = -1
  /// Whether the last packet is a picture in the table.
  private(set) var isPicture = true
  /// Whether the time of the last packet confirms its counted index.
  private(set) var isSure = false

  init(_ track: PictureTrack) throws(MediaError) {
    let opened = try track.openDemuxer()
    self.track = track
    stream = opened.stream
    demuxer = opened.intoDemuxer()
  }

  private var table: FrameTable { track.table }

  /// Compares the first packet with the sample table, where there is one.
  mutating func begin() throws(MediaError) {
    hasBegun = true
    lastRead = -1
    held = nil
    guard track.isNative else { return }
    while let packet = try nextPacket() {
      guard packet.stream == stream else { continue }
      if let tick = packet.pts { shift.pts = tick &- (table.stated ?? table.pts)[0] }
      if let tick = packet.dts, let first = table.keys.first, first.index == 0,
        let dts = first.dts
      {
        shift.dts = tick &- dts
      }
      lastRead = 0
      held = 0
      note(packet, isFound: packet.pts != nil)
      return
    }
  }

  /// Which picture in the table a packet is.
  private enum Place: Equatable {
    case known(Int)
    /// Not stated, so it is the one after the last.
    case next
    /// It is not a separate picture: the second field of the last one, or a placeholder.
    case nowhere
  }

  /// Identifies a packet by its time, or by its number where none states a time.
  private func place(of packet: PacketFacts, near index: Int) -> Place {
    let tick = packet.pts.map { $0 &- shift.pts } ?? packet.dts.map { $0 &- shift.dts }
    guard let mark = table.countsPackets ? number : tick else { return .next }
    if let index = table.index(ofStated: mark, near: index) { return .known(index) }
    return table.stated == nil ? .next : .nowhere
  }

  /// Reads the next packet where none is held; `nil` at the end.
  mutating func hold() throws(MediaError) -> Int? {
    if held == nil { held = try readPacket() }
    return held
  }

  /// Releases the held packet.
  mutating func take() { held = nil }

  /// Lends the bytes of the held packet.
  func withPacketBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    demuxer.withPacketBytes(body)
  }

  /// Reads the next packet of the track and returns its index; `nil` at the end.
  private mutating func readPacket() throws(MediaError) -> Int? {
    while let packet = try nextPacket() {
      guard packet.stream == stream else { continue }
      number += 1
      count(packet)
      return lastRead
    }
    return nil
  }

  private mutating func count(_ packet: PacketFacts) {
    let place = place(of: packet, near: min(lastRead + 1, table.pts.count - 1))
    switch place {
    case .known(let index): lastRead = index
    case .next: lastRead += 1
    case .nowhere: lastRead = max(0, lastRead)
    }
    isPicture = place != .nowhere
    note(packet, isFound: place == .known(lastRead))
  }

  private mutating func note(_ packet: PacketFacts, isFound: Bool) {
    isSure = isFound && (packet.pts != nil || table.stated != nil)
    // Packets without any timestamp are counted.
    let isCounted = packet.pts == nil && packet.dts == nil
    guard isCounted || isFound && table.stated != nil, table.pts.indices.contains(lastRead)
    else { return }
    var timed = packet
    timed.pts = table.pts[lastRead] &+ shift.pts
    demuxer.retime(timed)
  }

  private mutating func nextPacket() throws(MediaError) -> PacketFacts? {
    do throws(LibavError) {
      return try demuxer.nextPacket()
    } catch {
      throw MediaError(error)
    }
  }
}

extension PacketCursor {
  /// Seeks to a random access point, or to the start if there is none, and holds its packet.
  ///
  /// - Returns: false when it is not found.
  mutating func enter(atKey key: Int?) throws(MediaError) -> Bool {
    if !hasBegun { try begin() }
    if let key { track.expectGroup(ofKey: key) }
    let index = key.map { table.keys[$0].index } ?? 0
    held = nil
    if let key, !table.countsPackets {
      // A coarse or wrong index may lead past it: then seek a little earlier.
      for start in [key, key - 1, key - 4] where start >= 0 {
        if seek(toKey: start), try synchronize(with: index) { return true }
      }
    }
    // From the very start every packet is counted, so its index is certain.
    let opened = try track.openDemuxer()
    stream = opened.stream
    demuxer = opened.intoDemuxer()
    number = -1
    try begin()
    while lastRead < index {
      try track.bounds.checkTime()
      guard let read = try readPacket() else { return false }
      held = read
    }
    return true
  }

  private mutating func seek(toKey number: Int) -> Bool {
    let key = table.keys[number]
    if track.seeksByByte, let offset = key.byteOffset { return demuxer.seek(toByte: offset) }
    let tick =
      key.dts.map { $0 &+ shift.dts }
      ?? (table.stated ?? table.pts)[key.index] &+ shift.pts
    return demuxer.seek(stream: stream, tick: tick)
  }

  /// Whether a packet is at its expected offset: FFmpeg's index of raw streams gives some packets
  /// wrong times.
  private func isInPlace(_ packet: PacketFacts, _ index: Int) -> Bool {
    guard track.isRaw, let key = table.key(atIndex: index) else { return true }
    return packet.byteOffset == table.keys[key].byteOffset
  }

  /// Whether the first packet from a byte on is the tail of the previous picture.
  ///
  /// A PES packet may begin with a tail; its PTS belongs to the first picture that begins in it
  /// (ISO 13818-1, 2.4.3.7). FFmpeg assigns that PTS to the tail, and none to the picture.
  private func isTail() -> Bool {
    track.seeksByByte
      && demuxer.withPacketBytes { bytes in PictureTail.isTail(bytes, codec: track.codec) }
  }

  /// Reads until the packet with an index; false when that has been passed.
  private mutating func synchronize(with index: Int) throws(MediaError) -> Bool {
    var (isFirst, isBehindTail) = (true, false)
    while let packet = try nextPacket() {
      try track.bounds.checkTime()
      guard packet.stream == stream else { continue }
      if isFirst {
        guard case .known(let found) = place(of: packet, near: index) else { continue }
        isFirst = false
        if isTail() {
          // The next picture has this time, but its packet does not state it.
          lastRead = found - 1
          isBehindTail = true
          continue
        }
        lastRead = found
        note(packet, isFound: true)
      } else {
        count(packet)
        isSure = isSure || isBehindTail && packet.pts == nil
        isBehindTail = false
      }
      if lastRead == index {
        guard isInPlace(packet, index) else { return false }
        held = index
        return true
      }
      if lastRead > index { return false }
    }
    return false
  }
}
