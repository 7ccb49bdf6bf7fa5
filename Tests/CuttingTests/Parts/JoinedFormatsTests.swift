import ExactTime
import MediaFacts
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given files of different formats that go into one` {
  private static let clips = Task { try await Clips() }

  /// Made once for all tests of the suite.
  struct Clips: Sendable {
    let folder: ScratchFolder

    init() async throws {
      folder = try ScratchFolder()
      let x264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", "10", "-bf", "2"]
      try await make("lead.mp4", "64x64", x264, length: "1")
      try await make("lead.mkv", "64x64", x264, length: "1")
      try await make("wide.mp4", "96x64", x264)
      try await make(
        "narrow.mp4", "64x64", x264 + ["-vf", "setsar=1/2"])
      try await make(
        "hevc.mkv", "64x64",
        ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"])
      try await make("master.mov", "64x64", ["-c:v", "prores_ks"])
      try await make("ten.mkv", "64x64", x264 + ["-pix_fmt", "yuv420p10le"])
      try await make("other.mp4", "64x64", x264 + ["-profile:v", "baseline"])
      try await make("mute.mp4", "96x64", x264 + ["-an", "-metadata", "title=another"])
      try await make(
        "pq.mp4", "64x64",
        x264 + ["-x264-params", "transfer=smpte2084:colorprim=bt2020:colormatrix=bt2020nc"])
      _ = try await EncodedClip.ffmpeg([
        "-v", "error", "-i", path("wide.mp4"), "-c", "copy", "-metadata:s:v", "rotate=90",
        path("turned.mp4"),
      ])
      _ = try await EncodedClip.ffmpeg(
        ["-v", "error"] + Self.noise("0.6") + ["-c:a", "aac", path("sound.m4a")])
    }

    func path(_ name: String) -> String { folder.path(of: name) }

    private static func noise(_ length: String) -> [String] {
      ["-f", "lavfi", "-i", "anoisesrc=r=48000:d=\(length):seed=1"]
    }

    private func make(
      _ name: String, _ size: String, _ words: [String], length: String = "0.6"
    ) async throws {
      _ = try await EncodedClip.ffmpeg(
        ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=\(length)"]
          + Self.noise(length) + ["-c:a", "aac", "-ac", "2"] + words + [path(name)])
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
      let whole = try MediaTimeRange(
        from: .zero, length: #require(file.facts.durations.presented?.length))
      if request == nil {
        request = CutRequest(range: whole, verification: .full)
      } else {
        request?.join(whole, of: number)
      }
    }
    return try #require(request)
  }

  private static func join(
    _ names: [String], into name: String, _ clips: Clips, in folder: ScratchFolder,
    _ change: (inout CutRequest) -> Void = { _ in }
  ) throws -> (report: CutReport, path: String) {
    let output = folder.path(of: name)
    var request = try request(names, clips)
    change(&request)
    return (try opened(names, clips).cut(CutOrder(request, to: Array(output.utf8))), output)
  }

  /// The luma of all pictures, after filters.
  private static func luma(of path: String, _ filters: String = "null") async throws -> [[UInt8]] {
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-vf",
      // Bars are drawn in the pictures' own format.
      filters + ",format=yuv420p,format=gray", "-f", "rawvideo", "-",
    ])
    let size = 64 * 64
    return stride(from: 0, to: run.out.count / size * size, by: size).map {
      Array(run.out[$0..<$0 + size])
    }
  }

  /// The mean difference of two pictures.
  private static func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
    Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(one.count)
  }

  /// When each picture is shown, in milliseconds from the first.
  private static func times(of path: String) throws -> [Int64] {
    let file = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let frames = try #require(file.frameStarts)
    return try (0..<(frames.count ?? 0)).map {
      try frames.start(ofFrame: $0).seconds.multiplied(by: Rational(1000)).rounded(.nearest)
    }
  }

  /// Those that differ, as ffmpeg fits them, and what is said of them.
  struct Misfit: Sendable, CustomTestStringConvertible {
    var name: String
    var filters = "null"
    var says: String
    var testDescription: String { name }

    static let all = [
      Misfit(
        name: "wide.mp4", filters: "scale=64:42,pad=64:64:0:10",
        says: "pictures are 96x64, not 64x64"),
      Misfit(
        name: "narrow.mp4", filters: "scale=32:64,pad=64:64:16:0",
        says: "pixels are 1/2, not 1 wide"),
      // ffmpeg turns it itself.
      Misfit(
        name: "turned.mp4", filters: "scale=42:64,pad=64:64:10:0",
        says: "pictures are 96x64, not 64x64"),
      Misfit(name: "hevc.mkv", says: "video is hevc, not h264"),
      Misfit(name: "ten.mkv", says: "pixel format is yuv420p10le, not yuv420p"),
    ]
  }

  @Test(arguments: Misfit.all, ["mp4", "mkv", "ts"])
  func `when pictures differ then they are fitted and keep their times, and the others stay`(
    _ misfit: Misfit, _ ending: String
  ) async throws {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    let (report, path) = try Self.join(
      ["lead.mp4", misfit.name], into: "all." + ending, clips, in: folder)
    let tracks = report.plan.parts.map { $0.tracks.first { $0.video != nil } }
    #expect(tracks[0]?.video?.encodedCount == 0)
    #expect(tracks[1]?.video?.reason == .otherFormat && tracks[1]?.video?.copiedCount == 0)
    #expect(tracks[1]?.difference == misfit.says)
    let found = try await Self.luma(of: path)
    let copied = try await Self.luma(of: clips.path("lead.mp4"))
    let fitted = try await Self.luma(of: clips.path(misfit.name), misfit.filters)
    #expect(found.count == copied.count + fitted.count && fitted.count == 15)
    #expect(Array(found.prefix(copied.count)) == copied)
    for (one, other) in zip(found.dropFirst(copied.count), fitted) {
      #expect(Self.difference(one, other) < 5)
    }
    let begin = try report.plan.parts[0].length.seconds.multiplied(by: Rational(1000))
      .rounded(.nearest)
    let wanted =
      (0..<25).map { Int64($0) * 40 }
      + (try Self.times(of: clips.path(misfit.name))).map { begin + $0 }
    for (one, other) in zip(try Self.times(of: path), wanted) { #expect(abs(one - other) <= 1) }
  }

  @Test
  func `when pictures that are converted are damaged then each is shown, and told as re-encoded`()
    async throws
  {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    var bytes = try fileBytes(clips.path("wide.mp4"))
    let media = try #require(bytes.firstRange(of: Array("mdat".utf8)))
    for place in media.upperBound + 2600..<media.upperBound + 2900 { bytes[place] = 0xFF }
    let damaged = try folder.write(bytes, to: "damaged.mp4")
    let file = try FileCutter(isCancelled: { false }).open([
      .file(path: Array(clips.path("lead.mp4").utf8)), .file(path: Array(damaged.utf8)),
    ])
    var request = CutRequest(range: try #require(MediaTimeRange(from: .zero, to: MediaTime(1))))
    request.join(try #require(MediaTimeRange(from: .zero, to: MediaTime(3, 5))), of: 1)
    let output = folder.path(of: "all.mp4")
    let report = try file.cut(CutOrder(request, to: Array(output.utf8)))
    let reported = report.damage.filter { $0.type == .video }
    #expect(!reported.isEmpty)
    #expect(reported.allSatisfy { $0.isReencoded && $0.sourceNumber == 1 })
    #expect(try Self.times(of: output) == (0..<40).map { Int64($0) * 40 })
  }

  @Test(arguments: ["mp4", "mkv", "ts"])
  func `when one has no pictures then it shows black at the leader's rate`(
    _ ending: String
  ) async throws {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    let (report, path) = try Self.join(
      ["sound.m4a", "lead.mp4"], into: "all." + ending, clips, in: folder)
    let cut = try #require(report.plan.parts[0].tracks.first { $0.video != nil }?.video)
    #expect(cut.reason == .noPictures && cut.encodedCount == 15)
    let found = try await Self.luma(of: path)
    #expect(found.count == 40)
    // 16 is black, of which full range makes 0.
    #expect(found.prefix(15).allSatisfy { $0.allSatisfy { $0 <= 17 } })
    #expect(Array(found.dropFirst(15)) == (try await Self.luma(of: clips.path("lead.mp4"))))
    #expect(try Self.times(of: path) == (0..<40).map { Int64($0) * 40 })
  }

  @Test(arguments: [["mute.mp4", "sound.m4a"], ["sound.m4a", "mute.mp4"]], ["mp4", "mkv", "ts"])
  func `when one has only pictures and the other only sound then both are kept`(
    _ names: [String], _ ending: String
  ) async throws {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    let (report, path) = try Self.join(names, into: "all." + ending, clips, in: folder)
    #expect(report.plan.tracks.map(\.kind) == [.video, .audio])
    #expect(report.plan.tracks.allSatisfy { $0.dropped == nil })
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    #expect(written.facts.tracks.map(\.kind) == [.video, .audio])
    #expect(try Self.times(of: path) == (0..<30).map { Int64($0) * 40 })
  }

  /// What is converted, how ffmpeg makes it, and what is said of it.
  struct Special: Sendable, CustomTestStringConvertible {
    var name: String
    var words: [String]
    var lost: TrackPlan.Reason?
    var order: String?
    var testDescription: String { name }

    static let all = [
      Special(
        name: "top.mov",
        words: [
          "-vf", "tinterlace=interleave_top,fieldorder=tff", "-c:v", "prores_ks", "-flags",
          "+ildct",
        ], order: "tt"),
      Special(
        name: "bottom.mov",
        words: [
          "-vf", "tinterlace=interleave_bottom,fieldorder=bff", "-c:v", "prores_ks", "-flags",
          "+ildct",
        ], order: "bb"),
      Special(
        name: "clear.mkv", words: ["-pix_fmt", "yuva420p", "-c:v", "ffv1"], lost: .alphaNotWritten),
      Special(
        name: "plain.mov", words: ["-pix_fmt", "rgb24", "-c:v", "qtrle"]),
      // Only the pictures of these say whether there is an alpha channel.
      Special(
        name: "animation.mov", words: ["-pix_fmt", "argb", "-c:v", "qtrle"],
        lost: .alphaNotWritten),
      Special(
        name: "clear-raw.mov", words: ["-pix_fmt", "argb", "-c:v", "rawvideo"],
        lost: .alphaNotWritten),
      Special(name: "palette.avi", words: ["-pix_fmt", "pal8", "-c:v", "rawvideo"]),
      Special(
        name: "clear-cineform.mov", words: ["-pix_fmt", "gbrap12le", "-c:v", "cfhd"],
        lost: .alphaNotWritten),
      Special(name: "plain-cineform.mov", words: ["-pix_fmt", "yuv422p10le", "-c:v", "cfhd"]),
    ]
  }

  @Test(arguments: Special.all)
  func `when pictures become H.264 then fields stay, and what is lost is said`(
    _ special: Special
  ) async throws {
    let folder = try ScratchFolder()
    let clip = folder.path(of: special.name)
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4"] + special.words + [clip])
    let file = try FileCutter(isCancelled: { false }).open([
      .file(path: Array(clip.utf8)), .file(path: Array(clip.utf8)),
    ])
    let whole = try MediaTimeRange(
      from: .zero, length: #require(file.facts.durations.presented?.length))
    var request = CutRequest(range: whole)
    request.join(whole, of: 1)
    // A container that holds none of these codecs.
    let output = folder.path(of: "out.ts")
    let report = try file.cut(CutOrder(request, to: Array(output.utf8)))
    let reasons = Set(report.plan.tracks[0].reasons)
    #expect(reasons.contains(.alphaNotWritten) == (special.lost == .alphaNotWritten))
    #expect(!reasons.contains(.fieldOrderNotWritten))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let order = written.facts.tracks.first?.video?.fieldOrder
    #expect(order.flatMap { ["tt", "bb"].contains($0) ? $0 : nil } == special.order)
  }

  @Test func `when rates differ in Matroska then each picture states how long it lasts`()
    async throws
  {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    let (fast, output) = (folder.path(of: "fast.mkv"), folder.path(of: "out.mkv"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=30:d=0.4", "-c:v", "libx264", "-bf",
      "2", fast,
    ])
    let file = try FileCutter(isCancelled: { false }).open(
      [clips.path("lead.mkv"), fast].map { .file(path: Array($0.utf8)) })
    let whole = { (seconds: Rational) in
      try #require(MediaTimeRange(from: .zero, to: MediaTime(seconds: seconds)))
    }
    var request = CutRequest(range: try whole(.one))
    request.join(try whole(Rational(2, 5)), of: 1)
    request.tracks = TrackChoice(kinds: [.video])
    _ = try file.cut(CutOrder(request, to: Array(output.utf8)))
    let rows = try await ProgramRun(
      [
        "ffprobe", "-v", "error", "-show_entries", "packet=pts,duration", "-of", "csv=p=0", output,
      ].map { Array($0.utf8) }, limit: .seconds(60)
    ).outText.split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }
    let frames = rows.sorted { $0[0] < $1[0] }
    #expect(frames.count == 37)
    for (frame, next) in zip(frames, frames.dropFirst()) {
      #expect(frame[0] + frame[1] == next[0], "\(frame)")
    }
    // DefaultDuration (RFC 9559, 5.1.4.1.13) is that of most.
    let stated: [UInt8] = [0x23, 0xE3, 0x83, 0x84, 0x02, 0x62, 0x5A, 0x00]
    #expect(try fileBytes(output).firstRange(of: stated) != nil)
  }

  @Test func `when pictures become MPEG-2 then two keyframes come in a second`() async throws {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    let (leader, output) = (folder.path(of: "leader.ts"), folder.path(of: "out.ts"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=1.2", "-c:v", "mpeg2video",
      leader,
    ])
    let file = try FileCutter(isCancelled: { false }).open(
      [leader, clips.path("lead.mp4")].map { .file(path: Array($0.utf8)) })
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: .zero, to: MediaTime(Int64(6), 5))))
    request.join(try #require(MediaTimeRange(from: .zero, to: MediaTime(Int64(1), 1))), of: 1)
    request.like = 0
    let report = try file.cut(CutOrder(request, to: Array(output.utf8)))
    #expect(report.plan.tracks[0].encoded == 25)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let packets = written.source.tracks[0].coded.packets.suffix(25)
    #expect(
      packets.indices.filter { packets[$0].isKey }.map { $0 - packets.startIndex } == [0, 13])
  }

  @Test func `when a pixel format has a second or a fourth component then that is its alpha`()
    async throws
  {
    let lines = try await EncodedClip.ffmpeg(["-v", "error", "-pix_fmts"]).outText
      .split(separator: "\n")
    // Flags, name, number of components.
    let formats = lines.map { $0.split(separator: " ") }.filter {
      $0.count > 3 && Int($0[2]) != nil
    }
    try #require(formats.count > 100)
    for format in formats {
      let name = String(format[1])
      let isAlpha = format[2] == "2" || format[2] == "4"
      #expect(RefitLoss.hasAlpha(name) == isAlpha, "\(name)")
    }
  }

  @Test
  func `when fields or a mastering display are not the leader's then that is said`() async throws {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    let names = ["hdr.mkv", "fields.mov"]
    let words = [
      [
        "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=900,300:"
          + "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)",
      ],
      ["-vf", "tinterlace=interleave_top,fieldorder=tff", "-c:v", "prores_ks", "-flags", "+ildct"],
    ]
    let leaders = ["pq.mp4", "lead.mp4"]
    let lost: [TrackPlan.Reason] = [.hdrMetadataNotWritten, .fieldOrderNotWritten]
    for number in names.indices {
      let clip = folder.path(of: names[number])
      _ = try await EncodedClip.ffmpeg(
        ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4"] + words[number]
          + [clip])
      let file = try FileCutter(isCancelled: { false }).open([
        .file(path: Array(clips.path(leaders[number]).utf8)), .file(path: Array(clip.utf8)),
      ])
      let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(2, 5)))
      var request = CutRequest(range: range)
      request.join(range, of: 1)
      request.like = 0
      #expect(
        Set(try file.plan(request, for: .mp4).tracks[0].reasons).intersection(lost)
          == [lost[number]])
    }
  }

  @Test
  func `when formats differ then the longest in total leads, or the one that is asked for`()
    async throws
  {
    let clips = try await Self.clips.value
    func encoded(_ names: [String], like: Int? = nil) throws -> [Int] {
      var request = try Self.request(names, clips)
      request.like = like
      return try Self.opened(names, clips).plan(request, for: .mp4).parts.map { part in
        part.tracks.first { $0.video != nil }?.video?.encodedCount ?? -1
      }
    }
    #expect(try encoded(["wide.mp4", "lead.mp4"]) == [15, 0])
    #expect(try encoded(["wide.mp4", "lead.mp4", "wide.mp4"]) == [0, 25, 0])
    #expect(try encoded(["wide.mp4", "lead.mp4"], like: 0) == [0, 25])
    #expect(try encoded(["wide.mp4", "narrow.mp4"]) == [0, 15])
  }

  @Test
  func `when nothing is to be re-encoded then what differs is refused by name`() async throws {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    for (name, says) in [
      ("wide.mp4", "its pictures are 96x64, not 64x64"), ("sound.m4a", "its pictures are missing"),
    ] {
      let error = try #require(throws: MediaError.self) {
        _ = try Self.join(["lead.mp4", name], into: "all.mp4", clips, in: folder) {
          $0.joinMode = .copy
        }
      }
      #expect(error.code == .notCuttable && error.source == 1)
      #expect(error.message.contains(says), "\(error.message)")
      #expect((try? fileBytes(folder.path(of: "all.mp4"))) == nil)
    }
  }

  @Test
  func `when one is HDR and the other is not then it is refused, whichever leads`() async throws {
    let clips = try await Self.clips.value
    let names = ["lead.mp4", "pq.mp4"]
    for (like, refused) in [(nil, 1), (0, 1), (1, 0)] as [(Int?, Int)] {
      var request = try Self.request(names, clips)
      request.like = like
      let error = try #require(throws: MediaError.self) {
        _ = try Self.opened(names, clips).plan(request, for: .mp4)
      }
      #expect(error.source == refused && error.message.contains("no tone mapping"))
    }
  }

  @Test
  func `when one leads whose codec has no encoder then it is named, and copies of it join`()
    async throws
  {
    let clips = try await Self.clips.value
    for (names, leading) in [(["master.mov", "lead.mp4"], 0), (["lead.mp4", "master.mov"], 1)] {
      var request = try Self.request(names, clips)
      request.like = leading
      let error = try #require(throws: MediaError.self) {
        _ = try Self.opened(names, clips).plan(request, for: .mov)
      }
      #expect(error.code == .codecMissing && error.source == leading)
      #expect(error.message.contains("prores") && error.hint?.contains("another") == true)
    }
    let names = ["master.mov", "master.mov"]
    let plan = try Self.opened(names, clips).plan(Self.request(names, clips), for: .mov)
    #expect(plan.encodedFrames == 0)
  }

  @Test
  func `when QuickTime cannot hold the parameter sets of both then the plan says so`() async throws
  {
    let (clips, folder) = (try await Self.clips.value, try ScratchFolder())
    let names = ["lead.mp4", "other.mp4"]
    let plan = try Self.opened(names, clips).plan(Self.request(names, clips), for: .mov)
    let (report, path) = try Self.join(names, into: "all.mov", clips, in: folder)
    #expect(report.plan.encodedFrames == 15 && plan.encodedFrames == 15)
    #expect(
      plan.parts[1].tracks.first { $0.video != nil }?.difference?.contains("parameter sets") == true
    )
    #expect(try await Self.luma(of: path).count == 40)
  }

  @Test
  func `when one has no sound then the silence is counted, and lost tags are listed`() async throws
  {
    let clips = try await Self.clips.value
    let names = ["lead.mp4", "mute.mp4"]
    let plan = try Self.opened(names, clips).plan(Self.request(names, clips), for: .mp4)
    let track = try #require(plan.tracks.first { $0.kind == .audio })
    #expect(track.reasons.contains(.silenceInserted))
    // 1.6 s of 1024 samples each.
    #expect((75...78).contains(track.packets) && track.encoded == track.packets)
    let left = try #require(plan.leftOut?.first { $0.type == "tags" })
    #expect(left.place.contains("mute.mp4") && left.count == 1)
  }
}
