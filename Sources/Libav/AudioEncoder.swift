import CFFmpeg

/// An audio encoder configured from decoded samples: the same rate and channels, unless set
/// otherwise.
@safe package struct AudioEncoder: ~Copyable {
  private let encoder: OpenEncoder
  /// `nil` where the samples are encoded unconverted.
  private var converter: SampleConverter?
  private var sourceRate: Int32
  /// Whether the encoder receives the decoded samples unchanged.
  package private(set) var keepsSamples: Bool
  /// Whether the next samples may be of another rate, layout or format.
  private var mayChange = false
  private var queue: SampleQueue
  /// The number of samples sent to the encoder.
  private var sent: Int64 = 0
  private var coded: [Packet] = []
  /// The number of silent samples sent first, so that a packet begins with the first sample.
  private let lead: Int

  package struct Settings: Sendable {
    /// FFmpeg's name of the encoder.
    package var name: String
    /// Bits per second; `nil` where it follows from the samples.
    package var bitRate: Int64?
    /// FFmpeg's `global_quality`, instead of a bit rate.
    package var quality: Int32?
    package var options: [(key: String, value: String)] = []
    /// The output sample rate, where it differs from the input.
    package var sampleRate: Int?
    /// The most channels; more are downmixed.
    package var mostChannels: Int?
    /// Whether the default channel layout for the channel count is used, regardless of the
    /// input's.
    package var namesChannelsByNumber = false
    /// Whether leading packets are dropped so that the first begins with the first sample.
    package var skipsDelay = false

    package init(name: String, bitRate: Int64? = nil, quality: Int32? = nil) {
      self.name = name
      self.bitRate = bitRate
      self.quality = quality
    }
  }

  /// A coded packet, with times in samples from the first input sample.
  package struct Packet: Sendable {
    package var bytes: [UInt8]
    package var pts: Int64
    package var duration: Int64
  }

  /// The properties that an encoder is configured from.
  @unsafe package struct Model {
    fileprivate var format: Int32
    fileprivate var rate: Int32
    fileprivate var layout: AVChannelLayout
    fileprivate var bits: Int32

    /// - Parameter decoder: where the samples come from.
    package init(_ sound: borrowing DecodedAudio, from decoder: borrowing Decoder) {
      unsafe format = sound.frame.pointee.format
      unsafe rate = max(1, sound.frame.pointee.sample_rate)
      unsafe layout = AVChannelLayout()
      unsafe AudioEncoder.copyLayout(of: sound.frame, to: &layout)
      unsafe bits = decoder.context.pointee.bits_per_raw_sample
    }
  }

  /// - Parameter decoder: where the samples come from.
  /// - Throws: ``LibavError`` of kind `notAllowed` where this FFmpeg lacks the encoder, or the
  ///   encoder does not take such samples.
  package init(
    _ settings: Settings, matching sound: borrowing DecodedAudio, from decoder: borrowing Decoder
  ) throws(LibavError) {
    unsafe try self.init(settings, after: Model(sound, from: decoder))
  }

  /// - Throws: ``LibavError``, as when configured from samples.
  package init(_ settings: Settings, after model: Model) throws(LibavError) {
    let codec = unsafe try OpenEncoder.codec(named: settings.name)
    let near = unsafe Self.format(codec, model.format)
    guard let format = unsafe near ?? Self.format(codec, AV_SAMPLE_FMT_FLTP.rawValue),
      let layout = SampleLayout(format.rawValue)
    else {
      throw LibavError(.notAllowed, "\(settings.name) does not support its sample format")
    }
    let stated = unsafe model.layout
    let count = unsafe Int(stated.nb_channels)
    var wanted = unsafe stated
    let channels = min(settings.mostChannels ?? .max, count)
    if settings.namesChannelsByNumber || channels < count {
      unsafe av_channel_layout_default(&wanted, Int32(channels))
    }
    var isRemixed = channels < count
    if settings.namesChannelsByNumber, let mask = Self.vorbisLayouts[channels] {
      unsafe wanted.u.mask = mask
      unsafe isRemixed = isRemixed || stated.u.mask != mask
    }
    let sourceRate = unsafe model.rate
    let rate = settings.sampleRate.map { Int32(clamping: $0) } ?? sourceRate
    var converter: SampleConverter?
    if near == nil || rate != sourceRate || isRemixed {
      converter = unsafe try SampleConverter(
        from: .init(format: AVSampleFormat(model.format), rate: sourceRate, layout: stated),
        to: .init(format: format, rate: rate, layout: wanted))
    }
    let source = unsafe SampleLayout(model.format)
    let bits = unsafe model.bits
    let encoder = unsafe try OpenEncoder(codec, options: settings.options, log: LibavLog()) {
      unsafe $0.pointee.sample_fmt = format
      unsafe $0.pointee.bits_per_raw_sample = bits
      unsafe $0.pointee.sample_rate = rate
      unsafe $0.pointee.time_base = AVRational(num: 1, den: rate)
      unsafe $0.pointee.ch_layout = wanted
      unsafe Self.describe($0, settings)
    }
    self.init(
      encoder, converter, sourceRate: sourceRate,
      keepsSamples: converter == nil && source?.kind == layout.kind,
      queue: SampleQueue(layout, channels: channels), skipsDelay: settings.skipsDelay)
  }

  /// Cannot fail: Swift 6.2 miscompiles a failure after the default values of a noncopyable type are
  /// set.
  private init(
    _ encoder: consuming OpenEncoder, _ converter: SampleConverter?, sourceRate: Int32,
    keepsSamples: Bool, queue: SampleQueue, skipsDelay: Bool
  ) {
    self.converter = converter
    self.sourceRate = sourceRate
    self.keepsSamples = keepsSamples
    self.queue = queue
    let size = unsafe Int(encoder.context.pointee.frame_size)
    let padding = unsafe Int(max(0, encoder.context.pointee.initial_padding))
    lead =
      skipsDelay && size > 0 && padding > 0 ? (size - padding % size) % size : 0
    self.queue.appendSilence(lead)
    self.encoder = encoder
  }

  /// The layouts of three and four channels in Vorbis and Opus (Vorbis I, 4.3.9), as FFmpeg's
  /// masks: its defaults for these counts differ.
  private static let vorbisLayouts: [Int: UInt64] = [
    // Left, right and center.
    3: 0x7,
    // Two front and two back channels.
    4: 0x33,
  ]

  @unsafe private static func describe(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ settings: Settings
  ) {
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT
    if let bitRate = settings.bitRate { unsafe context.pointee.bit_rate = bitRate }
    if let quality = settings.quality {
      unsafe context.pointee.flags |= AV_CODEC_FLAG_QSCALE
      unsafe context.pointee.global_quality = quality
    }
  }

  /// The encoder's sample format that is nearest to the decoded one.
  private static func format(
    _ codec: UnsafePointer<AVCodec>, _ decoded: Int32
  ) -> AVSampleFormat? {
    guard let source = SampleLayout(decoded), var next = unsafe trim_sample_formats(codec) else {
      return nil
    }
    var best: (format: AVSampleFormat, distance: Int)?
    while unsafe next.pointee != AV_SAMPLE_FMT_NONE {
      let format = unsafe next.pointee
      unsafe next += 1
      guard let layout = SampleLayout(format.rawValue) else { continue }
      let distance: Int
      if layout == source {
        distance = 0
      } else if layout.kind == source.kind {
        distance = 1
      } else if source.kind == .float, layout.kind == .signed16 {
        distance = 2
      } else {
        continue
      }
      if best.map({ distance < $0.distance }) ?? true { best = (format, distance) }
    }
    return best?.format
  }

  @unsafe fileprivate static func copyLayout(
    of frame: UnsafeMutablePointer<AVFrame>, to layout: inout AVChannelLayout
  ) {
    let stated = unsafe frame.pointee.ch_layout
    if unsafe stated.order == AV_CHANNEL_ORDER_NATIVE {
      unsafe layout = unsafe stated
    } else {
      unsafe av_channel_layout_default(&layout, stated.nb_channels)
    }
  }

  private var context: UnsafeMutablePointer<AVCodecContext> { unsafe encoder.context }
  private var frame: UnsafeMutablePointer<AVFrame> { unsafe encoder.frame }

  /// The number of samples that a decoder outputs before the first input sample.
  package var initialPadding: Int {
    unsafe Int(max(0, context.pointee.initial_padding)) + lead
  }
  /// Samples per packet; zero where packets vary.
  package var frameSize: Int {
    unsafe context.pointee.codec_id == AV_CODEC_ID_VORBIS
      ? 0 : Int(max(0, context.pointee.frame_size))
  }
  package var sampleRate: Int { unsafe Int(context.pointee.sample_rate) }
  package var channels: Int { queue.channels }

  /// The codec parameters; complete when all packets were returned.
  package var parameters: CodecParameters {
    get throws(LibavError) { unsafe try CodecParameters(of: context) }
  }

  /// Allows the samples from now on to be of another rate, layout or format: those of another file.
  ///
  /// - Parameter count: how many samples, at the encoder's own rate, come before them.
  package mutating func allowChange(after count: Int64) throws(LibavError) {
    try endConversion(count)
    mayChange = true
  }

  /// Converts from what another file decodes to.
  private mutating func follow(_ sound: borrowing DecodedAudio) throws(LibavError) {
    mayChange = false
    let frame = unsafe sound.frame
    var layout = unsafe AVChannelLayout()
    unsafe Self.copyLayout(of: frame, to: &layout)
    let rate = unsafe max(1, frame.pointee.sample_rate)
    let isAlike =
      unsafe frame.pointee.format == context.pointee.sample_fmt.rawValue
      && rate == context.pointee.sample_rate
      && layout.nb_channels == context.pointee.ch_layout.nb_channels
    sourceRate = rate
    converter = nil
    guard !isAlike else { return }
    keepsSamples = false
    converter = unsafe try SampleConverter(
      from: .init(format: AVSampleFormat(frame.pointee.format), rate: rate, layout: layout),
      to: .init(
        format: context.pointee.sample_fmt, rate: context.pointee.sample_rate,
        layout: context.pointee.ch_layout))
  }

  package mutating func send(
    _ sound: borrowing DecodedAudio, _ samples: Range<Int>
  ) throws(LibavError) {
    if mayChange { try follow(sound) }
    precondition(samples.lowerBound >= 0 && samples.upperBound <= sound.sampleCount)
    if converter != nil {
      unsafe try converter?.convert(sound.frame, samples, into: &queue)
    } else {
      guard unsafe sound.frame.pointee.sample_rate == sourceRate,
        unsafe queue.append(sound.frame, samples)
      else {
        throw LibavError(.soundChanges, "the audio changes its sample rate or channel count")
      }
    }
    try sendWhole()
  }

  /// - Parameter count: the number of samples, at the input rate.
  package mutating func sendSilence(_ count: Int) throws(LibavError) {
    var left = count
    while left > 0 {
      let part = min(left, 1 << 16)
      if converter != nil {
        try converter?.convertSilence(part, into: &queue)
      } else {
        queue.appendSilence(part)
      }
      left -= part
      try sendWhole()
    }
  }

  /// Flushes the converter, and pads or trims to the given number of samples.
  private mutating func endConversion(_ count: Int64) throws(LibavError) {
    guard converter != nil else { return }
    try converter?.finish(into: &queue)
    let surplus = sent + Int64(queue.count) - Int64(lead) - count
    if surplus < 0 { queue.appendSilence(Int(clamping: -surplus)) }
    if surplus > 0 { queue.dropLast(Int(clamping: surplus)) }
    try sendWhole()
  }

  private mutating func sendWhole() throws(LibavError) {
    let size = frameLength
    while queue.count >= size { try sendFrame(size) }
  }

  /// Samples to send at once; Vorbis needs few, for uncompressed audio it does not matter.
  private var frameLength: Int {
    let size = unsafe Int(context.pointee.frame_size)
    if size > 0 { return max(64, size) }
    return unsafe context.pointee.codec_id == AV_CODEC_ID_VORBIS ? 64 : 1024
  }

  private mutating func sendFrame(_ count: Int) throws(LibavError) {
    unsafe av_frame_unref(frame)
    unsafe frame.pointee.nb_samples = Int32(count)
    unsafe frame.pointee.format = context.pointee.sample_fmt.rawValue
    unsafe frame.pointee.sample_rate = context.pointee.sample_rate
    unsafe frame.pointee.ch_layout = context.pointee.ch_layout
    unsafe frame.pointee.pts = sent
    var code = unsafe av_frame_get_buffer(frame, 0)
    if code >= 0 {
      unsafe queue.take(count, into: frame)
      code = encoder.sendFrame()
    }
    sent += Int64(count)
    guard code >= 0 else {
      throw LibavError(code: code, doing: "audio cannot be encoded", log: encoder.log)
    }
    try receive()
  }

  /// Tells the encoder that the input has ended.
  ///
  /// - Parameter count: how many samples it is to receive in total, at its own rate.
  package mutating func finish(_ count: Int64) throws(LibavError) {
    try endConversion(count)
    // An encoder without the delay capability does not flush the samples in its delay.
    if unsafe context.pointee.codec.pointee.capabilities & AV_CODEC_CAP_DELAY == 0 {
      queue.appendSilence(initialPadding)
      try sendWhole()
    }
    if queue.count > 0 { try sendFrame(queue.count) }
    encoder.finish()
    try receive()
  }

  /// The coded packets since the last call.
  package mutating func takePackets() -> [Packet] {
    defer { coded = [] }
    return coded
  }

  private mutating func receive() throws(LibavError) {
    while let packet = try encoder.receive("audio") {
      // FLAC's last packet only signals that its header is complete.
      guard unsafe packet.pointer.pointee.size > 0 else { continue }
      unsafe coded.append(
        Packet(
          bytes: packet.bytes, pts: packet.pointer.pointee.pts,
          duration: max(0, packet.pointer.pointee.duration)))
    }
  }
}
