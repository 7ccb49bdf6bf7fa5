public import ExactTime
import Libav
import MediaFacts
public import MediaFiles
import Synchronization

/// Encodes the audio of a file as FLAC that browsers play, range by range.
///
/// FLAC has no priming or padding, so segments join sample-accurately. Blocking: run it on a
/// separate thread. Consecutive ranges are decoded in one pass.
public final class PreviewAudio: Sendable {
  private let track: AudioTrack
  private let core = Mutex(Core())

  private struct Core: ~Copyable {
    var reading: AudioReading<SegmentSink>?
    /// Where the previous segment ended.
    var next: MediaTime?
  }

  /// Creates the encoder without opening anything.
  public init(_ track: AudioTrack) { self.track = track }

  /// An MP4 header and a fragment with the audio presented in a range, and silence in gaps; times count
  /// from the track's origin.
  ///
  /// - Returns: no bytes where a range is shorter than a sample.
  /// - Throws: ``MediaError``.
  public func segment(_ range: MediaTimeRange) throws(MediaError) -> [UInt8] {
    try core.withLock { (core) throws(MediaError) in
      guard let all = MediaTimeRange(from: .zero, to: max(track.presented.end, range.end)) else {
        return []
      }
      if core.reading == nil || core.next != range.start {
        core.reading = try AudioReading(
          track, in: all, from: range.start, for: SegmentSink(from: range.start))
      }
      core.next = nil
      let bytes = try core.reading?.segment(until: range.end) ?? []
      // After a failure the next call reopens the file.
      core.next = range.end
      return bytes
    }
  }
}

extension AudioReading where Sink == SegmentSink {
  fileprivate mutating func segment(until end: MediaTime) throws(MediaError) -> [UInt8] {
    try sink.want(until: end)
    while !sink.isFull, try advance() {}
    guard sampleRate != nil else {
      throw MediaError(.damaged, "none of its audio can be decoded")
    }
    return try sink.finished()
  }
}

/// Splits decoded samples into segments and encodes each.
struct SegmentSink: AudioSink, ~Copyable {
  private let start: MediaTime
  private var end: MediaTime?
  private var rate = 0
  /// The properties of the samples, for the encoders of all segments.
  private var model: AudioEncoder.Model?
  private var encoder: AudioEncoder?
  /// The encoder of the next segment, with samples after the one finished last.
  private var following: AudioEncoder?
  /// The samples of the segment, counted from the origin, and the next one to be encoded.
  private var wanted: Range<Int64> = 0..<0
  private var done: Int64 = 0

  init(from start: MediaTime) { self.start = start }

  /// Whether all samples of the segment have been received.
  var isFull: Bool { rate > 0 && done >= wanted.upperBound }

  /// Begins a segment after the previous one.
  mutating func want(until end: MediaTime) throws(MediaError) {
    self.end = end
    guard rate > 0 else { return }
    wanted = wanted.upperBound..<max(wanted.upperBound, try position(end))
    encoder = following.take()
  }

  mutating func begin(samples: Int64, rate: Int, channels: Int) throws(LibavError) {
    self.rate = rate
    do throws(MediaError) {
      let first = try position(start)
      wanted = first..<max(first, try position(end ?? start))
    } catch {
      throw LibavError(.invalidData, error.message)
    }
    done = wanted.lowerBound
  }

  private func position(_ time: MediaTime) throws(MediaError) -> Int64 {
    do throws(ExactTimeError) {
      return try TickGrid(ticksPerSecond: Int64(rate)).tick(of: time, rounding: .up)
    } catch {
      throw MediaError(.limitExceeded, "its timestamps overflow 64-bit arithmetic")
    }
  }

  mutating func take(
    _ sound: borrowing DecodedAudio, _ run: AudioPlacement.Run, heard: Range<Int64>,
    from decoder: borrowing Decoder
  ) throws(LibavError) {
    let first = max(run.position, heard.lowerBound, done)
    let end = min(run.position + Int64(run.samples.count), heard.upperBound)
    if unsafe model == nil { unsafe model = AudioEncoder.Model(sound, from: decoder) }
    try fillStretch(upTo: first)
    let inside = min(end, wanted.upperBound)
    if first < inside {
      try begin()
      try encoder?.send(sound, Self.samples(first..<inside, of: run))
      done = inside
    }
    // Samples of the next segment wait in its encoder.
    guard max(first, wanted.upperBound) < end, done >= wanted.upperBound else { return }
    if following == nil { following = try made() }
    let next = max(done, wanted.upperBound)
    if first > next { try following?.sendSilence(Int(first - next)) }
    try following?.send(sound, Self.samples(max(first, next)..<end, of: run))
    done = end
  }

  private static func samples(_ positions: Range<Int64>, of run: AudioPlacement.Run) -> Range<Int> {
    let offset = run.samples.lowerBound - Int(run.position)
    return Int(positions.lowerBound) + offset..<Int(positions.upperBound) + offset
  }

  /// Fills a gap with silence.
  private mutating func fillStretch(upTo position: Int64) throws(LibavError) {
    let end = min(position, wanted.upperBound)
    guard done < end else { return }
    try begin()
    try encoder?.sendSilence(Int(end - done))
    done = end
  }

  private mutating func begin() throws(LibavError) {
    if encoder == nil { encoder = try made() }
  }

  private func made() throws(LibavError) -> AudioEncoder? {
    guard let model = unsafe model else { return nil }
    return unsafe try AudioEncoder(Self.settings, after: model)
  }

  private static let settings: AudioEncoder.Settings = {
    var settings = AudioEncoder.Settings(name: Codec.flac.rawValue)
    settings.options = [("compression_level", "2")]
    settings.mostChannels = 8
    return settings
  }()

  /// The finished segment as requested.
  mutating func finished() throws(MediaError) -> [UInt8] {
    guard !wanted.isEmpty else { return [] }
    let parameters: CodecParameters
    var packets: [MP4Segment.Packet] = []
    do throws(LibavError) {
      try fillStretch(upTo: wanted.upperBound)
      guard encoder != nil, let made = try finishEncoder() else { return [] }
      parameters = made.parameters
      for packet in made.packets {
        packets.append(
          MP4Segment.Packet(
            bytes: packet.bytes, pts: wanted.lowerBound + packet.pts,
            duration: packet.duration, isKey: true))
      }
    } catch {
      throw MediaError(error)
    }
    encoder = nil
    let tick = TickGrid(ticksPerSecond: Int64(rate)).secondsPerTick
    return try MP4Segment(of: parameters, tick: tick).bytes(packets)
  }

  private mutating func finishEncoder() throws(LibavError) -> (
    packets: [AudioEncoder.Packet], parameters: CodecParameters
  )? {
    try encoder?.finish(Int64(wanted.count))
    guard let packets = encoder?.takePackets(), let parameters = try encoder?.parameters else {
      return nil
    }
    return (packets, parameters)
  }
}
