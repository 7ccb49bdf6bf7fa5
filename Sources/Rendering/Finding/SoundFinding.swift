public import Detection
public import ExactTime
import Glibc
import Libav
public import MediaFiles

extension SoundTrack {
  /// Finds where the audio of a range is silent.
  ///
  /// Blocking. Where the file continues without audio, nothing is heard.
  ///
  /// - Parameters:
  ///   - range: counted from the track's origin.
  ///   - shortest: shorter silences are not reported.
  /// - Throws: ``ProbeError``; `notDecoded` for a codec that is not decoded here.
  public func silences(
    in range: MediaTimeRange, below level: SoundLevel, shortest: MediaDuration
  ) throws(ProbeError) -> [Finding] {
    var reading = try SoundReading(
      self, in: range, for: SilenceSink(level: level, shortest: shortest))
    while try reading.advance() {}
    do throws(ExactTimeError) {
      return try reading.sink.findings(in: range)
    } catch {
      throw ProbeError(.damaged, "its audio is too long to measure")
    }
  }
}

/// Looks for silence in what is heard.
private struct SilenceSink: SoundSink {
  let level: SoundLevel
  let shortest: MediaDuration
  private var detector: SilenceDetector?
  private var sampleRate: Int64 = 1
  private var total: Int64 = 0

  init(level: SoundLevel, shortest: MediaDuration) {
    self.level = level
    self.shortest = shortest
  }

  mutating func begin(samples: Int64, rate: Int, channels: Int) throws(LibavError) {
    sampleRate = Int64(rate)
    total = samples
    do throws(ExactTimeError) {
      detector = try SilenceDetector(sampleRate: rate, level: level, shortest: shortest)
    } catch {
      throw LibavError(.notAllowed, "the silence would be longer than allowed")
    }
  }

  mutating func take(
    _ sound: borrowing DecodedSound, _ run: SoundPlacement.Run, heard: Range<Int64>,
    from decoder: borrowing Decoder
  ) throws(LibavError) {
    guard let done = detector?.count else { return }
    let start = max(run.position, heard.lowerBound, done)
    let end = min(run.position + Int64(run.samples.count), heard.upperBound, total)
    guard start < end else { return }
    let from = run.samples.lowerBound + Int(start - run.position)
    let samples = (0..<sound.channelCount).map {
      sound.samples(ofChannel: $0, from..<from + Int(end - start))
    }
    guard samples.allSatisfy({ !$0.isEmpty }) else {
      throw LibavError(.notAllowed, "its sample format is not supported")
    }
    detector?.addSilence(start - done)
    detector?.add(samples)
  }

  mutating func findings(in range: MediaTimeRange) throws(ExactTimeError) -> [Finding] {
    // Of audio that cannot be decoded nothing is known.
    guard var detector else { return [] }
    detector.addSilence(max(0, total - detector.count))
    let grid = TickGrid(ticksPerSecond: sampleRate)
    var findings: [Finding] = []
    for (silence, power) in detector.finish() {
      let start = try range.start.advanced(by: grid.duration(ofTicks: silence.lowerBound))
      let end = try range.start.advanced(by: grid.duration(ofTicks: silence.upperBound))
      if let silent = MediaTimeRange(from: start, to: min(range.end, end)) {
        findings.append(Finding(.silence, silent, score: power > 0 ? 10 * log10(power) : nil))
      }
    }
    return findings
  }
}
