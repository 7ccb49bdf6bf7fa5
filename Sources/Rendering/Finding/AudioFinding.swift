public import Detection
public import ExactTime
import Glibc
import Libav
public import MediaFiles

/// What is silent.
public struct SilenceSearch: Sendable, Hashable {
  /// What is quiet; a relative level is relative to the loudness of the range.
  public var level: QuietLevel
  /// Shorter silences are not reported.
  public var shortest: MediaDuration
  /// Whether each channel is examined separately, instead of all together.
  public var isPerChannel: Bool

  /// Creates a search.
  public init(level: QuietLevel, shortest: MediaDuration, isPerChannel: Bool = false) {
    self.level = level
    self.shortest = shortest
    self.isPerChannel = isPerChannel
  }
}

extension AudioTrack {
  /// Finds where the audio of a range is silent; what is quiet relative to its loudness is decoded twice.
  ///
  /// Blocking. Where the file continues without audio, it is silent; what cannot be decoded is not.
  ///
  /// - Parameters:
  ///   - range: counted from the track's origin.
  ///   - progress: called often, with the position in the range.
  /// - Throws: ``MediaError``; `notDecoded` for a codec that is not decoded here, `damaged` if nothing can be
  ///   decoded.
  public func findings(
    in range: MediaTimeRange, _ search: SilenceSearch, progress: (MediaTime) -> Void = { _ in }
  ) throws(MediaError) -> TrackFindings {
    var level = search.level.level
    if search.level.isRelative {
      var measuring = try AudioReading(self, in: range, for: LoudnessSink())
      while try measuring.advance() {}
      level =
        measuring.sink.meter?.loudness?.lowered(byTenths: -level.tenths) ?? AudioLevel.least
    }
    var reading = try AudioReading(self, in: range, for: SilenceSink(level, search))
    while try reading.advance() {
      if let place = reading.sink.place(in: range) { progress(place) }
    }
    guard !reading.sink.isUnknown else {
      throw MediaError(.damaged, "none of its audio can be decoded")
    }
    do throws(ExactTimeError) {
      var found = try reading.sink.findings(in: range)
      found.level = level
      return found
    } catch {
      throw MediaError(.damaged, "its audio is too long to measure")
    }
  }
}

extension DecodedAudio {
  /// The samples of a run between two positions, of all channels, and where they begin; `nil` for none.
  func samples(
    of run: AudioPlacement.Run, from first: Int64, to last: Int64
  ) -> (start: Int64, channels: [[Float]])? {
    let start = max(run.position, first)
    let end = min(run.position + Int64(run.samples.count), last)
    guard start < end else { return nil }
    let from = run.samples.lowerBound + Int(start - run.position)
    return (
      start,
      (0..<channelCount).map { samples(ofChannel: $0, from..<from + Int(end - start)) }
    )
  }
}

/// Measures the loudness of the presented samples.
private struct LoudnessSink: AudioSink {
  private(set) var meter: LoudnessMeter?
  private var total: Int64 = 0

  mutating func begin(samples: Int64, rate: Int, channels: Int) throws(LibavError) {
    (meter, total) = (LoudnessMeter(sampleRate: rate), samples)
  }

  mutating func take(
    _ sound: borrowing DecodedAudio, _ run: AudioPlacement.Run, heard: Range<Int64>,
    from decoder: borrowing Decoder
  ) throws(LibavError) {
    let samples = sound.samples(
      of: run, from: heard.lowerBound, to: min(heard.upperBound, total))
    if let samples { meter?.add(samples.channels) }
  }
}

/// Looks for silence in the presented samples.
private struct SilenceSink: AudioSink {
  private let level: AudioLevel
  private let search: SilenceSearch
  /// One for all channels, or one for each.
  private var detectors: [SilenceDetector] = []
  private var sampleRate: Int64 = 1
  private var total: Int64 = 0
  /// The end of the presented samples so far.
  private var end: Int64 = 0
  /// Whether samples could not be decoded since the last ones.
  private var isLost = false
  private var unseen: [Range<Int64>] = []

  init(_ level: AudioLevel, _ search: SilenceSearch) {
    self.level = level
    self.search = search
  }

  mutating func begin(samples: Int64, rate: Int, channels: Int) throws(LibavError) {
    sampleRate = Int64(rate)
    total = samples
    do throws(ExactTimeError) {
      let detector = try SilenceDetector(
        sampleRate: rate, level: level, shortest: search.shortest)
      detectors = Array(repeating: detector, count: search.isPerChannel ? max(1, channels) : 1)
    } catch {
      throw LibavError(.notAllowed, "the silence would be longer than allowed")
    }
  }

  mutating func take(
    _ sound: borrowing DecodedAudio, _ run: AudioPlacement.Run, heard: Range<Int64>,
    from decoder: borrowing Decoder
  ) throws(LibavError) {
    guard let done = detectors.first?.count else { return }
    end = min(heard.upperBound, total)
    guard
      let (start, samples) = sound.samples(of: run, from: max(heard.lowerBound, done), to: end)
    else { return }
    guard samples.allSatisfy({ !$0.isEmpty }) else {
      throw LibavError(.notAllowed, "its sample format is not supported")
    }
    // Before the first presented sample there is silence.
    if done < heard.lowerBound { addSilence(min(start, heard.lowerBound) - done) }
    pass(to: start)
    for number in detectors.indices {
      // A stream that continues with fewer channels leaves the others silent.
      guard search.isPerChannel else {
        detectors[number].add(samples)
        continue
      }
      detectors[number].add(
        number < samples.count
          ? [samples[number]] : [Array(repeating: 0, count: samples[0].count)])
    }
  }

  mutating func lose() { isLost = true }

  /// Whether no sample could be decoded.
  var isUnknown: Bool { isLost && detectors.isEmpty }

  /// The end of what was examined.
  func place(in range: MediaTimeRange) -> MediaTime? {
    detectors.first.flatMap { detector in
      try? range.start.advanced(
        by: TickGrid(ticksPerSecond: sampleRate).duration(ofTicks: detector.count))
    }
  }

  private mutating func addSilence(_ count: Int64) {
    for number in detectors.indices { detectors[number].addSilence(count) }
  }

  /// Skips to where samples are known again.
  private mutating func pass(to position: Int64) {
    defer { isLost = false }
    guard let done = detectors.first?.count, done < position else { return }
    guard isLost else { return addSilence(position - done) }
    unseen.append(done..<position)
    for number in detectors.indices { detectors[number].skip(position - done) }
  }

  mutating func findings(in range: MediaTimeRange) throws(ExactTimeError) -> TrackFindings {
    pass(to: end)
    pass(to: total)
    let grid = TickGrid(ticksPerSecond: sampleRate)
    func time(_ samples: Range<Int64>) throws(ExactTimeError) -> MediaTimeRange? {
      let start = try range.start.advanced(by: grid.duration(ofTicks: samples.lowerBound))
      let end = try range.start.advanced(by: grid.duration(ofTicks: samples.upperBound))
      return MediaTimeRange(from: start, to: min(range.end, end))
    }
    var found = TrackFindings()
    for number in detectors.indices {
      for (silence, power) in detectors[number].finish() {
        if let silent = try time(silence), silent.start < silent.end {
          found.findings.append(
            Finding(
              .silence, silent, score: power > 0 ? 10 * log10(power) : nil,
              channel: search.isPerChannel ? number + 1 : nil))
        }
      }
    }
    for samples in unseen { if let range = try time(samples) { found.miss(range) } }
    return found
  }
}
