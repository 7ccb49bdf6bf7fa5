#if FFmpeg
  import Bitstreams
  import ExactTime
  import Libav
  import MediaFacts
  import Probing
  import Trimming

  /// Collects the times of all packets of a scan, stream by stream.
  struct PacketColumns {
    private let tracks: [LibavTrack]
    private var columns = PerStream<PacketColumn>()
    private(set) var accesses: [Int: [Int: RandomAccessKind]] = [:]
    /// Parameter sets of streams whose packets hold start codes where their configuration says lengths.
    private(set) var startCodes: [Int: [UInt8]] = [:]

    /// Of AAC whose frames tell its channels.
    private(set) var channels: [Int: ChannelReframing] = [:]

    /// Matroska has no decoding times: FFmpeg guesses them.
    private let storesDecoding: Bool
    /// Its times are those of its frames' own numbers.
    private let isBareFLAC: Bool
    private let isOgg: Bool
    private let isBare: Bool
    /// Segments that were put end to end may overlap by packets of sound.
    private let mayOverlap: Bool
    /// A packet that is marked as corrupt is one that the end of the file cuts off.
    private let marksShortReads: Bool
    private let format: String

    private var starts = PictureStart()
    private var fields = PerStream<H264Fields>()
    /// Of streams whose container does not tell when pictures are shown.
    private var clocks = PerStream<PictureClock>()
    /// Of streams whose pictures may come without a time, up to the first that is shown.
    private var untimed = PerStream<UntimedPictures>()
    /// Of streams whose clock is reset.
    private var unrolled = PerStream<UnrolledClock>()

    /// - Parameter format: FFmpeg's name of the demuxer.
    init(_ tracks: [LibavTrack], format: String) {
      self.tracks = tracks
      storesDecoding = !format.hasPrefix("matroska")
      isBareFLAC = format == "flac"
      isOgg = format == "ogg"
      isBare = PacketProbe.isBare(format)
      mayOverlap = ["mpegts", "mpeg"].contains(format)
      self.format = format
      marksShortReads = SoundPackets.CutShortFrame.pictureFormats.contains(format)
      for track in tracks where track.kind == .video {
        if track.codec == "h264" {
          fields[track.index] = H264Fields(configuration: track.extradata)
        }
        clocks[track.index] = PictureClock(
          format: format, codec: track.codec, configuration: track.extradata)
        untimed[track.index] = UntimedPictures(
          format: format, codec: track.codec, configuration: track.extradata)
      }
    }

    /// Of a clock that is set back all the time the packets say nothing.
    private static let leastShareKept = 10

    /// A file that begins within a group of pictures has no more of it; each step back moves all of them.
    private static let mostBeforeKeyframe = 1000

    /// A stream that was recorded from the middle of a broadcast tells its channels again after some frames.
    private static let mostBeforeChannels = 256

    mutating func add(_ packet: PacketFacts, _ demuxer: borrowing Demuxer) {
      var column = columns[packet.stream] ?? PacketColumn()
      columns[packet.stream] = nil
      defer { columns[packet.stream] = column }
      let track = tracks[packet.stream]
      // Headers that come behind the first data of other streams (Vorbis I, 4.2.1).
      if track.codec == "vorbis", demuxer.withPacketBytes({ VorbisPacket.kind($0).type & 1 == 1 }) {
        column.empties.insert(column.number)
        column.number += 1
        return
      }
      if mayOverlap, track.kind == .audio, let dts = packet.dts, let last = column.lastDTS,
        dts < last, let grid = track.grid, let step = try? grid.duration(ofTicks: last &- dts),
        step <= StreamScan.leastReset
      {
        column.leaveOut(notBefore: dts)
      }
      let answer = track.kind == .audio ? length(track, demuxer) : .unknown
      // A file that was cut out of another may begin with the rest of a frame.
      if answer == .nothing, column.packets.isEmpty {
        column.empties.insert(column.number)
        column.number += 1
        return
      }
      column.hidesEnd = packet.skippedAtEnd > 0
      let place = column.packets.count
      let number = column.number
      column.number += 1
      if number == 0, track.kind == .video, ["h264", "hevc"].contains(track.codec) {
        startCodes[packet.stream] = Framing.startCodes(
          codec: track.codec, configuration: track.extradata,
          packet: demuxer.withPacketBytes { Array($0) })
      }
      if number < Self.mostBeforeChannels, track.codec == "aac", track.extradata.isEmpty,
        channels[packet.stream] == nil
      {
        channels[packet.stream] = ChannelReframing(
          adts: demuxer.withPacketBytes { Array($0.prefix(512)) })
      }
      if clocks[packet.stream]?.isContradicted(byPTS: packet.pts, dts: packet.dts) == true {
        clocks[packet.stream] = nil
      }
      let isSecond =
        fields[packet.stream] != nil
        && demuxer.withPacketBytes({ fields[packet.stream]?.isSecond(Array($0.prefix(4096))[...]) })
          == true
      if track.kind == .video, !isSecond || place == 0 {
        column.hasSkipped = starts.isSkipped(
          packet, order: order(packet, demuxer), track, demuxer)
      }
      if column.hasSkipped {
        column.empties.insert(number)
        return
      }
      if isSecond, place > 0 {
        // A frame is one packet here, whose two fields lie one behind the other.
        column.seconds.insert(number)
        column.packets[place - 1].byteCount += packet.byteCount
        column.packets[place - 1].duration += packet.duration
        clocks[packet.stream]?.addField(duration: packet.duration)
        return
      }
      if track.kind == .video, packet.isCorrupt, marksShortReads {
        // It is not presented.
        column.empties.insert(number)
        return
      }
      var isKey = packet.isKey
      if clocks[packet.stream] != nil {
        let bytes = demuxer.withPacketBytes { Array($0) }
        guard
          let picture = clocks[packet.stream]?.add(
            bytes, instant: packet.dts ?? packet.pts, duration: packet.duration)
        else {
          column.empties.insert(number)
          return
        }
        // A placeholder's flag says nothing of the picture that takes its place.
        if track.codec == "mpeg4" {
          isKey = RandomAccess.classify(codec: "mpeg4", picture[...], framing: .annexB) == .intra
        }
      }
      column.isCutShort = packet.isCorrupt && marksShortReads && format != "avi"
      if packet.isCorrupt, !column.isCutShort { column.corrupt.insert(place) }
      if packet.pts == nil { column.unstamped.append(place) }
      if packet.pts == nil, packet.dts == nil { column.hasNoTime = true }
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
      if track.kind == .audio {
        if case .cutShort = answer { column.isCutShort = true }
        if let size = SoundCodec.sampleSize(of: track.codec) {
          column.samples.append(
            Int32(clamping: packet.byteCount / (size * max(1, track.channels ?? 1))))
        } else if case .samples(let count) = answer {
          column.samples.append(Int32(clamping: count))
        } else {
          column.samples.append(0)
        }
      }
      guard track.kind == .video, isKey else { return }
      // FFmpeg gives up looking for them where the second picture is far away.
      if ["h264", "hevc"].contains(track.codec), track.extradata.isEmpty,
        startCodes[packet.stream] == nil
      {
        let sets = ISOFraming.sets(
          codec: track.codec, [], demuxer.withPacketBytes { Array($0) })
        startCodes[packet.stream] = sets.isEmpty ? nil : sets
      }
      let framing =
        startCodes[packet.stream] == nil
        ? Framing(codec: track.codec, configuration: track.extradata) : .annexB
      accesses[packet.stream, default: [:]][place] = demuxer.withPacketBytes { bytes in
        for limit in [4096, 65536] {
          let start = Array(bytes.prefix(limit))
          let access = RandomAccess.classify(codec: track.codec, start[...], framing: framing)
          if access != .unknown || bytes.count <= limit { return access }
        }
        return .unknown
      }
    }

    private func length(
      _ track: LibavTrack, _ demuxer: borrowing Demuxer
    ) -> AudioFrameLength.Answer {
      demuxer.withPacketBytes {
        AudioFrameLength.samples(codec: track.codec, bytes: $0, frameSize: track.frameSize)
      }
    }

    /// Its place among the pictures of its stream, as long as that may hide it.
    private mutating func order(_ packet: PacketFacts, _ demuxer: borrowing Demuxer) -> Int64? {
      if !starts.mayHide(packet.stream) { untimed[packet.stream] = nil }
      return untimed[packet.stream]?.add(packet, demuxer)
    }

    /// Gives packets without a time those that a probe found out, by their numbers.
    mutating func fill(_ stream: Int, _ times: [Int: Int64]) {
      guard !times.isEmpty, var column = columns[stream] else { return }
      columns[stream] = nil
      column.fill(times)
      columns[stream] = column
    }

    /// Brings a stream whose clock is reset to one clock.
    mutating func unroll(_ stream: Int, _ steps: [ClockStep]) throws(ExactTimeError) {
      guard clocks[stream] == nil, let grid = tracks[stream].grid,
        let clock = try UnrolledClock(steps, grid: grid), columns[stream] != nil
      else { return }
      unrolled[stream] = clock
      let resets = Set(steps.map { place(ofPacket: $0.packet, stream) })
      columns[stream]?.backs.removeAll(where: resets.contains)
    }

    /// Takes the marks from packets that are whole.
    mutating func unmark(_ stream: Int, _ numbers: Set<Int>) {
      let places = numbers.map { place(ofPacket: $0, stream) }
      columns[stream]?.corrupt.subtract(places)
    }

    /// Where a packet of a stream stands among those that show something.
    private func place(ofPacket number: Int, _ stream: Int) -> Int {
      guard let column = columns[stream] else { return number }
      return number - column.empties.count { $0 < number } - column.seconds.count { $0 < number }
    }

    /// The grid of all times of a stream that are told here.
    func grid(ofStream stream: Int) -> TickGrid? {
      unrolled[stream]?.grid ?? tracks[stream].grid
    }

    /// The packets of a stream, each with a PTS.
    ///
    /// Where some have none, a picture that waits for others is shown when the next that waits is
    /// decoded, which is when a decoder with a delay of one lets it go.
    func packets(ofStream stream: Int) -> ContiguousArray<CodedPacket> {
      guard let column = columns[stream] else { return [] }
      var packets = column.packets
      // It is not presented.
      if column.isCutShort { packets.removeLast() }
      if let clock = clocks[stream] {
        time(&packets, by: clock, delay: tracks[stream].reorderedFrames)
        return packets
      }
      unrolled[stream]?.unroll(&packets) { place(ofPacket: $0, stream) }
      // In Matroska only what its ticks round.
      if tracks[stream].codec == "vorbis" {
        packets.closeBlocks(upTo: isOgg ? 4096 : 2)
        if isOgg { packets.placeLead() }
      }
      if tracks[stream].kind == .audio {
        packets.hearInOrder()
        packets.separate()
      }
      // Frames whose headers are damaged come with the one before them.
      if isBareFLAC, tracks[stream].codec == "flac" { packets.holdUntilNext() }
      if tracks[stream].kind == .video, !column.unstamped.isEmpty,
        column.unstamped.count < packets.count
      {
        Self.stamp(&packets, column.unstamped, packets.map(\.dts))
      }
      if tracks[stream].kind == .video,
        !storesDecoding || column.isFilled || unrolled[stream] != nil && !packets.isInDecodingOrder
      {
        Self.orderDecoding(of: &packets)
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
      // Raw streams have no times of decoding either.
      if clock.madeInstants { Self.orderDecoding(of: &packets) }
    }

    /// The ticks in which the frames of a stream are shown: those before its first keyframe are lost,
    /// and those that lead it, though what follows may refer to them.
    ///
    /// - Parameter start: where the first of them is shown by a probe, on the stream's grid here.
    func visible(ofStream stream: Int, from start: Int64?) -> Range<Int64> {
      if starts.isLost(stream) { return Int64.max / 4..<Int64.max / 4 }
      let first = starts.firstShown[stream].map { $0 &* (unrolled[stream]?.multiple ?? 1) }
      if mayOverlap, starts.untimedStarts.contains(stream) {
        return (start ?? .min / 4)..<Int64.max / 4
      }
      return (first ?? .min / 4)..<Int64.max / 4
    }

    /// Whether the end of a stream's last packet is not heard.
    func hidesEnd(ofStream stream: Int) -> Bool { columns[stream]?.hidesEnd ?? false }

    /// Numbers of packets that show nothing: placeholders of packed pictures, and pictures that are
    /// not meant to be shown.
    func empties(ofStream stream: Int) -> Set<Int> { columns[stream]?.empties ?? [] }

    /// Numbers of the packets that belong to the one before; `nil` where none does.
    func secondFields(ofStream stream: Int) -> Set<Int>? {
      columns[stream].flatMap { $0.seconds.isEmpty ? nil : $0.seconds }
    }

    /// Places of packets that the demuxer says are damaged.
    func corruptPlaces(ofStream stream: Int) -> Set<Int> { columns[stream]?.corrupt ?? [] }

    /// In place of guesses: as late as can be, in order.
    private static func orderDecoding(of packets: inout ContiguousArray<CodedPacket>) {
      let times = packets.map(\.pts).sorted()
      let delay = zip(times, packets).map { $0 &- $1.pts }.max() ?? 0
      for place in packets.indices { packets[place].dts = times[place] &- delay }
    }

    /// Samples of each packet of sound; zero where it does not tell.
    func samples(ofStream stream: Int) -> [Int32] { columns[stream]?.samples ?? [] }

    /// Places of packets of sound before which others were left out, that overlapped them.
    func overlaps(ofStream stream: Int) -> Set<Int> { columns[stream]?.overlaps ?? [] }

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
      if ["h264", "hevc"].contains(track.codec), track.reorderedFrames > 0,
        !column.unstamped.isEmpty
      {
        return "its container does not state when pictures are shown"
      }
      if column.leftOut > column.packets.count / Self.leastShareKept {
        return "its clock is set back again and again"
      }
      if !column.backs.isEmpty, storesDecoding || track.kind != .video {
        return "its clock is set back in the middle"
      }
      return nil
    }
  }
#endif
