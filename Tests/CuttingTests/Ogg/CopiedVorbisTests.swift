import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: CutNoise.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Vorbis whose packets are copied into another container` {
  private static let starts = [1111, 2345, 3007] as [Int64]

  /// Players trim nothing from a packet of Vorbis: sound that began within one played early.
  @Test(arguments: ["mka", "ogg"], Sample.of(starts, 1))
  func `when that is MP4 then it begins with a whole packet at its time, and ends at OUT`(
    _ ending: String, _ start: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await CutNoise.make(["-c:a", "libvorbis"], as: "sound." + ending, in: folder)
    let output = folder.path(of: "cut.mp4")
    let from = MediaTime(start, 1000)
    let report = try CutNoise.cut(path, from, MediaTime(3700, 1000), into: output)
    let track = report.plan.tracks[0]
    #expect(track.reasons == [.beginsWithNextPacket])
    let begin = try #require(track.source?.start)
    let late = try begin.distance(from: from)
    #expect(late >= .zero && late < MediaDuration(1, 20))
    #expect(track.source?.end == MediaTime(3700, 1000))
    try await expectSameSound(path, output, from: begin)
  }

  /// The packet before primes it, moved to zero where it would begin earlier.
  @Test(
    arguments: ["mkv", "webm"],
    Sample.of(starts + [2001, 2005, 2009, 2013, 2017, 2021, 2025], 2))
  func `when that is Matroska then it begins with the first packet after IN`(
    _ ending: String, _ start: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip." + ending)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=5", "-f", "lavfi", "-i",
      "anoisesrc=r=48000:d=5:seed=3:a=0.4", "-c:v", "libvpx", "-g", "10", "-c:a", "libvorbis", path,
    ])
    let output = folder.path(of: "cut." + ending)
    let from = MediaTime(start, 1000)
    let report = try CutNoise.cut(path, from, MediaTime(4), into: output)
    let sound = try #require(report.plan.tracks.first { $0.kind == .audio })
    let begin = try #require(sound.source?.start)
    // A block is 1024 samples, and Matroska's tick a millisecond.
    let late = try begin.distance(from: from)
    #expect(late >= .zero && late <= MediaDuration(23, 1000), "\(late)")
    #expect(report.plan.parts[0].start == from)
    try await expectSameSound(path, output, from: begin)
    let times = try written(output).map(\.pts)
    #expect(times.first.map { $0 >= 0 } == true)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test(arguments: Sample.of([2001, 2005, 2009, 2013, 2017, 2021, 2025] as [Int64], 3))
  func `when that is Matroska without video then it begins with the packet nearest to IN`(
    _ start: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await CutNoise.make(["-c:a", "libvorbis"], as: "sound.ogg", in: folder)
    let output = folder.path(of: "cut.mka")
    let from = MediaTime(start, 1000)
    let report = try CutNoise.cut(path, from, MediaTime(3700, 1000), into: output)
    let begin = try #require(report.plan.tracks[0].source?.start)
    #expect(try begin.distance(from: from).checkedMagnitude() <= MediaDuration(513, 48_000))
    try await expectSameSound(path, output, from: begin)
    let times = try written(output).map(\.pts)
    #expect(times.first == 0)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  /// The written sound packets.
  private func written(_ path: String) throws -> ContiguousArray<CodedPacket> {
    let source = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).source
    let track = try #require(source.tracks.first { $0.facts.kind == .audio })
    return track.coded.packets
  }

  @Test(arguments: starts)
  func `when it goes from Matroska into Ogg then it begins where stated, and is as long`(
    _ start: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await CutNoise.make(["-c:a", "libvorbis"], as: "sound.mka", in: folder)
    let output = folder.path(of: "cut.ogg")
    let end = MediaTime(3700, 1000)
    let report = try CutNoise.cut(path, MediaTime(start, 1000), end, into: output)
    let source = try #require(report.plan.tracks[0].source)
    let count = try source.length.seconds.multiplied(by: Rational(48000)).rounded(.nearest)
    #expect(abs(try await CutNoise.samples(output).count - Int(count)) <= 48)
    try await expectSameSound(path, output, from: source.start)
  }

  /// The first samples of a cut are those of the source, within Matroska's rounding to a millisecond.
  private func expectSameSound(
    _ path: String, _ output: String, from begin: MediaTime
  ) async throws {
    let (source, written) = (try await CutNoise.samples(path), try await CutNoise.samples(output))
    let place = Int(try TickGrid(ticksPerSecond: 48000).tick(of: begin, rounding: .nearest))
    let head = Array(written.prefix(4000))
    let isSame = (-48...48).contains { Array(source[(place + $0)...].prefix(4000)) == head }
    #expect(isSame)
  }
}

@Suite(.enabled(if: CutNoise.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Vorbis in Ogg whose positions were rounded to milliseconds` {
  @Test(arguments: [1111, 1350, 2345] as [Int64])
  func `then it is cut into Ogg again`(_ start: Int64) async throws {
    let folder = try ScratchFolder()
    let path = try await CutNoise.make(["-c:a", "libvorbis"], as: "sound.mka", in: folder)
    let rounded = folder.path(of: "rounded.ogg")
    _ = try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-c", "copy", rounded])
    let output = folder.path(of: "cut.ogg")
    let report = try CutNoise.cut(
      rounded, MediaTime(start, 1000), MediaTime(3700, 1000), into: output)
    let source = try #require(report.plan.tracks[0].source)
    let count = try source.length.seconds.multiplied(by: Rational(48000)).rounded(.nearest)
    #expect(abs(try await CutNoise.samples(output).count - Int(count)) <= 48)
  }
}
