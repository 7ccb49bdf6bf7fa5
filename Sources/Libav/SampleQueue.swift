import CFFmpeg

/// Samples on their way from a decoder to an encoder, in the encoder's memory layout.
@safe struct SampleQueue {
  let layout: SampleLayout
  let channels: Int
  /// One plane for each channel, or one for all.
  private var planes: [[UInt8]]
  /// The number of samples already taken from the front.
  private var taken = 0
  private(set) var count = 0

  init(_ layout: SampleLayout, channels: Int) {
    self.layout = layout
    self.channels = channels
    planes = Array(repeating: [], count: layout.isPlanar ? channels : 1)
  }

  /// Bytes per sample in a plane.
  private var step: Int { layout.width * (layout.isPlanar ? 1 : channels) }

  mutating func appendSilence(_ count: Int) {
    for plane in planes.indices {
      planes[plane] += Array(repeating: layout.silence, count: count * step)
    }
    self.count += count
  }

  /// Appends samples of a decoded frame, rearranged where its layout differs.
  ///
  /// - Returns: false where the frame cannot be converted to this layout.
  mutating func append(
    _ frame: UnsafeMutablePointer<AVFrame>, _ samples: Range<Int>
  ) -> Bool {
    guard let source = unsafe SampleLayout(frame.pointee.format),
      unsafe Int(frame.pointee.ch_layout.nb_channels) == channels,
      let data = unsafe frame.pointee.extended_data
    else { return false }
    let sourceStep = source.width * (source.isPlanar ? 1 : channels)
    for channel in 0..<channels {
      guard let from = unsafe data[source.isPlanar ? channel : 0] else { return false }
      let raw = unsafe UnsafeRawPointer(from) + samples.lowerBound * sourceStep
      if source == layout {
        if !layout.isPlanar, channel > 0 { break }
        let bytes = unsafe UnsafeRawBufferPointer(start: raw, count: samples.count * sourceStep)
        unsafe planes[channel].append(contentsOf: bytes)
        continue
      }
      let first = unsafe raw + (source.isPlanar ? 0 : channel * source.width)
      let isDone = unsafe place(
        first, every: sourceStep, as: source, count: samples.count, channel: channel)
      guard isDone else { return false }
    }
    count += samples.count
    return true
  }

  /// Appends the samples of one channel.
  @unsafe private mutating func place(
    _ source: UnsafeRawPointer, every stride: Int, as sourceLayout: SampleLayout, count: Int,
    channel: Int
  ) -> Bool {
    let plane = layout.isPlanar ? channel : 0
    if layout.isPlanar || channel == 0 {
      planes[plane] += Array(repeating: 0, count: count * step)
    }
    let step = step
    let start =
      planes[plane].count - count * step + (layout.isPlanar ? 0 : channel * layout.width)
    let (width, isFloat) = (layout.width, sourceLayout.kind == .float)
    guard sourceLayout.kind == layout.kind || (isFloat && layout.kind == .signed16) else {
      return false
    }
    let narrows = sourceLayout.kind != layout.kind
    unsafe planes[plane].withUnsafeMutableBytes { target in
      guard let base = target.baseAddress else { return }
      for index in 0..<count {
        let from = unsafe source + index &* stride
        let to = unsafe base + (start &+ index &* step)
        if narrows {
          let value = unsafe from.loadUnaligned(as: Float.self) * 32768
          let sample = value.isNaN ? 0 : Int16(min(max(value.rounded(), -32768), 32767))
          unsafe to.storeBytes(of: sample, as: Int16.self)
        } else {
          unsafe to.copyMemory(from: from, byteCount: width)
        }
      }
    }
    return true
  }

  mutating func dropLast(_ count: Int) {
    let dropped = min(count, self.count)
    for plane in planes.indices { planes[plane].removeLast(dropped * step) }
    self.count -= dropped
  }

  /// Moves samples from the front into a frame that has room for them.
  mutating func take(_ wanted: Int, into frame: UnsafeMutablePointer<AVFrame>) {
    precondition(wanted <= count)
    for plane in planes.indices {
      guard let target = unsafe frame.pointee.extended_data[plane] else { continue }
      unsafe planes[plane].withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        unsafe UnsafeMutableRawPointer(target).copyMemory(
          from: base + taken * step, byteCount: wanted * step)
      }
    }
    taken += wanted
    count -= wanted
    guard taken >= 1 << 16 || count == 0 else { return }
    for plane in planes.indices { planes[plane].removeFirst(taken * step) }
    taken = 0
  }
}
