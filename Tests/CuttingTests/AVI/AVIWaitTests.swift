import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// AVI has no times: a picture of H.264 is shown later by as many slots as its decoder delays pictures.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given an AVI with H.264 whose decoder waits for reordered pictures` {
  /// x264's B picture options, and the resulting decoder delay in slots.
  enum Order: String, CaseIterable {
    case none = "bframes=0"
    case plain = "bframes=2:b-pyramid=none"
    case pyramid = "bframes=3:b-pyramid=normal"

    var wait: Int64 {
      switch self {
      case .none: 0
      case .plain: 1
      case .pyramid: 2
      }
    }
  }

  private static func clip(
    _ order: Order, _ sound: String, in folder: ScratchFolder
  ) async throws -> String {
    let path = folder.path(of: "clip.avi")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-f", "lavfi",
      "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:v", "libx264", "-x264-params",
      "keyint=25:scenecut=0:b-adapt=0:" + order.rawValue, "-c:a", sound, path,
    ])
    return path
  }

  private static func samples(_ path: String) async throws -> [Int16] {
    HeardAudio.samples(
      try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-"])
        .out)
  }

  /// When FFmpeg shows pictures, in seconds, and which are keyframes; without the last, which are
  /// flushed at the end.
  private static func pictures(_ path: String) async throws -> [(isKey: Bool, time: Double)] {
    let run = try await ProgramRun(
      [
        "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries",
        "frame=key_frame,best_effort_timestamp_time", "-of", "csv=p=0", path,
      ].map { Array($0.utf8) }, limit: .seconds(60))
    return run.outText.split(separator: "\n").compactMap { line in
      let columns = line.split(separator: ",")
      guard columns.count > 1, let time = Double(columns[1]) else { return nil }
      return (columns[0] == "1", time)
    }
  }

  private static let cases = Order.allCases.flatMap { order in
    [CutMode.smart, .copy, .reencode].map { (order, $0) }
  }

  @Test(arguments: Sample.of(cases, 3))
  func `when it is cut then FFmpeg plays each picture with the same audio as before`(
    _ order: Order, _ mode: CutMode
  ) async throws {
    for sound in ["pcm_s16le", "libmp3lame"] {
      let folder = try ScratchFolder()
      let path = try await Self.clip(order, sound, in: folder)
      let output = folder.path(of: "cut.avi")
      // A copy begins with a keyframe.
      let keys = try await Self.pictures(path).filter { $0.isKey && $0.time <= 1.28 }
      let first = mode == .copy ? try #require(keys.last).time : 1.28
      let range = try #require(MediaTimeRange(from: MediaTime(32, 25), to: MediaTime(16, 5)))
      let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
        CutOrder(
          CutRequest(range: range, mode: mode, verification: .full), to: Array(output.utf8)))
      let shown = try #require(try await Self.pictures(output).first).time
      #expect(shown == Double(order.wait) / 25)
      let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
      #expect(
        facts.tracks.first?.durations.presented?.start == MediaTime(order.wait, 25))
      let offset = report.plan.tracks.first { $0.kind == .audio }?.offset ?? .zero
      let (source, cut) = (try await Self.samples(path), try await Self.samples(output))
      let place = 36_000
      let expected = place + Int((48_000 * (first - shown)).rounded())
      let lag = HeardAudio.lag(
        of: cut[place..<place + 4800], in: source, near: expected, atMost: 4000)
      #expect(abs(Double(lag) + 48_000 * offset.seconds.approximation) < 48, "\(sound)")
      // Half a packet of MP3.
      #expect(abs(lag) <= (sound == "pcm_s16le" ? 1 : 600), "\(sound)")
    }
  }

  /// A file in which no frames are stored for a while, as screen recorders write them.
  private static func pausing(
    _ video: [String], in folder: ScratchFolder, as name: String
  ) async throws -> String {
    let path = folder.path(of: name)
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=5", "-vf",
        "select='not(between(n,40,50)+between(n,80,83))'", "-fps_mode", "vfr", "-g", "25",
      ] + video + [path])
    return path
  }

  private static let codecs = [
    (["-c:v", "libx264", "-bf", "2", "-x264-params", "scenecut=0"], "clip.avi"),
    (["-c:v", "mpeg4", "-bf", "2"], "clip.avi"), (["-c:v", "mpeg4", "-bf", "2"], "clip.mp4"),
    (["-c:v", "mpeg4", "-bf", "2"], "clip.mkv"),
  ]

  @Test(arguments: 0..<4, [CutMode.smart, .reencode])
  func `when frames pause then FFmpeg shows each as long as in the source`(
    _ number: Int, _ mode: CutMode
  ) async throws {
    let folder = try ScratchFolder()
    let (video, name) = Self.codecs[number]
    let path = try await Self.pausing(video, in: folder, as: name)
    let source = try await Self.pictures(path).map(\.time)
    // The first frame of the range is one that lasts longer than the others.
    for start in [MediaTime(6, 5), MediaTime(40, 25)] {
      let output = folder.path(of: "cut\(start.seconds.numerator).avi")
      let range = try #require(MediaTimeRange(from: start, to: MediaTime(4)))
      let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
        CutOrder(
          CutRequest(range: range, mode: mode, verification: .full), to: Array(output.utf8)))
      let cut = try await Self.pictures(output).map(\.time)
      let frames = try #require(report.plan.tracks.first?.packets)
      #expect(frames - 2...frames ~= cut.count)
      func steps(_ times: some Sequence<Double>) -> [Int] {
        zip(times, times.dropFirst()).map { Int((1000 * ($1 - $0)).rounded()) }
      }
      let all = steps(source)
      let found = steps(cut)
      #expect(found.contains { $0 > 160 })
      #expect(all.indices.contains { all.dropFirst($0).starts(with: found) })
    }
  }

  @Test func `when a pause is among the last frames then the cut is refused`() async throws {
    let folder = try ScratchFolder()
    let (video, name) = Self.codecs[0]
    let path = try await Self.pausing(video, in: folder, as: name)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let times = try await Self.pictures(path).map { Int((1000 * $0.time).rounded()) }
    let pause = try #require(zip(times, times.dropFirst()).first { $1 - $0 > 160 })
    let end = MediaTime(Int64(pause.1 - times[0] + 20), 1000)
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: end))
    let error = #expect(throws: MediaError.self) {
      _ = try clip.cut(CutOrder(CutRequest(range: range), to: Array(folder.path(of: "a.avi").utf8)))
    }
    #expect(error?.code == .notCuttable)
    _ = try clip.cut(CutOrder(CutRequest(range: range), to: Array(folder.path(of: "a.mkv").utf8)))
  }

  @Test func `when parts are joined then only the first begins before its pictures`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(.pyramid, "pcm_s16le", in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    var request = CutRequest(
      range: try MediaTimeRange(from: MediaTime(1), length: MediaDuration(1)))
    request.join(try MediaTimeRange(from: MediaTime(3), length: MediaDuration(1, 2)))
    let plan = try clip.plan(request, for: .avi)
    #expect(plan.parts.map(\.start) == [MediaTime(23, 25), MediaTime(3)])
  }
}
