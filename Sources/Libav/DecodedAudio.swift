import CFFmpeg

/// Decoded samples in FFmpeg's memory, kept until the next ones replace them.
@safe package struct DecodedAudio: ~Copyable {
  let frame: UnsafeMutablePointer<AVFrame>

  package init() throws(LibavError) {
    try LibavLibrary.load()
    guard let frame = unsafe av_frame_alloc() else {
      throw LibavError(.outOfMemory, "no memory for audio")
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
  /// - Returns: `nil` where the sample format is not supported here.
  package func levels(ofChannel channel: Int?, _ samples: Range<Int>) -> SampleLevels? {
    let channels = channelCount
    precondition(samples.lowerBound >= 0 && samples.upperBound <= sampleCount)
    precondition(channel.map { (0..<channels).contains($0) } ?? (channels > 0))
    guard let format = unsafe SampleLayout(frame.pointee.format) else { return nil }
    var levels = SampleLevels()
    let only = channel ?? (channels == 1 ? 0 : nil)
    if let only, format == .planarFloat, let plane = unsafe plane(only) {
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

  /// Samples of one channel; full scale is −1 to 1.
  ///
  /// - Returns: empty where the sample format is not supported here.
  package func samples(ofChannel channel: Int, _ range: Range<Int>) -> [Float] {
    precondition(range.lowerBound >= 0 && range.upperBound <= sampleCount)
    precondition((0..<channelCount).contains(channel))
    guard let format = unsafe SampleLayout(frame.pointee.format) else { return [] }
    return unsafe [Float](unsafeUninitializedCapacity: range.count) { buffer, count in
      guard let block = buffer.baseAddress else { return }
      unsafe block.initialize(repeating: 0, count: range.count)
      unsafe read(
        format, channel: channel, from: range.lowerBound, count: range.count, into: block)
      count = range.count
    }
  }

  private static let blockLength = 1024

  @unsafe private func plane(_ channel: Int) -> UnsafeMutableRawPointer? {
    unsafe frame.pointee.extended_data[channel].map { UnsafeMutableRawPointer($0) }
  }

  @unsafe private func readMean(
    _ format: SampleLayout, from start: Int, count: Int, into block: UnsafeMutablePointer<Float>
  ) {
    let channels = channelCount
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { other in
      guard let other = other.baseAddress else { return }
      unsafe read(format, channel: 0, from: start, count: count, into: block)
      for channel in 1..<channels {
        if format == .planarFloat, let plane = unsafe plane(channel) {
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
    _ format: SampleLayout, channel: Int, from start: Int, count: Int,
    into block: UnsafeMutablePointer<Float>
  ) {
    let channels = format.isPlanar ? 1 : channelCount
    guard let plane = unsafe plane(format.isPlanar ? channel : 0) else { return }
    let first = start * channels + (format.isPlanar ? 0 : channel)
    func convert<Value>(_ type: Value.Type, _ scaled: (Value) -> Float) {
      let values = unsafe plane.assumingMemoryBound(to: type) + first
      for index in 0..<count { unsafe block[index] = scaled(values[index &* channels]) }
    }
    switch format.kind {
    case .unsigned8: convert(UInt8.self) { (Float($0) - 128) / 128 }
    case .signed16: convert(Int16.self) { Float($0) / 32768 }
    case .signed32: convert(Int32.self) { Float($0) / 2_147_483_648 }
    case .signed64: convert(Int64.self) { Float($0) / 9_223_372_036_854_775_808 }
    case .float: convert(Float.self) { $0 }
    case .double: convert(Double.self) { Float($0) }
    }
  }
}

extension Decoder {
  /// Decodes into a run of samples; its previous contents are lost, whatever the result.
  package func receive(into sound: borrowing DecodedAudio) -> Output {
    let code = log.collecting { unsafe avcodec_receive_frame(context, sound.frame) }
    if code == trim_ERROR_AGAIN { return .needsInput }
    if code == trim_ERROR_EOF { return .ended }
    return unsafe code >= 0 ? .frame(FrameFacts(sound.frame)) : .failed
  }
}
