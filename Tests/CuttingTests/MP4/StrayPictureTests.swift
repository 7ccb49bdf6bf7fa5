import ExactTime
import Foundation
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given pictures scheduled hours after those around them` {
  /// Two seconds, of which the 21st picture in decode order has a composition offset of hours.
  private func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=2", "-c:v",
      "libx264", "-g", "25", "-bf", "2", "-x264-params", "scenecut=0:b-adapt=0", "-use_editlist",
      "0", path,
    ])
    var bytes = try fileBytes(path)
    let table = try #require(bytes.firstRange(of: Array("ctts".utf8))).upperBound
    // The entry of a single sample: its count is followed by its offset.
    var place = table + 8
    var sample = 0
    while sample < 20 || bytes[place + 3] != 1 {
      sample += Int(bytes[place + 3])
      place += 8
    }
    bytes[place + 4] = 0x07
    return try folder.write(bytes, to: "far.mp4")
  }

  private func probe(_ path: String, _ depth: RequestedDepth = .auto) throws -> MediaFacts {
    try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth, wantsFrames: true))
  }

  /// The file itself, and copies of its packets in containers that state PTS differently.
  private func copies(of path: String, in folder: ScratchFolder) async throws -> [String] {
    var paths = [path]
    for ending in ["mkv", "ts"] {
      paths.append(folder.path(of: "copy." + ending))
      _ = try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-c", "copy", paths.last ?? ""])
    }
    return paths
  }

  @Test func `then every container and depth has one verdict`() async throws {
    let folder = try ScratchFolder()
    let source = try await clip(in: folder)
    for path in try await copies(of: source, in: folder) {
      for depth in [RequestedDepth.packets, .frames] {
        let facts = try probe(path, depth)
        #expect(facts.durations.presented?.length == MediaDuration(2), "\(path)")
        #expect(facts.tracks.first?.shownFrames.count == 50, "\(path)")
        let notes = facts.notes.filter { $0.id == .ptsOutlier }
        #expect(notes.count == 1, "\(path)")
        #expect(notes.first?.text.contains("instead of") == true)
        #expect(notes.first?.text.contains("the track lasts 2 s that way") == true)
        #expect(!facts.notes.contains { [.decodedDiffers, .dtsBackwards].contains($0.id) })
      }
    }
  }

  @Test(arguments: ["mp4", "mkv", "ts"])
  func `then a cut has all pictures, and lists the damage`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let source = try await clip(in: folder)
    for path in try await copies(of: source, in: folder) {
      let output = folder.path(of: "cut." + ending)
      try? FileManager.default.removeItem(atPath: output)
      let range = try #require(MediaTimeRange(from: MediaTime(1, 5), to: MediaTime(9, 5)))
      let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
        CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
      let damage = report.examination?.damage ?? []
      #expect(damage.map(\.kind) == [.timing] && damage.map(\.packets) == [1], "\(path)")
      #expect(try probe(output, .frames).tracks.first?.shownFrames.count == 40, "\(path)")
      #expect(try await EncodedClip.pictures(of: output).count == 40)
    }
  }
}

@Suite(
  .enabled(if: Cases.folder != nil, Comment(rawValue: Cases.absence)), .timeLimit(.minutes(1)))
struct `Given the reported clip whose pictures are scheduled hours away` {
  @Test(arguments: ["ctts-outlier.mp4", "ctts-outlier-noedit.mp4"])
  func `then nothing of it is missing in any container`(_ name: String) throws {
    let path = Cases.path("pts-outlier/" + name)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    #expect(clip.facts.notes.contains { $0.id == .ptsOutlier })
    #expect(clip.facts.durations.presented.map { $0.length < MediaDuration(13) } == true)
    let range = try #require(MediaTimeRange(from: MediaTime(3), to: MediaTime(5)))
    let folder = try ScratchFolder()
    for ending in ["mp4", "ts", "mkv"] {
      let output = folder.path(of: "cut." + ending)
      let report = try clip.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
      #expect(report.examination?.damage.map(\.packets) == [2], "\(ending)")
      let cut = try Prober().probe(
        .file(path: Array(output.utf8)),
        options: ProbeOptions(depth: .packets, wantsFrames: true))
      #expect(cut.tracks.first { $0.kind == .video }?.shownFrames.count == 50, "\(ending)")
    }
  }
}
