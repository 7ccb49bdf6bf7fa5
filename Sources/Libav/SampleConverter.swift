import CFFmpeg
import LateFFmpeg

/// Converts samples to the rate, channel count or format that an encoder takes.
///
/// The first sample stays the first; no delay is added.
@safe final class SampleConverter {
  private let context: UnsafeMutableRawPointer
  private let source: Shape
  private let target: Shape
  /// The output buffer of a call, kept for the next one.
  private let room: UnsafeMutablePointer<AVFrame>

  @safe struct Shape {
    var format: AVSampleFormat
    var rate: Int32
    var layout: AVChannelLayout
  }

  init(from source: Shape, to target: Shape) throws(LibavError) {
    let failure = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 300) {
      buffer -> String? in
      guard let base = buffer.baseAddress else { return nil }
      unsafe base.initialize(repeating: 0, count: 300)
      return unsafe trim_ffmpeg_load_resampling(base, 299) == 0
        ? nil : unsafe String(cString: base)
    }
    if let failure { throw LibavError(.unavailable, failure) }
    guard let room = unsafe av_frame_alloc() else {
      throw LibavError(.outOfMemory, "no memory for audio")
    }
    var (code, from, to): (Int32, _, _) = unsafe (0, source.layout, target.layout)
    let context = unsafe trim_resampler_open(
      &to, target.format.rawValue, target.rate, &from, source.format.rawValue, source.rate, &code)
    guard let context = unsafe context else {
      var room: UnsafeMutablePointer<AVFrame>? = unsafe room
      unsafe av_frame_free(&room)
      throw LibavError(code: code, doing: "its audio cannot be converted", log: LibavLog())
    }
    unsafe self.context = unsafe context
    unsafe self.room = unsafe room
    self.source = source
    self.target = target
  }

  deinit {
    unsafe trim_resampler_close(context)
    var room: UnsafeMutablePointer<AVFrame>? = unsafe room
    unsafe av_frame_free(&room)
  }

  /// Converts some samples of a frame; buffered ones are output with the next call.
  func convert(
    _ frame: UnsafeMutablePointer<AVFrame>, _ samples: Range<Int>, into queue: inout SampleQueue
  ) throws(LibavError) {
    guard let layout = unsafe SampleLayout(frame.pointee.format),
      unsafe frame.pointee.format == source.format.rawValue,
      unsafe frame.pointee.sample_rate == source.rate,
      unsafe frame.pointee.ch_layout.nb_channels == source.layout.nb_channels,
      let data = unsafe frame.pointee.extended_data
    else { throw LibavError(.soundChanges, "the audio changes its sample rate or channel count") }
    let channels = unsafe Int(source.layout.nb_channels)
    let planes = layout.isPlanar ? channels : 1
    let step = layout.width * (layout.isPlanar ? 1 : channels)
    var from: [UnsafePointer<UInt8>?] = unsafe []
    for plane in 0..<planes {
      unsafe from.append(
        UnsafePointer(data[plane]).map { unsafe $0 + samples.lowerBound * step })
    }
    try unsafe run(&from, count: samples.count, into: &queue)
  }

  /// Converts silent samples.
  func convertSilence(_ count: Int, into queue: inout SampleQueue) throws(LibavError) {
    var silence = unsafe av_frame_alloc()
    defer { unsafe av_frame_free(&silence) }
    guard let frame = unsafe silence, let layout = SampleLayout(source.format.rawValue) else {
      throw LibavError(.outOfMemory, "no memory for audio")
    }
    unsafe frame.pointee.nb_samples = Int32(count)
    unsafe frame.pointee.format = source.format.rawValue
    unsafe frame.pointee.sample_rate = source.rate
    unsafe frame.pointee.ch_layout = source.layout
    let code = unsafe av_frame_get_buffer(frame, 0)
    guard code >= 0 else {
      throw LibavError(code: code, doing: "audio cannot be converted", log: LibavLog())
    }
    let channels = unsafe Int(source.layout.nb_channels)
    for plane in 0..<(layout.isPlanar ? channels : 1) {
      unsafe frame.pointee.extended_data[plane]?.update(
        repeating: layout.silence,
        count: count * layout.width * (layout.isPlanar ? 1 : channels))
    }
    try unsafe convert(frame, 0..<count, into: &queue)
  }

  /// Flushes the buffered samples.
  func finish(into queue: inout SampleQueue) throws(LibavError) {
    var nothing: [UnsafePointer<UInt8>?] = unsafe []
    try unsafe run(&nothing, count: 0, into: &queue)
  }

  @unsafe private func run(
    _ from: inout [UnsafePointer<UInt8>?], count: Int, into queue: inout SampleQueue
  ) throws(LibavError) {
    let most = unsafe trim_resampler_room(context, Int32(count))
    guard most > 0 else { return }
    unsafe av_frame_unref(room)
    unsafe room.pointee.nb_samples = most
    unsafe room.pointee.format = target.format.rawValue
    unsafe room.pointee.sample_rate = target.rate
    unsafe room.pointee.ch_layout = target.layout
    var code = unsafe av_frame_get_buffer(room, 0)
    if code >= 0 {
      let to = unsafe room.pointee.extended_data
      if unsafe from.isEmpty {
        code = unsafe trim_resampler_convert(context, to, most, nil, 0)
      } else {
        code = unsafe trim_resampler_convert(context, to, most, &from, Int32(count))
      }
    }
    guard code >= 0, unsafe queue.append(room, 0..<Int(code)) else {
      throw LibavError(code: code, doing: "audio cannot be converted", log: LibavLog())
    }
  }
}
