import ExactTime
import MediaFacts
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given several files that go into one` {
  private static let clips = Task { try await Clips() }

  /// Made once for all tests of the suite.
  struct Clips: Sendable {
    let folder: ScratchFolder

    init() async throws {
      folder = try ScratchFolder()
      let x264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", "10"]
      let x265 = ["-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1"]
      let aac = ["-c:a", "aac", "-ac", "2"]
      try await make("closed.mp4", x264 + ["-bf", "2"] + aac, seed: 1)
      try await make("closed2.mp4", x264 + ["-bf", "2"] + aac, seed: 2)
      try await make("base.mp4", x264 + ["-profile:v", "baseline"] + aac, seed: 3)
      try await make("open.mkv", x264 + ["-bf", "2", "-x264-params", "open-gop=1"] + aac, seed: 4)
      try await make(
        "hevc.mp4", x265 + ["-x265-params", "log-level=none:keyint=10"] + aac, seed: 5)
      try await make(
        "hevc2.mp4", x265 + ["-x265-params", "log-level=none:keyint=8:bframes=2:ref=2"] + aac,
        seed: 6)
      try await make("transport.ts", x264 + ["-bf", "2"] + aac, seed: 7)
      try await make("mute.mp4", x264 + ["-bf", "2"], seed: nil)
      try await make(
        "mono.mkv", x264 + ["-c:a", "libmp3lame", "-ac", "1", "-ar", "44100"], seed: 8)
      try await make("wide.mp4", x264 + ["-s", "96x64"] + aac, seed: 9)
      try await make("plain.mov", x264 + ["-c:a", "pcm_s16le", "-ac", "2"], seed: 11)
      _ = try await EncodedClip.ffmpeg([
        "-v", "error", "-i", path("closed2.mp4"), "-c", "copy", "-bsf:a",
        "noise=amount='2*between(n\\,25\\,29)'", path("noisy.mp4"),
      ])
      try await make(
        "whole.mkv", x264 + ["-bf", "2", "-c:a", "mp2", "-ac", "2"], seed: 10, length: "3")
      _ = try await EncodedClip.ffmpeg([
        "-v", "error", "-i", path("whole.mkv"), "-c", "copy", "-f", "segment", "-segment_time", "1",
        "-reset_timestamps", "1", path("piece%d.mkv"),
      ])
    }

    func path(_ name: String) -> String { folder.path(of: name) }

    private func make(
      _ name: String, _ words: [String], seed: Int?, length: String = "1.2"
    ) async throws {
      let sound =
        seed.map { ["-f", "lavfi", "-i", "anoisesrc=r=48000:d=\(length):seed=\($0)"] } ?? []
      // Each clip shows other pictures.
      let start = Double(seed ?? 0) / 10
      _ = try await EncodedClip.ffmpeg(
        [
          "-v", "error", "-f", "lavfi", "-i",
          "testsrc2=s=64x64:r=25:d=\(length),hue=h=\(Int(start * 300))",
        ] + sound + words + [path(name)])
    }
  }

  /// The checksum and the time of each picture, in 1/90000 s from the first presented sample of the file.
  private static func pictures(of path: String) async throws -> [(print: Substring, time: Int64)] {
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-copyts", "-i", path, "-map", "0:v", "-fps_mode", "passthrough",
      "-enc_time_base", "1:90000", "-f", "framemd5", "-",
    ])
    let file = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let zero = try (file.facts.durations.presented?.start ?? .zero).seconds
      .multiplied(by: Rational(90_000)).rounded(.nearest)
    return run.outText.split(separator: "\n").filter { $0.first != "#" }.compactMap { line in
      let fields = line.split(separator: ",").map { $0.drop { $0 == " " } }
      guard fields.count == 6, let time = Int64(fields[2]) else { return nil }
      return (fields[5], time - zero)
    }
  }

  private static func opened(_ names: [String], _ clips: Clips) throws -> OpenedFile {
    try FileCutter(isCancelled: { false }).open(
      names.map { .file(path: Array(clips.path($0).utf8)) })
  }

  /// All of each file.
  private static func request(_ names: [String], _ clips: Clips) throws -> CutRequest {
    var request: CutRequest?
    for (number, name) in names.enumerated() {
      let file = try FileCutter(isCancelled: { false }).open(
        .file(path: Array(clips.path(name).utf8)))
      let length = try #require(file.facts.durations.presented?.length)
      let whole = try MediaTimeRange(from: .zero, length: length)
      if request == nil {
        request = CutRequest(range: whole)
      } else {
        request?.join(whole, of: number)
      }
    }
    return try #require(request)
  }

  private static func join(
    _ names: [String], into name: String, _ clips: Clips, in folder: ScratchFolder
  ) throws -> (report: CutReport, path: String) {
    let output = folder.path(of: name)
    var order = CutOrder(try request(names, clips), to: Array(output.utf8))
    order.request.verification = .full
    return (try opened(names, clips).cut(order), output)
  }

  @Test(
    arguments: [
      ["closed.mp4", "closed2.mp4", "closed.mp4"], ["closed.mp4", "base.mp4"],
      ["base.mp4", "open.mkv"], ["open.mkv", "closed.mp4"], ["hevc.mp4", "hevc2.mp4"],
      ["transport.ts", "closed.mp4"], ["closed.mp4", "transport.ts"],
    ], ["mp4", "mkv", "ts"])
  func `when they are coded alike then every picture is copied and shown by the map`(
    _ names: [String], _ ending: String
  ) async throws {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    let (report, path) = try Self.join(names, into: "all." + ending, clips, in: folder)
    #expect(report.plan.encodedFrames == 0)
    var wanted: [(print: Substring, time: Int64)] = []
    var begin = MediaDuration.zero
    for (name, part) in zip(names, report.plan.parts) {
      let ticks = try begin.seconds.multiplied(by: Rational(90_000)).rounded(.nearest)
      wanted += try await Self.pictures(of: clips.path(name)).map { ($0.print, $0.time + ticks) }
      begin = try begin.adding(part.length)
    }
    let found = try await Self.pictures(of: path)
    #expect(found.map(\.print) == wanted.map(\.print))
    // Matroska counts milliseconds, and so may the source.
    let most: Int64 = ending == "mkv" || names.contains("open.mkv") ? 90 : 2
    for (one, other) in zip(found, wanted) { #expect(abs(one.time - other.time) <= most) }
  }

  @Test(arguments: [
    ["closed.mp4", "closed2.mp4"], ["closed.mp4", "mono.mkv"], ["mono.mkv", "closed.mp4"],
    ["closed.mp4", "mute.mp4", "closed2.mp4"], ["mute.mp4", "closed.mp4"],
    ["mono.mkv", "mute.mp4", "closed.mp4"], ["closed.mp4", "mute.mp4", "mono.mkv"],
  ])
  func `when their sound differs then it is one stream and in place behind every seam`(
    _ names: [String]
  ) async throws {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    let (report, path) = try Self.join(names, into: "all.mp4", clips, in: folder)
    let track = try #require(report.plan.tracks.first { $0.kind == .audio })
    #expect(track.reasons.contains(.exactAtTheSeams))
    #expect(report.damage.isEmpty)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let sound = try #require(written.source.tracks.first { $0.facts.kind == .audio })
    #expect(track.packets == sound.coded.packets.count && track.encoded == track.packets)
    let after = try await Self.sound(of: path)
    var begin = MediaDuration.zero
    for (name, part) in zip(names, report.plan.parts) {
      let seam = Int(try begin.seconds.multiplied(by: Rational(48_000)).rounded(.nearest))
      begin = try begin.adding(part.length)
      guard name != "mute.mp4" else {
        let silent = after[(seam + 4800)..<(seam + 19_200)]
        #expect(silent.allSatisfy { abs(Int($0)) < 200 })
        continue
      }
      let before = try await Self.sound(of: clips.path(name))
      for place in [9600, 43_200] {
        let stretch = after[(seam + place)..<(seam + place + 2400)]
        let lag = HeardAudio.lag(of: stretch, in: before, near: place, atMost: 480)
        #expect(abs(lag) <= 48, "\(name), \(place)")
      }
    }
  }

  @Test(arguments: [
    ["plain.mov", "mono.mkv"], ["mono.mkv", "plain.mov"], ["plain.mov", "mute.mp4", "plain.mov"],
  ])
  func `when only some have uncompressed sound then it is one stream with that of the others`(
    _ names: [String]
  ) async throws {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    let (report, path) = try Self.join(names, into: "all.mkv", clips, in: folder)
    let track = try #require(report.plan.tracks.first { $0.kind == .audio })
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let sound = written.source.tracks.filter { $0.facts.kind == .audio }
    #expect(sound.map(\.coded.packets.count) == [track.packets])
    #expect(track.encoded == track.packets && report.damage.isEmpty)
  }

  @Test(arguments: ["mono.mkv", "mute.mp4"])
  func `when sound that is re-encoded is damaged then its file and the time within it are told`(
    _ first: String
  ) async throws {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    let names = [first, "noisy.mp4"]
    let (report, _) = try Self.join(names, into: "all.mp4", clips, in: folder)
    #expect(!report.damage.isEmpty)
    for damage in report.damage {
      #expect(damage.type == .audio && damage.sourceNumber == 1)
      // Packets 25 to 29 of 1024 samples, the first of which is hidden.
      #expect(damage.source.start >= MediaTime(1, 2) && damage.source.end <= MediaTime(7, 10))
    }
    var order = CutOrder(
      try Self.request(names, clips), to: Array(folder.path(of: "none.mp4").utf8))
    order.request.rejectsDamage = true
    let error = try #require(throws: MediaError.self) {
      _ = try Self.opened(names, clips).cut(order)
    }
    #expect(error.source == 1)
  }

  private static func sound(of path: String) async throws -> [Int16] {
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-map", "0:a:0", "-af", "aresample=async=1:first_pts=0", "-ac",
      "1", "-ar", "48000", "-f", "s16le", "-",
    ])
    return HeardAudio.samples(run.out)
  }

  @Test(arguments: ["mp4", "mkv", "ts"])
  func `when they are pieces of one recording then its sound is copied without a gap`(
    _ ending: String
  ) async throws {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    let names = ["piece0.mkv", "piece1.mkv", "piece2.mkv"]
    let (report, path) = try Self.join(names, into: "all." + ending, clips, in: folder)
    let track = try #require(report.plan.tracks.first { $0.kind == .audio })
    #expect(track.encoded == 0)
    // In a transport stream packets are delimited anew.
    let coding = ending == "ts" ? ["-f", "md5"] : ["-c", "copy", "-f", "framemd5"]
    let packets = { (path: String) async throws -> [Substring] in
      let run = try await EncodedClip.ffmpeg(
        ["-v", "error", "-i", path, "-map", "0:a"] + coding + ["-"])
      return run.outText.split(separator: "\n").filter { $0.first != "#" }
        .compactMap { $0.split(separator: ",").last }
    }
    #expect(try await packets(path) == packets(clips.path("whole.mkv")))
    let found = try await Self.pictures(of: path)
    let whole = try await Self.pictures(of: clips.path("whole.mkv"))
    #expect(found.map(\.print) == whole.map(\.print))
    for (one, other) in zip(found, whole) {
      #expect(abs(one.time - found[0].time - other.time + whole[0].time) <= 180)
    }
  }

  @Test
  func `when parts are asked for then only their edges are encoded`() async throws {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    let names = ["closed.mp4", "closed2.mp4"]
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(2, 25), to: MediaTime(1))))
    request.join(try #require(MediaTimeRange(from: .zero, to: MediaTime(23, 25))), of: 1)
    let output = folder.path(of: "parts.mp4")
    let report = try Self.opened(names, clips).cut(
      request, to: Array(output.utf8), as: .mp4)
    #expect(report.plan.frames == 46)
    #expect((1..<15).contains(report.plan.encodedFrames))
    #expect(try await Self.pictures(of: output).map(\.time) == (0..<46).map { Int64($0 * 3600) })
  }

  @Test
  func `when each becomes a chapter then the chapters begin at the seams`() async throws {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    let names = ["closed.mp4", "closed2.mp4"]
    for ending in ["mp4", "mkv"] {
      var request = try Self.request(names, clips)
      request.entitle(["one", "two"])
      let output = folder.path(of: "chapters." + ending)
      let container = try #require(OutputContainer(nameEnding: ending))
      let report = try Self.opened(names, clips).cut(
        request, to: Array(output.utf8), as: container)
      let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
      #expect(written.facts.chapters.map(\.title) == ["one", "two"])
      let second = try #require(written.facts.chapters.last)
      let seam = report.plan.parts[0].length.seconds
      let off = try second.start.seconds.subtracting(seam)
      #expect(abs(try off.multiplied(by: Rational(1000)).rounded(.nearest)) <= 1)
    }
  }

  @Test
  func `when the output is one of them then it is refused and stays as it is`() async throws {
    let clips = try await Self.clips.value
    let names = ["closed.mp4", "closed2.mp4"]
    let path = clips.path("closed2.mp4")
    let before = try fileBytes(path)
    let error = try #require(throws: MediaError.self) {
      var order = CutOrder(try Self.request(names, clips), to: Array(path.utf8), replaces: true)
      order.request.verification = .written
      _ = try Self.opened(names, clips).cut(order)
    }
    #expect(error.concernsOutput)
    #expect(try fileBytes(path) == before)
  }
}
