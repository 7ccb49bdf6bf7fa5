import Bitstreams
import ExactTime
import Libav
import MediaFacts
import Probing
import Trimming

extension PacketColumns {
  /// Maximum number of packets before the first keyframe of a file that begins within a GOP; each
  /// one moves all of them back.
  private static let mostBeforeKeyframe = 1000

  /// In a stream recorded from the middle of a broadcast, the channels are stated again after
  /// some frames.
  private static let mostBeforeChannels = 256

  mutating func add(_ packet: PacketFacts, _ demuxer: borrowing Demuxer) {
    var column = columns[packet.stream] ?? PacketColumn()
    columns[packet.stream] = nil
    defer { columns[packet.stream] = column }
    let track = tracks[packet.stream]
    let number = column.number
    column.number += 1
    if track.codec == .vorbis, column.blocks == nil {
      column.blocks = VorbisBlocks(configuration: track.extradata)
    }
    // Headers that come after the first data of other streams (Vorbis I, 4.2.1).
    if track.codec == .vorbis, demuxer.withPacketBytes({ VorbisPacket.kind($0).type & 1 == 1 }) {
      demuxer.withPacketBytes { column.blocks?.read(header: Array($0)[...]) }
      column.empties.insert(number)
      return
    }
    if track.kind == .video {
      addPicture(packet, number, track, to: &column, demuxer)
    } else {
      addOther(packet, number, track, to: &column, demuxer)
    }
  }

  /// Adds packets that are not read, of which only the times are known.
  mutating func pass(_ packets: [UnreadPackets.Packet], of stream: Int) {
    var column = columns[stream] ?? PacketColumn()
    columns[stream] = nil
    defer { columns[stream] = column }
    column.unread.append((column.number, column.packets.count, packets.count))
    column.number += packets.count
    for packet in packets {
      column.packets.append(
        CodedPacket(
          pts: packet.pts, dts: packet.pts, duration: packet.duration, byteCount: 0,
          isKey: packet.isKey))
      if tracks[stream].kind == .audio {
        column.samples.append(Int32(clamping: packet.sampleCount ?? 0))
      }
    }
  }

  private mutating func addOther(
    _ packet: PacketFacts, _ number: Int, _ track: LibavTrack, to column: inout PacketColumn,
    _ demuxer: borrowing Demuxer
  ) {
    guard track.kind == .audio else {
      addTimed(packet, track, to: &column, demuxer)
      return
    }
    if mayOverlap, let dts = packet.dts, let last = column.lastDTS, dts < last,
      let grid = track.grid, let step = try? grid.duration(ofTicks: last &- dts),
      step <= StreamScan.leastReset
    {
      column.leaveOut(notBefore: dts, number)
    }
    let isBehind = isBehindEnd(packet, column)
    if isBehind { column.endsUntimed = true }
    if isBehind || packet.byteCount == 0 {
      column.empties.insert(number)
      return
    }
    if column.endsUntimed { column.goesOnUntimed = true }
    let answer = length(track, demuxer, &column)
    // A file cut from another may begin with the rest of a frame.
    if answer == .nothing, column.packets.isEmpty {
      column.empties.insert(number)
      return
    }
    column.hidesEnd = packet.skippedAtEnd > 0
    if number < Self.mostBeforeChannels, track.codec == .aac, track.extradata.isEmpty,
      channels[packet.stream] == nil, column.leavesChannelsToFrames
    {
      channels[packet.stream] = ChannelReframing(
        adts: demuxer.withPacketBytes { Array($0.prefix(512)) })
    }
    if track.codec == .aac, track.extradata.isEmpty {
      let header = demuxer.withPacketBytes { Array($0.prefix(16)) }
      column.noteHeader(header)
    }
    if isOgg, let page = packet.byteOffset, page != column.page {
      (column.page, column.pagePlace) = (page, column.packets.count)
    }
    append(packet, isKey: packet.isKey, track, to: &column)
    if case .cutShort = answer { column.isCutShort = true }
    if isBareFLAC {
      lastFrame.removeAll(keepingCapacity: true)
      demuxer.withPacketBytes { lastFrame += $0 }
    }
    if let size = AudioCodec.sampleSize(of: track.codec) {
      column.samples.append(
        Int32(clamping: packet.byteCount / (size * max(1, track.channels ?? 1))))
    } else if case .samples(let count) = answer {
      column.samples.append(Int32(clamping: count))
    } else {
      column.samples.append(0)
    }
  }

  /// Whether a packet is past the end that the last Ogg page states (Vorbis I, A.2): FFmpeg gives
  /// it no timestamp, and it is not heard.
  private func isBehindEnd(_ packet: PacketFacts, _ column: PacketColumn) -> Bool {
    isOgg && !column.packets.isEmpty && packet.byteCount > 0
      && packet.pts == nil && packet.dts == nil
  }

