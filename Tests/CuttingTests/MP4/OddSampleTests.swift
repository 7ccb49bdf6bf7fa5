import ExactTime
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

/// Sample tables that are legal but rare.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a file with unusual samples` {
  private typealias Cuts = `Given a file made by an encoder`

  private static func check(
    _ path: String, _ source: [ArraySlice<UInt8>], _ places: [Int], in folder: ScratchFolder,
    endings: [String] = ["mp4", "mkv", "ts"], _ mode: CutMode = .smart,
    late: MediaDuration = .zero
  ) async throws {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    for ending in endings {
      let output = folder.path(of: "cut." + ending)
      let container = try #require(OutputContainer(nameEnding: ending))
      let whole = try Cuts.range(17..<50)
      let range = try #require(MediaTimeRange(from: whole.start.advanced(by: late), to: whole.end))
      let request = CutRequest(range: range, mode: mode)
      let report = try clip.cut(request, to: Array(output.utf8), as: container, replaces: true)
      #expect(report.plan.frames == places.count, "\(ending)")
      let (pictures, log) = try await EncodedClip.pictures(output)
      // Writing raw pictures, FFmpeg reports two with the same timestamp as an error.
      let complaints = log.split(separator: "\n").filter { !$0.contains("[rawvideo") }
      #expect(complaints.isEmpty, "\(ending): \(log)")
      #expect(pictures.count == places.count, "\(ending)")
      for (picture, place) in zip(pictures, places) {
        #expect(Cuts.error(picture, source[place]) < Cuts.tolerated, "\(ending): frame \(place)")
      }
    }
  }

  @Test(arguments: ["H.264, closed groups", "HEVC, open groups"])
  func `when NAL unit lengths have two bytes then cuts are right in every container`(
    _ name: String
  ) async throws {
    let folder = try ScratchFolder()
    let made = try await EncodedClip.named(name).make(in: folder)
    let (source, _) = try await EncodedClip.pictures(made)
    let path = folder.path(of: "short.mp4")
    try #require(try SampleRewriting.shortenLengths(made, to: path, size: 2))
    for mode in [CutMode.smart, .reencode] {
      try await Self.check(path, source, Array(17..<50), in: folder, mode)
    }
  }

  @Test func `when NAL unit lengths have one byte then cuts are right`() async throws {
    let folder = try ScratchFolder()
    // Gray, so that no unit exceeds 255 bytes.
    var clip = EncodedClip.named("H.264, Baseline")
    clip.words += ["-vf", "drawbox=color=gray:t=fill", "-bsf:v", "filter_units=remove_types=6"]
    let made = try await clip.make(in: folder)
    let (source, _) = try await EncodedClip.pictures(made)
    let path = folder.path(of: "short.mp4")
    try #require(try SampleRewriting.shortenLengths(made, to: path, size: 1))
    try await Self.check(path, source, Array(17..<50), in: folder)
  }

  @Test func `when two frames have the same PTS then both are kept`() async throws {
    let folder = try ScratchFolder()
    let made = try await EncodedClip.named("H.264, closed groups").make(in: folder)
    let (source, _) = try await EncodedClip.pictures(made)
    let path = folder.path(of: "twice.mp4")
    // The last frame of a GOP gets the time of the next keyframe.
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", made, "-c", "copy", "-bsf:v",
      "setts=pts=if(eq(mod(round(PTS*TB*25)\\,24)\\,23)\\,PTS+round(1/25/TB)\\,PTS)", path,
    ])
    for mode in [CutMode.smart, .reencode] {
      try await Self.check(path, source, Array(17..<50), in: folder, mode)
    }
    // IN is between two ticks: rounding would give both the same DTS.
    for late in [MediaDuration(1, 360_000), MediaDuration(1, 49), MediaDuration(2, 77)] {
      try await Self.check(
        path, source, Array(17..<50), in: folder, endings: ["ts", "mkv", "flv"], late: late)
    }
  }

  @Test func `when the last sample has no duration then a cut before it is right`()
    async throws
  {
    let folder = try ScratchFolder()
    let made = try await EncodedClip.named("H.264, Baseline").make(in: folder)
    let (source, _) = try await EncodedClip.pictures(made)
    let later = folder.path(of: "later.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", made, "-c", "copy", "-bsf:v",
      "setts=ts=if(eq(N\\,99)\\,TS+round(1/TB)\\,TS)", later,
    ])
    let path = folder.path(of: "zero.mp4")
    try SampleRewriting.rewrite(
      later, to: path,
      patching: { bytes in
        let times = try #require(SampleRewriting.find("stts", in: bytes))
        let last = times + 8 * (1 + SampleRewriting.get(bytes, at: times + 12))
        try #require(SampleRewriting.get(bytes, at: last) == 1)
        SampleRewriting.put(0, in: &bytes, at: last + 4)
      }, sample: { $1 })
    for mode in [CutMode.smart, .reencode] {
      try await Self.check(
        path, source, Array(17..<50), in: folder, endings: ["mp4", "mov"], mode)
    }
  }

  @Test func `when a sample has no bytes then the frame before stays on screen`() async throws {
    let folder = try ScratchFolder()
    let made = try await EncodedClip.named("Motion JPEG").make(in: folder)
    let (source, _) = try await EncodedClip.pictures(made)
    let path = folder.path(of: "empty.mov")
    try SampleRewriting.rewrite(made, to: path) { number, bytes in number == 30 ? [] : bytes }
    try await Self.check(
      path, source, (17..<50).filter { $0 != 30 }, in: folder, endings: ["mov", "mkv", "avi"])
  }

  @Test func `when the file ends before its first picture then damage is reported with its place`()
    async throws
  {
    let folder = try ScratchFolder()
    let made = try await EncodedClip.named("H.264, closed groups").make(in: folder)
    let path = folder.path(of: "short.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", made, "-c", "copy", "-movflags", "+faststart", path,
    ])
    var bytes = try fileBytes(path)
    let media = try #require(SampleRewriting.find("mdat", in: bytes))
    bytes.removeSubrange((media + 16)...)
    try SampleRewriting.write(bytes, to: path)
    let error = #expect(throws: MediaError.self) {
      let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      _ = try clip.plan(CutRequest(range: Cuts.range(20..<40)), for: .mp4)
    }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("byte \(bytes.count)") == true)
  }
}
