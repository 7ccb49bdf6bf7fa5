import ExactTime
import ISOMedia
import Support
import Testing
import Trimming

@testable import Cutting

/// QuickTime and MP4 count each sample of uncompressed sound separately: an hour has 170 million.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a camera's file with uncompressed audio` {
  struct Clip: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var words: [String]
    var rate: Int64
    var channels: Int

    static let all = [
      Clip(
        testDescription: "MJPEG, 16 bits, stereo, 48 kHz",
        words: ["-c:v", "mjpeg", "-ac", "2", "-ar", "48000", "-c:a", "pcm_s16le"],
        rate: 48_000, channels: 2),
      Clip(
        testDescription: "ProRes, 24 bits, mono, 44.1 kHz",
        words: ["-c:v", "prores_ks", "-ac", "1", "-ar", "44100", "-c:a", "pcm_s24le"],
        rate: 44_100, channels: 1),
      Clip(
        testDescription: "H.264, 32-bit floats, 5.1, 96 kHz",
        words: ["-c:v", "libx264", "-g", "10", "-ac", "6", "-ar", "96000", "-c:a", "pcm_f32le"],
        rate: 96_000, channels: 6),
    ]

    func make(in folder: ScratchFolder) async throws -> String {
      let path = folder.path(of: "clip.mov")
      _ = try await EncodedClip.ffmpeg(
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-f",
          "lavfi", "-i", "anoisesrc=r=\(rate):d=4:seed=5:a=0.5",
        ] + words + [path])
      return path
    }

    /// All samples of a file, as they are decoded.
    func samples(of path: String) async throws -> [UInt8] {
      let words = ["ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-f", "s32le", "-"]
      return try await ProgramRun(words.map { Array($0.utf8) }).out
    }
  }

  private static func open(_ path: String) throws -> OpenedFile {
    try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  /// The first two of Matroska's packets may have the same millisecond.
  @Test(arguments: [1, 16, 23] as [Int64])
  func `when a part begins with few samples of a packet then Matroska has them all`(
    _ count: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Clip.all[0].make(in: folder)
    let clip = try Self.open(path)
    let sound = try #require(clip.source.tracks.last).coded
    let second = sound.packets[sound.packets.count / 3].pts
    let range = try #require(
      MediaTimeRange(
        from: sound.time(atTick: second - count), to: sound.time(atTick: second + 48_000)))
    let output = folder.path(of: "cut.mkv")
    _ = try clip.cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .matroska)
    let all = try await Clip.all[0].samples(of: path)
    let places = Int(second - count) * 8..<Int(second + 48_000) * 8
    #expect(try await Clip.all[0].samples(of: output)[...] == all[places])
  }

  @Test(arguments: Clip.all)
  func `then its samples are grouped, each at its offset`(_ clip: Clip) async throws {
    let folder = try ScratchFolder()
    let source = try Self.open(try await clip.make(in: folder)).source
    let packets = try #require(source.tracks.last).coded.packets
    #expect(packets.reduce(0) { $0 + $1.duration } == 4 * clip.rate)
    #expect(packets.count < 1000)
    let track = try #require(source.native?.movie.tracks.last)
    let each = try track.samples(.timesAndPlaces)
    let runs = try #require(track.runsOfSamples(most: 100))
    var next = 0
    for run in 0..<runs.count {
      #expect(runs.decodeTimes[run] == each.decodeTimes[next])
      var offset = try #require(runs.offset(run))
      for _ in 0..<runs.durations[run] {
        #expect(each.offset(next) == offset)
        offset += Int64(each.sizes[next])
        next += 1
      }
      #expect(offset == runs.offsets[run] + Int64(runs.sizes[run]))
    }
    #expect(next == each.count)
  }

  @Test(arguments: Clip.all, ["mov", "mkv"])
  func `when a part is cut then it has exactly its samples`(
    _ clip: Clip, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await clip.make(in: folder)
    let all = try await clip.samples(of: path)
    let size = 4 * clip.channels
    let opened = try Self.open(path)
    let container = try #require(OutputContainer(nameEnding: ending))
    for (from, to) in [(MediaTime(1001, 1000), MediaTime(2)), (MediaTime(1, 3), MediaTime(37, 11))]
    {
      let range = try #require(MediaTimeRange(from: from, to: to))
      let output = folder.path(of: "cut.\(ending)")
      _ = try opened.cut(
        CutRequest(range: range, verification: .full), to: Array(output.utf8), as: container,
        replaces: true)
      let made = try await clip.samples(of: output)
      // A sample at either end may straddle IN or OUT.
      let first = try Int(from.seconds.multiplied(by: Rational(clip.rate)).rounded(.nearest))
      let end = try Int(to.seconds.multiplied(by: Rational(clip.rate)).rounded(.nearest))
      let isThere = (first - 1...first + 1).contains { start in
        let stop = start + made.count / size
        return abs(stop - end) <= 1 && made[...] == all[start * size..<stop * size]
      }
      #expect(isThere, "\(made.count / size) samples of \(end - first)")
    }
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given only uncompressed audio` {
  /// Together the parts end 4 µs into a sample, less than a tick of the movie.
  @Test func `when joined parts end within a sample then it is written whole`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.wav")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=1:seed=3:a=0.3", "-c:a", "pcm_s16le",
      path,
    ])
    func range(_ from: Int64, _ to: Int64) throws -> MediaTimeRange {
      try #require(MediaTimeRange(from: MediaTime(from, 100_000), to: MediaTime(to, 100_000)))
    }
    var request = CutRequest(range: try range(19540, 19550), verification: .full)
    request.join(try range(19548, 19689))
    let output = Array(folder.path(of: "cut.mov").utf8)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    _ = try clip.cut(CutOrder(request, to: output))
    let cut = try FileCutter(isCancelled: { false }).open(.file(path: output))
    #expect(cut.facts.durations.presented?.length == MediaDuration(73, 48_000))
  }
}