  private mutating func addPicture(
    _ packet: PacketFacts, _ number: Int, _ track: LibavTrack, to column: inout PacketColumn,
    _ demuxer: borrowing Demuxer
  ) {
    let stream = packet.stream
    let place = column.packets.count
    if number == 0, track.codec.usesNALUnits {
      startCodes[stream] = Framing.startCodes(
        codec: track.codec, configuration: track.extradata,
        packet: demuxer.withPacketBytes { Array($0) })
    }
    if clocks[stream]?.isContradicted(byPTS: packet.pts, dts: packet.dts) == true {
      clocks[stream] = nil
    }
    let isSecond =
      fields[stream] != nil
      && demuxer.withPacketBytes({ fields[stream]?.isSecond(Array($0.prefix(4096))[...]) })
        == true
    if !isSecond || place == 0 {
      column.hasSkipped = starts.isSkipped(
        packet, order: order(packet, demuxer), track, demuxer)
    }
    if column.hasSkipped {
      column.empties.insert(number)
      if isSecond {
        clocks[stream]?.addField(duration: packet.duration)
      } else if clocks[stream] != nil,
        time(packet, demuxer.withPacketBytes { Array($0) }) != nil
      {
        clocks[stream]?.leaveOutNewest()
      }
      return
    }
    if isSecond, place > 0 {
      // A packet is a whole frame here: its two fields are consecutive.
      column.seconds.insert(number)
      column.packets[place - 1].byteCount += packet.byteCount
      column.packets[place - 1].duration += packet.duration
      clocks[stream]?.addField(duration: packet.duration)
      return
    }
    if packet.isCorrupt, marksShortReads {
      // It is not presented.
      column.empties.insert(number)
      return
    }
    var isKey = packet.isKey
    if clocks[stream] != nil {
      guard let picture = time(packet, demuxer.withPacketBytes { Array($0) }) else {
        column.empties.insert(number)
        return
      }
      // A placeholder's flag does not describe the picture that replaces it.
      if track.codec == .mpeg4 {
        isKey = RandomAccess.classify(codec: .mpeg4, picture[...], framing: .annexB) == .intra
      }
    }
    append(packet, isKey: isKey, track, to: &column)
    if isKey { readKeyframe(stream, place, track, demuxer) }
  }

  /// Records a picture whose timestamp follows from display order.
  private mutating func time(_ packet: PacketFacts, _ bytes: [UInt8]) -> [UInt8]? {
    clocks[packet.stream]?.add(
      bytes, instant: packet.dts ?? packet.pts, duration: packet.duration)
  }

  /// Adds the timing that both kinds of packets have.
  func append(
    _ packet: PacketFacts, isKey: Bool, _ track: LibavTrack, to column: inout PacketColumn
  ) {
    let place = column.packets.count
    column.isCutShort = packet.isCorrupt && marksShortReads && !isAVI
    if packet.isCorrupt, !column.isCutShort { column.corrupt.insert(place) }
    if packet.pts == nil { column.unstamped.append(place) }
    if packet.pts == nil, packet.dts == nil { column.untimed.append(place) }
    for time in [packet.pts, packet.dts].compactMap(\.self) where time.magnitude >= 1 << 61 {
      column.hasImpossibleTime = true
    }
    if let dts = packet.dts {
      if let last = column.lastDTS, dts < last {
        if track.kind == .video, place <= Self.mostBeforeKeyframe,
          !column.packets.contains(where: \.isKey)
        {
          column.moveBack(by: last &- dts &+ max(1, packet.duration))
        } else {
          column.backs.append(place)
        }
      }
      column.lastDTS = dts
    }
    column.packets.append(
      CodedPacket(
        pts: packet.pts ?? packet.dts ?? 0, dts: packet.dts ?? packet.pts ?? 0,
        duration: packet.duration, byteCount: packet.byteCount, isKey: isKey))
  }

  /// Determines how decoding can start at a keyframe, and the parameter sets of a stream that has
  /// them nowhere else.
  private mutating func readKeyframe(
    _ stream: Int, _ place: Int, _ track: LibavTrack, _ demuxer: borrowing Demuxer
  ) {
    // FFmpeg stops looking for parameter sets if the second picture is far away.
    if track.codec.usesNALUnits, track.extradata.isEmpty, startCodes[stream] == nil {
      let sets = ISOFraming.sets(codec: track.codec, [], demuxer.withPacketBytes { Array($0) })
      startCodes[stream] = sets.isEmpty ? nil : sets
    }
    let framing =
      startCodes[stream] == nil
      ? Framing(codec: track.codec, configuration: track.extradata) : .annexB
    // Decoding must be able to start in the alpha channel there, too.
    if PictureLayer.isAlphaAnnounced(track), let alpha = demuxer.packetAlpha,
      RandomAccess.classify(codec: track.codec, alpha[...], framing: framing) != .intra
    {
      accesses[stream, default: [:]][place] = .flaggedOnly
      return
    }
    accesses[stream, default: [:]][place] = demuxer.withPacketBytes { bytes in
      for limit in [4096, 65536] {
        let start = Array(bytes.prefix(limit))
        let access = RandomAccess.classify(codec: track.codec, start[...], framing: framing)
        if access != .unknown || bytes.count <= limit { return access }
      }
      return .unknown
    }
  }

  private func length(
    _ track: LibavTrack, _ demuxer: borrowing Demuxer, _ column: inout PacketColumn
  ) -> AudioFrameLength.Answer {
    if track.codec == .vorbis {
      let count = demuxer.withPacketBytes { column.blocks?.samples($0.first) }
      return count.map { .samples($0) } ?? .unknown
    }
    return demuxer.withPacketBytes {
      AudioFrameLength.samples(codec: track.codec, bytes: $0, frameSize: track.frameSize)
    }
  }

  /// A packet's position among the pictures of its stream; `nil` once no frame can be hidden
  /// anymore.
  private mutating func order(_ packet: PacketFacts, _ demuxer: borrowing Demuxer) -> Int64? {
    if !starts.mayHide(packet.stream) { untimed[packet.stream] = nil }
    return untimed[packet.stream]?.add(packet, demuxer)
  }
}
