import Detection
import ExactTime
import Testing

/// Windows of 10 ms; a sample is quiet if it lies in a quiet window.
@Suite(.timeLimit(.minutes(1))) struct `Given decoded samples` {
  private static let rate = 48_000

  /// A tone of a level, or silence, for each number of samples.
  private static func sound(_ runs: [(count: Int, level: Float)]) -> [Float] {
    runs.flatMap { run in (0..<run.count).map { $0 % 2 == 0 ? run.level : -run.level } }
  }

  private static func found(
    _ channels: [[Float]], level: Int = -400, shortest: MediaDuration = MediaDuration(1, 10),
    chunk: Int = 1024
  ) throws -> [Range<Int64>] {
    let level = try #require(AudioLevel(tenths: level))
    var detector = try SilenceDetector(sampleRate: rate, level: level, shortest: shortest)
    var start = 0
    while start < channels[0].count {
      let end = min(channels[0].count, start + chunk)
      detector.add(channels.map { Array($0[start..<end]) })
      start = end
    }
    return detector.finish().map(\.range)
  }

  @Test(arguments: [1, 7, 480, 1024, 100_000])
  func `when digital silence lies between tones then it is found to the sample`(_ chunk: Int) throws
  {
    let sound = Self.sound([(10_001, 0.5), (9_999, 0), (5_000, 0.5)])
    #expect(try Self.found([sound], chunk: chunk) == [10_001..<20_000])
  }

  @Test func `when it is at the beginning and at the end then it is found there`() throws {
    let sound = Self.sound([(7_000, 0), (5_000, 0.5), (6_000, 0.001)])
    #expect(try Self.found([sound]) == [0..<7_000, 12_000..<18_000])
  }

  @Test(arguments: [(-401, [1_531..<12_469] as [Range<Int64>]), (-399, [0..<14_000])])
  func `when the level is close to the sound's then only what is below it is silence`(
    _ level: Int, _ expected: [Range<Int64>]
  ) throws {
    let sound = Self.sound([(2_000, 0.01), (10_000, 0), (2_000, 0.01)])
    #expect(try Self.found([sound], level: level) == expected)
  }

  @Test func `when nothing is known of some samples then silence ends and begins there`() throws {
    let level = try #require(AudioLevel(tenths: -400))
    var detector = try SilenceDetector(
      sampleRate: Self.rate, level: level, shortest: MediaDuration(1, 100))
    detector.add([Self.sound([(1_000, 0)])])
    detector.skip(500)
    detector.add([Self.sound([(479, 0), (1_000, 0.5)])])
    detector.skip(100)
    detector.add([Self.sound([(480, 0)])])
    // Of 479 samples no window is known.
    #expect(detector.finish().map(\.range) == [0..<1_000, 3_079..<3_559])
  }

  @Test func `when an instant is to be quiet then the quietest is taken, and of those the nearest`()
  {
    var piece = QuietestInstant(sampleRate: Self.rate, channels: 2)
    // Loud, then quiet, then silent from 2,000 to 4,000 in one channel, to 3,500 in the other.
    piece.add([Self.sound([(1_000, 0.5), (1_000, 0.01)]), Self.sound([(2_000, 0)])])
    piece.add([Self.sound([(2_000, 0), (500, 0.5)]), Self.sound([(1_500, 0), (1_000, 0.5)])])
    #expect(piece.instant(in: 0...4_500, near: 100) == 2_240)
    #expect(piece.instant(in: 0...4_500, near: 4_400) == 3_260)
    #expect(piece.instant(in: 0...4_500, near: 2_500) == 2_500)
    #expect(piece.instant(in: 0...1_500, near: 0) == 1_240)
  }

  @Test func `when it is measured then it is as loud as one window in twenty, without pauses`()
    throws
  {
    func loudness(_ runs: [(count: Int, level: Float)], _ more: [[Float]] = []) -> Int? {
      var meter = LoudnessMeter(sampleRate: Self.rate)
      // In pieces that are no windows.
      let sound = Self.sound(runs)
      for start in stride(from: 0, to: sound.count, by: 1_000) {
        let piece = start..<min(sound.count, start + 1_000)
        meter.add([Array(sound[piece])] + more.map { Array($0[piece]) })
      }
      return meter.loudness?.tenths
    }
    // A square wave of a tenth is at -20 dBFS; 5 of 100 windows, then 4.
    #expect(loudness([(480 * 95, 0.01), (480 * 5, 0.1)]) == -200)
    // In whole samples, a hundredth is a little less.
    #expect(loudness([(480 * 96, 0.01), (480 * 4, 0.1)]) == -401)
    #expect(loudness([(480 * 95, 0.0001), (480 * 5, 0.1)]) == -200, "below the gate")
    #expect(loudness([(48_000, 0.01)], [Self.sound([(48_000, 0.1)])]) == -200, "the loudest")
    #expect(loudness([(48_000, 0)]) == nil)
    #expect(loudness([(48_000, 4)]) == 0)
    #expect(AudioLevel(tenths: -300)?.lowered(byTenths: 950).tenths == -1200)
  }

  @Test func `when one channel is loud then nothing is silent`() throws {
    let (quiet, loud) = (Self.sound([(20_000, 0)]), Self.sound([(20_000, 0.5)]))
    #expect(try Self.found([quiet, loud, quiet]) == [])
    #expect(try Self.found([quiet, quiet, quiet]) == [0..<20_000])
  }

  @Test func `when it is shorter than asked for then it is not reported`() throws {
    let sound = Self.sound([(10_000, 0.5), (4_799, 0), (10_000, 0.5), (4_800, 0), (10_000, 0.5)])
    #expect(try Self.found([sound]) == [24_799..<29_599])
  }

  @Test func `when a click is shorter than a window then its mean decides`() throws {
    let sound = Self.sound([(10_000, 0), (1, 0.1), (10_000, 0)])
    // 0.1 once in 480 samples is -46.8 dBFS.
    #expect(try Self.found([sound]) == [0..<20_001])
    #expect(try Self.found([sound], level: -470) == [0..<10_000, 10_001..<20_001])
  }

  @Test func `when samples are missing then nothing is heard there`() throws {
    let level = try #require(AudioLevel(tenths: -600))
    var detector = try SilenceDetector(
      sampleRate: Self.rate, level: level, shortest: MediaDuration(1))
    detector.add([Self.sound([(1_000, 0.5)])])
    detector.addSilence(100_000)
    detector.add([Self.sound([(1_000, 0.5)])])
    let found = detector.finish()
    #expect(found.map(\.range) == [1_000..<101_000])
    #expect(found.map(\.power) == [0])
  }

  @Test func `when samples are no numbers or beyond full scale then nothing overflows`() throws {
    let sound: [Float] = [.nan, .infinity, -.infinity, 1e30] + Self.sound([(50_000, 4)])
    #expect(try Self.found([sound, sound]) == [])
    #expect(try Self.found([Array(repeating: .nan, count: 20_000)]) == [0..<20_000])
  }

  @Test func `when a century is missing then it takes no time`() throws {
    let level = try #require(AudioLevel(tenths: 0))
    var detector = try SilenceDetector(
      sampleRate: 100_000_000, level: level, shortest: MediaDuration(1))
    detector.add([Self.sound([(1_000, 1)])])
    detector.addSilence(3_000_000_000 * 100_000_000)
    detector.add([Self.sound([(1_000, 1)])])
    let found = detector.finish()
    #expect(found.count == 1)
    #expect(found.first?.range.upperBound ?? 0 >= 300_000_000_000_000_000)
  }
}
