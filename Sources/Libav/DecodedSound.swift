#if FFmpeg
  import CFFmpeg

  /// Decoded samples in FFmpeg's memory, kept until the next ones take their place.
  @safe package struct DecodedSound: ~Copyable {
    fileprivate let frame: UnsafeMutablePointer<AVFrame>

    package init() throws(LibavError) {
      try LibavLibrary.load()
      guard let frame = unsafe av_frame_alloc() else {
        throw LibavError(.outOfMemory, "no memory for sound")
      }
      unsafe self.frame = unsafe frame
    }

    deinit {
      var frame: UnsafeMutablePointer<AVFrame>? = unsafe frame
      unsafe av_frame_free(&frame)
    }

    package var sampleCount: Int { unsafe Int(max(0, frame.pointee.nb_samples)) }
    package var channelCount: Int { unsafe Int(max(0, frame.pointee.ch_layout.nb_channels)) }

    /// The levels of some samples of one channel, or of the mean of all.
    ///
    /// - Returns: `nil` where the samples are of a kind that is not read here.
    package func levels(ofChannel channel: Int?, _ samples: Range<Int>) -> SampleLevels? {
      let channels = channelCount
      precondition(samples.lowerBound >= 0 && samples.upperBound <= sampleCount)
      precondition(channel.map { (0..<channels).contains($0) } ?? (channels > 0))
      guard let format = unsafe SampleFormat(frame.pointee.format) else { return nil }
      var levels = SampleLevels()
      let only = channel ?? (channels == 1 ? 0 : nil)
      if let only, format == .float(isPlanar: true), let plane = unsafe plane(only) {
        unsafe levels.add(
          plane.assumingMemoryBound(to: Float.self) + samples.lowerBound, count: samples.count)
        return levels
      }
      unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.blockLength) { block in
        guard let block = block.baseAddress else { return }
        var start = samples.lowerBound
        while start < samples.upperBound {
          let count = min(Self.blockLength, samples.upperBound - start)
          if let only {
            unsafe read(format, channel: only, from: start, count: count, into: block)
          } else {
            unsafe readMean(format, from: start, count: count, into: block)
          }
          unsafe levels.add(block, count: count)
          start += count
        }
      }
      return levels
    }

    private static let blockLength = 1024

    @unsafe private func plane(_ channel: Int) -> UnsafeMutableRawPointer? {
      unsafe frame.pointee.extended_data[channel].map { UnsafeMutableRawPointer($0) }
    }

    @unsafe private func readMean(
      _ format: SampleFormat, from start: Int, count: Int, into block: UnsafeMutablePointer<Float>
    ) {
      let channels = channelCount
      unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { other in
        guard let other = other.baseAddress else { return }
        unsafe read(format, channel: 0, from: start, count: count, into: block)
        for channel in 1..<channels {
          if format == .float(isPlanar: true), let plane = unsafe plane(channel) {
            let samples = unsafe plane.assumingMemoryBound(to: Float.self) + start
            for index in 0..<count { unsafe block[index] += samples[index] }
          } else {
            unsafe read(format, channel: channel, from: start, count: count, into: other)
            for index in 0..<count { unsafe block[index] += other[index] }
          }
        }
        let share = 1 / Float(channels)
        for index in 0..<count { unsafe block[index] *= share }
      }
    }

    @unsafe private func read(
      _ format: SampleFormat, channel: Int, from start: Int, count: Int,
      into block: UnsafeMutablePointer<Float>
    ) {
      let channels = format.isPlanar ? 1 : channelCount
      guard let plane = unsafe plane(format.isPlanar ? channel : 0) else { return }
      let first = start * channels + (format.isPlanar ? 0 : channel)
      func convert<Value>(_ type: Value.Type, _ scaled: (Value) -> Float) {
        let values = unsafe plane.assumingMemoryBound(to: type) + first
        for index in 0..<count { unsafe block[index] = scaled(values[index &* channels]) }
      }
      switch format {
      case .unsigned8: convert(UInt8.self) { (Float($0) - 128) / 128 }
      case .signed16: convert(Int16.self) { Float($0) / 32768 }
      case .signed32: convert(Int32.self) { Float($0) / 2_147_483_648 }
      case .signed64: convert(Int64.self) { Float($0) / 9_223_372_036_854_775_808 }
      case .float: convert(Float.self) { $0 }
      case .double: convert(Double.self) { Float($0) }
      }
    }
  }

  /// How samples lie in memory.
  private enum SampleFormat: Equatable {
    case unsigned8(isPlanar: Bool)
    case signed16(isPlanar: Bool)
    case signed32(isPlanar: Bool)
    case signed64(isPlanar: Bool)
    case float(isPlanar: Bool)
    case double(isPlanar: Bool)

    init?(_ format: Int32) {
      switch AVSampleFormat(format) {
      case AV_SAMPLE_FMT_U8: self = .unsigned8(isPlanar: false)
      case AV_SAMPLE_FMT_U8P: self = .unsigned8(isPlanar: true)
      case AV_SAMPLE_FMT_S16: self = .signed16(isPlanar: false)
      case AV_SAMPLE_FMT_S16P: self = .signed16(isPlanar: true)
      case AV_SAMPLE_FMT_S32: self = .signed32(isPlanar: false)
      case AV_SAMPLE_FMT_S32P: self = .signed32(isPlanar: true)
      case AV_SAMPLE_FMT_S64: self = .signed64(isPlanar: false)
      case AV_SAMPLE_FMT_S64P: self = .signed64(isPlanar: true)
      case AV_SAMPLE_FMT_FLT: self = .float(isPlanar: false)
      case AV_SAMPLE_FMT_FLTP: self = .float(isPlanar: true)
      case AV_SAMPLE_FMT_DBL: self = .double(isPlanar: false)
      case AV_SAMPLE_FMT_DBLP: self = .double(isPlanar: true)
      default: return nil
      }
    }

    var isPlanar: Bool {
      switch self {
      case .unsigned8(let isPlanar), .signed16(let isPlanar), .signed32(let isPlanar),
        .signed64(let isPlanar), .float(let isPlanar), .double(let isPlanar):
        isPlanar
      }
    }
  }

  extension Decoder {
    /// Decodes into a run of samples; what it held is gone, whatever comes out.
    package func receive(into sound: borrowing DecodedSound) -> Output {
      let code = log.collecting { unsafe avcodec_receive_frame(context, sound.frame) }
      if code == trim_ERROR_AGAIN { return .needsInput }
      if code == trim_ERROR_EOF { return .ended }
      return unsafe code >= 0 ? .frame(FrameFacts(sound.frame)) : .failed
    }
  }
#endif
