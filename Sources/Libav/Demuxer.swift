import CFFmpeg
package import ExactTime
package import MediaFacts

/// An open input: reads packets of an allowed format from our own bytes.
///
/// Owns the `AVFormatContext`, its reader and one packet; what it returns is copied, so nothing
/// refers to it afterwards.
@safe package struct Demuxer: ~Copyable {
  let context: UnsafeMutablePointer<AVFormatContext>
  private let packet: UnsafeMutablePointer<AVPacket>
  let bridge: InputBridge
  private let reader: BridgeContext
  private let limits: DemuxerLimits
  var idle = Idleness()
  /// By stream.
  var held: [Int: HeldFrames] = [:]
  /// Whether each block of ADPCM in WAV is returned as a separate packet.
  package var readsBlocks = false
  /// The number of blocks in the packet that was read last that are still to be returned.
  var blocksLeft = 0
  /// Streams that had packets joined with hidden frames.
  package internal(set) var joinedStreams: Set<Int> = []

  package let formatName: String
  package let formatLongName: String
  package let tracks: [LibavTrack]
  /// By stream; a track is expensive to copy for every packet.
  private let blocks: [AudioBlocks?]
  package let chapters: [LibavChapter]
  package let tags: [(key: String, value: String)]
  /// The duration declared by the container; `nil` when there is none.
  package let declaredDuration: MediaDuration?
  /// True when FFmpeg estimated the duration from the bit rate.
  package let isDurationEstimated: Bool
  /// What FFmpeg logged about this input.
  package let log: LibavLog
  /// Why packets ended before the input did; `nil` before the end, or for a normal end.
  package internal(set) var earlyEnd: EarlyEnd?
  /// What FFmpeg rejected before further packets.
  package internal(set) var refusal: Refusal?
  /// Streams that appeared after the first packets; their packets are not returned.
  package private(set) var lateStreams: Set<Int> = []

  /// Reasons for a scan to end before the end of the input.
  package enum EarlyEnd: Sendable, Hashable {
    /// From here on, no packet was found within the limit of bytes.
    case barren(from: Int64)
    /// The reader stayed at this position for more packets than the limit allows.
    case idle(at: Int64)
    /// FFmpeg gave up after this byte, with this error message.
    case refused(at: Int64, String)
  }

  /// How much is determined before the first packet.
  package enum Preparation: Sendable {
    /// Only what the headers state.
    case headers
    /// As many packets and, where needed, frames as it takes to describe every stream.
    case streams
  }

  /// How the edit lists of MP4 are treated.
  package enum EditLists: String, Sendable {
    /// As FFmpeg's players do.
    case applied
    /// Not at all: the media's own times.
    case ignored
  }

  /// - Parameter isCancelled: called often, also from inside FFmpeg's loops.
  /// - Throws: ``LibavError``: not one of the allowed formats, too damaged to read, or a fault
  ///   of the input.
  package init(
    _ input: any ByteInput, preparation: Preparation = .streams, editLists: EditLists = .applied,
    limits: DemuxerLimits = DemuxerLimits(), deadline: ContinuousClock.Instant? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(LibavError) {
    unsafe self.init(
      try Self.begin(
        input, preparation: preparation, editLists: editLists, limits: limits, deadline: deadline,
        isCancelled: isCancelled), limits: limits)
  }

  /// What is opened before the demuxer exists.
  @unsafe private struct Beginning {
    let context: UnsafeMutablePointer<AVFormatContext>
    let packet: UnsafeMutablePointer<AVPacket>
    let bridge: InputBridge
    let reader: BridgeContext
    let log: LibavLog
    let statedSizes: [Int: (width: Int, height: Int)]
  }

  /// Everything that may fail: Swift 6.2 miscompiles a failure after the default values of a
  /// noncopyable type are set.
  private static func begin(
    _ input: any ByteInput, preparation: Preparation, editLists: EditLists, limits: DemuxerLimits,
    deadline: ContinuousClock.Instant?, isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibavError) -> Beginning {
    if let refusal = input.refusal { throw LibavError(.tooMuch, refusal) }
    try LibavLibrary.load()
    let bridge = InputBridge(
      input, barrenLimit: limits.barrenBytes, deadline: deadline, isCancelled: isCancelled)
    let reader = try BridgeContext(reading: bridge)
    bridge.beginOpening()
    let log = LibavLog()
    let context = unsafe try log.collecting { () throws(LibavError) in
      unsafe try open(bridge, reader, editLists: editLists, limits: limits, log: log)
    }
    let statedSizes = unsafe TrackReader.sizes(of: context)
    let packet = unsafe av_packet_alloc()
    let failure: LibavError? =
      preparation == .streams
      ? log.collecting { unsafe findStreams(context, bridge, limits, log) } : nil
    guard let packet = unsafe packet, failure == nil else {
      // The objects that FFmpeg's callbacks point to outlive the context.
      withExtendedLifetime((bridge, reader)) {
        var context: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        unsafe avformat_close_input(&context)
      }
      var unused: UnsafeMutablePointer<AVPacket>? = unsafe packet
      unsafe av_packet_free(&unused)
      throw failure ?? LibavError(.outOfMemory, "no memory for a packet")
    }
    return unsafe Beginning(
      context: context, packet: packet, bridge: bridge, reader: reader, log: log,
      statedSizes: statedSizes)
  }

  private init(_ beginning: Beginning, limits: DemuxerLimits) {
    let (context, bridge) = unsafe (beginning.context, beginning.bridge)
    self.limits = limits
    unsafe self.context = unsafe context
    unsafe packet = unsafe beginning.packet
    self.bridge = bridge
    unsafe reader = beginning.reader
    unsafe log = beginning.log
    let statedSizes = unsafe beginning.statedSizes
    let name =
      unsafe context.pointee.iformat.map { format in
        unsafe String(cString: format.pointee.name)
      } ?? "unknown"
    formatName = name
    bridge.beginPackets()
    formatLongName =
      unsafe context.pointee.iformat.map { format in
        unsafe format.pointee.long_name.map { unsafe String(cString: $0) } ?? ""
      } ?? ""
    tracks = unsafe TrackReader.tracks(of: context).map { track in
      var track = track
      track.statedSize = statedSizes[track.index]
      return track
    }
    blocks = tracks.map { AudioBlocks($0, format: name) }
    chapters = unsafe TrackReader.chapters(of: context)
    tags = unsafe copiedTags(context.pointee.metadata)
    let duration = unsafe context.pointee.duration
    declaredDuration =
      duration > 0 && duration != .max
      ? try? TickGrid(ticksPerSecond: Int64(AV_TIME_BASE)).duration(ofTicks: duration) : nil
    isDurationEstimated =
      unsafe context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe av_packet_free(&packet)
    // With our own reader set, this does not touch it; it is freed after.
    var context: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    unsafe avformat_close_input(&context)
  }

  private static func open(
    _ bridge: InputBridge, _ reader: BridgeContext, editLists: EditLists,
    limits: DemuxerLimits, log: LibavLog
  ) throws(LibavError) -> UnsafeMutablePointer<AVFormatContext> {
    let format = unsafe try recognise(bridge, reader, log)
    guard let allocated = unsafe avformat_alloc_context() else {
      throw LibavError(.outOfMemory, "no memory for a demuxer")
    }
    unsafe bridge.watch(EntryCount(of: allocated, limit: limits.entries))
    unsafe allocated.pointee.pb = unsafe reader.pointer
    unsafe allocated.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    let name = unsafe format.pointee.name.map { unsafe String(cString: $0) } ?? ""
    // What FFmpeg would mistake for timestamp wraparound there is a negative time.
    if name == "flv" { unsafe allocated.pointee.correct_ts_overflow = 0 }
    let isBare = AllowList.bareFormats.contains(name)
    if isBare { bridge.limitBarren(to: limits.gatheredBytes) }
    if isBare || AllowList.unheadedFormats.contains(name) {
      bridge.endAtMonotony(of: limits.gatheredBytes)
    }
    unsafe allocated.pointee.probesize =
      isBare ? min(limits.probeBytes, limits.bareProbeBytes) : limits.probeBytes
    unsafe allocated.pointee.max_analyze_duration = limits.analyzeMicroseconds
    unsafe allocated.pointee.max_streams = limits.streams
    // No file ever opens another.
    unsafe allocated.pointee.io_open = { _, result, _, _, _ in
      if let result = unsafe result { unsafe result.pointee = nil }
      return trim_ERROR_REFUSED
    }
    unsafe allocated.pointee.interrupt_callback.opaque = unsafe Unmanaged.passUnretained(bridge)
      .toOpaque()
    unsafe allocated.pointee.interrupt_callback.callback = { opaque in
      guard let opaque = unsafe opaque else { return 0 }
      return unsafe Unmanaged<InputBridge>.fromOpaque(opaque).takeUnretainedValue().shouldStop()
        ? 1 : 0
    }
    var options = Options()
    options.set("format_whitelist", AllowList.readFormats.joined(separator: ","))
    options.set("codec_whitelist", AllowList.usedDecoders.joined(separator: ","))
    options.set("protocol_whitelist", "none")
    if editLists == .ignored { options.set("ignore_editlist", "1") }
    // A transport stream may add a stream after its first program map table.
    options.set("scan_all_pmts", "1")
    // Teletext is shown at its PTS; FFmpeg would use the PCR instead.
    options.set("fix_teletext_pts", "0")
    var context: UnsafeMutablePointer<AVFormatContext>? = unsafe allocated
    let code = unsafe avformat_open_input(&context, nil, format, &options.pointer)
    // On failure the context is already freed.
    guard code >= 0, let opened = unsafe context else {
      throw LibavError(
        code: code, doing: "its header cannot be read", fault: bridge.fault, log: log)
    }
    return unsafe opened
  }

  /// Finds the format from the first bytes only, and accepts only an allowed one.
  private static func recognise(
    _ bridge: InputBridge, _ reader: BridgeContext, _ log: LibavLog
  ) throws(LibavError) -> UnsafePointer<AVInputFormat> {
    var found: UnsafePointer<AVInputFormat>?
    let code = unsafe av_probe_input_buffer2(reader.pointer, &found, "", nil, 0, 0)
    if let fault = bridge.fault {
      throw LibavError(code: code, doing: "the first bytes", fault: fault, log: log)
    }
    guard code >= 0, let format = unsafe found, let name = unsafe format.pointee.name else {
      throw LibavError(.notRecognised, "no format is recognized", lastLogLine: log.lastLine)
    }
    guard unsafe AllowList.allowsFormat(named: String(cString: name)) else {
      let longName =
        unsafe format.pointee.long_name.map { unsafe String(cString: $0) }
        ?? String(cString: name)
      throw unsafe LibavError(
        AllowList.needsSeal(named: String(cString: name))
          ? .formatNeedsSeal(longName, AllowList.seal) : .formatNotAllowed(longName),
        "its format is not supported")
    }
    return unsafe format
  }

  @unsafe func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
    guard index >= 0, unsafe index < Int(context.pointee.nb_streams) else { return nil }
    return unsafe context.pointee.streams[index]
  }

  @unsafe func parameters(ofStream index: Int) -> UnsafeMutablePointer<AVCodecParameters>? {
    unsafe stream(index)?.pointee.codecpar
  }

  /// Where the next byte will be read.
  package var position: Int64 { bridge.position }

  /// The PIDs of scrambled packets that were read from a transport stream.
  package var scrambledPIDs: Set<Int> { bridge.scrambledPIDs }

  /// Reads the next packet of any of the ``tracks``.
  ///
  /// - Returns: `nil` at the end; ``earlyEnd`` states whether that is the end of the input.
  /// - Throws: ``LibavError`` of kind `input` when reading failed or was stopped.
  package mutating func nextPacket() throws(LibavError) -> PacketFacts? {
    if blocksLeft > 0 {
      unsafe stepToNextBlock(of: packet)
      return unsafe PacketFacts(packet)
    }
    while true {
      unsafe av_packet_unref(packet)
      let code = log.collecting { unsafe av_read_frame(context, packet) }
      guard advances() else {
        earlyEnd = .idle(at: idle.place)
        return nil
      }
      if code == trim_ERROR_AGAIN { continue }
      guard code >= 0 else {
        if let fault = bridge.fault {
          throw LibavError(code: code, doing: "the packets", fault: fault, log: log)
        }
        if readsOn(behind: code) { continue }
        noteEnd(code)
        return nil
      }
      let place = unsafe packet.pointee.pos
      unsafe bridge.foundPacket(
        endingAt: place >= 0 ? place &+ Int64(packet.pointee.size) : nil)
      let stream = unsafe Int(packet.pointee.stream_index)
      if tracks.indices.contains(stream) {
        guard unsafe showsSomething(packet, ofStream: stream) else { continue }
        unsafe keepTheoraInOrder(packet)
        unsafe signFLV(packet)
        if let blocks = blocks[stream] {
          let rest = unsafe endWithWholeBlock(packet, blocks)
          if rest > 0, unsafe packet.pointee.size == 0 { continue }
          unsafe endWithFirstBlock(packet, blocks)
        }
        return unsafe PacketFacts(packet)
      }
      lateStreams.insert(stream)
    }
  }

  /// Sets the times of the packet that was read last, and so of everything decoded from it.
  package mutating func retime(_ facts: PacketFacts) {
    unsafe packet.pointee.pts = facts.pts ?? trim_NOPTS
    unsafe packet.pointee.dts = facts.dts ?? trim_NOPTS
    unsafe packet.pointee.duration = facts.duration
  }

  /// How far FFmpeg has read, and how many packets it has returned since without progress.
  struct Idleness {
    var place: Int64 = -1
    /// The byte offset of the farthest packet.
    var packetPlace: Int64 = -1
    var packets = 0
  }

  /// False when FFmpeg has returned too many packets without progress.
  ///
  /// The packets that it read to describe the streams are returned while the reader does not
  /// advance: then each of them is after the previous ones.
  private mutating func advances() -> Bool {
    // How far the reader's buffer has been consumed (`avio_tell`).
    let place =
      unsafe reader.pointer.pointee.pos
      - Int64(reader.pointer.pointee.buf_end - reader.pointer.pointee.buf_ptr)
    let packetPlace = unsafe packet.pointee.pos
    let isFurther = place != idle.place || packetPlace > idle.packetPlace
    idle.packets = isFurther ? 0 : idle.packets + 1
    idle.place = place
    idle.packetPlace = max(idle.packetPlace, packetPlace)
    return idle.packets <= limits.idlePackets
  }

  private mutating func noteEnd(_ code: Int32) {
    if bridge.isBarren {
      earlyEnd = .barren(from: bridge.lastPacketEnd)
    } else if code != trim_ERROR_EOF {
      earlyEnd = .refused(at: bridge.lastPacketEnd, LibavError.text(of: code))
    }
  }

  /// The packet that was read last.
  @unsafe var lastPacket: UnsafeMutablePointer<AVPacket> { unsafe packet }

  /// Lends the bytes of the packet that was read last.
  package func withPacketBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe body(
      UnsafeRawBufferPointer(
        start: packet.pointee.data, count: Int(max(0, packet.pointee.size))))
  }

  /// Reads only packets of these streams from now on.
  package mutating func discard(allBut wanted: Set<Int>) {
    for index in unsafe 0..<Int(context.pointee.nb_streams) {
      guard let stream = unsafe context.pointee.streams[index] else { continue }
      unsafe stream.pointee.discard =
        wanted.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// A decoder for one of the streams.
  ///
  /// - Parameters:
  ///   - extradata: the codec's configuration, where packets differ from those of the stream.
  ///   - tick: seconds per tick of the packets' times, where not the stream's.
  ///   - size: the picture size, where the container states a different one.
  ///   - waitsLongest: whether to use the longest H.264 reordering delay: otherwise the decoder finds
  ///     out the reorder depth only when a picture arrives too late, and loses that picture.
  ///   - keepsLead: whether to output the samples that Opus drops at the start of a stream (RFC
  ///     7845, 4.2): a decoder that starts in the middle would drop the same number there.
  package func decoder(
    forStream index: Int, threads: Int32 = 1, limits: DemuxerLimits = DemuxerLimits(),
    extradata: [UInt8]? = nil, tick: Rational? = nil, log: LibavLog? = nil,
    size: (width: Int, height: Int)? = nil, keepsPadding: Bool = false,
    waitsLongest: Bool = false, keepsLead: Bool = false
  ) throws(LibavError) -> Decoder {
    guard index >= 0, unsafe index < Int(context.pointee.nb_streams),
      let stream = unsafe context.pointee.streams[index]
    else { throw LibavError(.notAllowed, "there is no stream \(index)") }
    return unsafe try Decoder(
      stream, threads: threads, limits: limits, extradata: extradata, tick: tick,
      log: log ?? self.log, size: size, keepsPadding: keepsPadding, waitsLongest: waitsLongest,
      keepsLead: keepsLead)
  }

  /// Feeds the packet that was read last to a decoder.
  package func send(to decoder: borrowing Decoder) -> Decoder.SendResult {
    unsafe decoder.send(packet)
  }
}

extension Options {
  /// Transfers ownership of the dictionary: FFmpeg or the caller frees it.
  consuming func take() -> OpaquePointer? {
    let taken = unsafe pointer
    unsafe pointer = nil
    return unsafe taken
  }
}

extension Demuxer {
  /// Drops leading bytes of the packet that was read last.
  package mutating func dropLead(_ count: Int, _ facts: inout PacketFacts) {
    let packet = unsafe lastPacket
    guard count > 0, unsafe count < Int(packet.pointee.size) else { return }
    unsafe packet.pointee.data += count
    unsafe packet.pointee.size -= Int32(count)
    if unsafe packet.pointee.pos >= 0 { unsafe packet.pointee.pos += Int64(count) }
    facts.byteCount -= count
    facts.byteOffset? += Int64(count)
  }
}

extension Demuxer {
  /// Seeks to the last position at or before a tick from which a stream can be decoded, as far as
  /// the container's index shows; the caller must check the next packet.
  ///
  /// - Returns: false where the container cannot seek there.
  package mutating func seek(stream: Int, tick: Int64) -> Bool {
    seek(stream: Int32(clamping: stream), to: tick, flags: AVSEEK_FLAG_BACKWARD)
  }

  /// Seeks to a byte of the input; false where packets cannot be found from an arbitrary byte.
  package mutating func seek(toByte offset: Int64) -> Bool {
    seek(stream: -1, to: offset, flags: AVSEEK_FLAG_BYTE)
  }

  private mutating func seek(stream: Int32, to target: Int64, flags: Int32) -> Bool {
    idle = Idleness()
    held = [:]
    blocksLeft = 0
    earlyEnd = nil
    return log.collecting { unsafe av_seek_frame(context, stream, target, flags) } >= 0
  }
}

extension Demuxer {
  /// Data that FFmpeg rejected and after which reading continued.
  package struct Refusal: Sendable, Hashable {
    /// Where the last packet before the first rejected data ends.
    package var place: Int64
    package var count: Int
    /// FFmpeg's error message.
    package var reason: String
  }

  /// True where a scan continues after something that FFmpeg rejected.
  ///
  /// Its Ogg demuxer rejects a page of a stream that never began, and Opus packets on a page
  /// without a position, but can continue at the next one: nothing that follows is lost.
  mutating func readsOn(behind code: Int32) -> Bool {
    guard formatName == "ogg", !bridge.isBarren,
      code == trim_ERROR_INVALID || code == trim_ERROR_PATCHWELCOME
    else { return false }
    var refusal =
      refusal
      ?? Refusal(place: bridge.lastPacketEnd, count: 0, reason: LibavError.text(of: code))
    refusal.count += 1
    self.refusal = refusal
    return true
  }
}

/// Corrections of times that FFmpeg reads differently from what the format specifies.
extension Demuxer {
  /// Sets the PTS of Theora pictures, which are never reordered, to their DTS.
  ///
  /// Theora 3.2.0 numbers pictures in Ogg from 0. Where Ogg Skeleton states the first number,
  /// FFmpeg assumes counting from 1, and gives the first picture the PTS of the second.
  @unsafe func keepTheoraInOrder(_ packet: UnsafeMutablePointer<AVPacket>) {
    guard let stream = unsafe stream(Int(packet.pointee.stream_index)),
      unsafe stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_THEORA,
      unsafe packet.pointee.pts != trim_NOPTS && packet.pointee.dts != trim_NOPTS
    else { return }
    unsafe packet.pointee.pts = packet.pointee.dts
  }

  /// Makes FLV times signed: they have 32 bits and a sign (Video File Format Specification 10.1,
  /// E.4.1, TimestampExtended), but FFmpeg reads them as unsigned.
  @unsafe func signFLV(_ packet: UnsafeMutablePointer<AVPacket>) {
    guard formatName == "flv" else { return }
    let half: Int64 = 1 << 31
    if unsafe packet.pointee.dts >= half, unsafe packet.pointee.dts < 2 * half {
      unsafe packet.pointee.dts -= 2 * half
      if unsafe packet.pointee.pts != trim_NOPTS { unsafe packet.pointee.pts -= 2 * half }
    }
  }
}

extension Demuxer {
  package var rules: SourceRules { SourceRules(formatName) }
}
