import ExactTime
import Libav

/// Writes an MPEG program stream in which each picture and each audio packet begins a PES packet,
/// and so has its own timestamp.
///
/// FFmpeg's muxer fills packs to the last byte: if several pictures begin in one, only the first
/// has a timestamp (ISO/IEC 13818-1, 2.4.3.7), and readers guess the others, wrongly where one is
/// shown shorter than usual.
final class ProgramWriter: PacketSink {
  let ticks: [Rational]
  private let output: any ByteOutput
  private let streams: [ProgramStream]
  private let schedule: ProgramSchedule
  private var hasBegun: [Bool]
  private var clock: Int64 = 0
  private var position: Int64 = 0
  private var waiting: [UInt8] = []

  static let ticksPerSecond: Int64 = 90_000
  private static let chunk = 1 << 18
  /// So that the next pack begins within 0.7 s.
  private static let longestPause = ProgramPack.clocksPerSecond * 6 / 10

  init(_ output: any ByteOutput, streams: [ProgramStream], _ schedule: ProgramSchedule) {
    self.output = output
    self.streams = streams
    self.schedule = schedule
    hasBegun = streams.map { _ in false }
    ticks = streams.map { _ in TickGrid(ticksPerSecond: Self.ticksPerSecond).secondsPerTick }
  }

  func write(
    _ bytes: [UInt8], stream: Int, pts: Int64, dts: Int64, duration: Int64, isKey: Bool,
    skippedAtStart: Int, skippedAtEnd: Int?, alpha: [UInt8]?
  ) throws(LibavError) {
    try waitUntil((dts &- ProgramSchedule.lead) &* ProgramPack.clocksPerTick)
    var times: ProgramPack.Times? = .init(pts: pts, dts: dts)
    var start = 0
    repeat {
      start += try writePack(bytes, from: start, of: stream, times)
      times = nil
    } while start < bytes.count
  }

  /// Advances the clock with nothing to send; a clock reference is required at least every 0.7 s
  /// (ISO/IEC 13818-1, 2.7.1).
  private func waitUntil(_ due: Int64) throws(LibavError) {
    while position + Int64(waiting.count) > 0, due - clock > Self.longestPause {
      clock += Self.longestPause
      waiting += ProgramPack.header(clock: clock, rate: schedule.rate)
      if waiting.count >= Self.chunk { try flush() }
    }
    clock = max(clock, due)
  }

  /// Writes the headers in a separate pack: GStreamer, which looks for the first PTS after a
  /// pack's header, does not see one after a map; it takes that of a later picture as the
  /// beginning, and shows none before it.
  private func writeHeaders() {
    waiting += ProgramPack.header(clock: clock, rate: schedule.rate)
    waiting += ProgramPack.system(streams, schedule) + ProgramPack.map(streams)
    advance(by: waiting.count)
  }

  /// Advances the clock by the arrival time of these bytes.
  private func advance(by byteCount: Int) {
    let rate = schedule.rate * 50
    clock += (Int64(byteCount) * ProgramPack.clocksPerSecond + rate - 1) / rate
  }

  /// - Returns: the number of bytes of the packet in the pack.
  private func writePack(
    _ bytes: [UInt8], from start: Int, of stream: Int, _ times: ProgramPack.Times?
  ) throws(LibavError) -> Int {
    if position == 0, waiting.isEmpty { writeHeaders() }
    let begun = waiting.count
    waiting += ProgramPack.header(clock: clock, rate: schedule.rate)
    let (packet, held) = ProgramPack.packet(
      of: streams[stream], bytes[start...], times,
      buffer: hasBegun[stream] ? nil : schedule.bufferByteCounts[stream],
      most: ProgramPack.mostBytes - ProgramPack.headerByteCount)
    hasBegun[stream] = true
    waiting += packet
    advance(by: waiting.count - begun)
    if waiting.count >= Self.chunk { try flush() }
    return held
  }

  func finish() throws(LibavError) {
    waiting += ProgramPack.end
    try flush()
  }

  private func flush() throws(LibavError) {
    do throws(OutputFault) {
      try output.write(waiting, at: position)
    } catch {
      throw LibavError(.output(error), "a packet cannot be written")
    }
    position += Int64(waiting.count)
    waiting.removeAll(keepingCapacity: true)
  }
}
