import Detection
public import ExactTime
import Libav
public import MediaFiles

extension AudioTrack {
  /// The quietest instant near another: the middle of the quietest window of 10 ms.
  ///
  /// Blocking; only that piece is decoded.
  ///
  /// - Parameter tolerance: how far it may be away, at most a minute.
  /// - Returns: the instant itself where no audio is known.
  /// - Throws: ``MediaError``.
  public func quietestInstant(
    near time: MediaTime, within tolerance: MediaDuration
  ) throws(MediaError) -> MediaTime {
    guard let (first, last, range) = try? piece(near: time, within: tolerance) else {
      return time
    }
    var reading = try AudioReading(self, in: range, from: range.start, for: PieceSink())
    while try reading.advance() {}
    guard let piece = reading.sink.finished, let rate = reading.sampleRate else { return time }
    let grid = TickGrid(ticksPerSecond: Int64(rate))
    do throws(ExactTimeError) {
      func place(_ time: MediaTime, _ rounding: Rounding) throws(ExactTimeError) -> Int {
        Int(clamping: try grid.ticks(of: time.distance(from: range.start), rounding: rounding))
      }
      let from = try place(first, .up)
      let to = min(piece.count, try place(last, .down))
      guard from <= to else { return time }
      let best = piece.instant(in: from...to, near: try place(time, .nearest))
      return try range.start.advanced(by: grid.duration(ofTicks: Int64(best)))
    } catch {
      return time
    }
  }

  /// The first and last instant to choose from, and what is decoded for it.
  private func piece(
    near time: MediaTime, within tolerance: MediaDuration
  ) throws(ExactTimeError) -> (first: MediaTime, last: MediaTime, range: MediaTimeRange)? {
    let most = min(tolerance, MediaDuration(60))
    let back = try MediaDuration.zero.subtracting(most)
    let first = max(presented.start, try time.advanced(by: back))
    let last = try time.advanced(by: most)
    let half = MediaDuration(1, 200)
    let range = MediaTimeRange(
      from: try first.advanced(by: MediaDuration(-1, 200)), to: try last.advanced(by: half))
    return first <= last ? range.map { (first, last, $0) } : nil
  }
}

/// Collects a short piece.
private struct PieceSink: AudioSink {
  private var piece: QuietestInstant?
  private var total = 0
  private var isLost = false

  mutating func begin(samples: Int64, rate: Int, channels: Int) throws(LibavError) {
    piece = QuietestInstant(sampleRate: rate, channels: channels)
    total = Int(clamping: min(samples, Int64(QuietestInstant.mostSamples)))
  }

  mutating func take(
    _ sound: borrowing DecodedAudio, _ run: AudioPlacement.Run, heard: Range<Int64>,
    from decoder: borrowing Decoder
  ) throws(LibavError) {
    guard let done = piece?.count,
      let (start, samples) = sound.samples(
        of: run, from: max(heard.lowerBound, Int64(done)), to: min(heard.upperBound, Int64(total)))
    else { return }
    piece?.addSilence(Int(start) - done)
    piece?.add(samples)
  }

  mutating func lose() { isLost = true }

  /// The piece; `nil` where some of it could not be decoded.
  var finished: QuietestInstant? {
    guard var piece, !isLost else { return nil }
    piece.addSilence(total - piece.count)
    return piece
  }
}
