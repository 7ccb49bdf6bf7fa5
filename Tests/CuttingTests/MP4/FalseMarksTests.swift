import ExactTime
import ISOMedia
import MediaEngine
import Support
import Testing
import Trimming

@testable import Probing

/// Counts how often it is read.
private final class CountedBytes: RandomAccessBytes {
  private let bytes: InMemoryBytes
  private(set) var reads = 0

  init(_ bytes: [UInt8]) { self.bytes = InMemoryBytes(bytes) }

  var byteCount: Int64 { bytes.byteCount }

  func read(at offset: Int64, count: Int) -> [UInt8] {
    reads += 1
    return bytes.read(at: offset, count: count)
  }
}

/// Without a box `stss` every sample is a keyframe by the container's word (ISO 14496-12, 8.6.2).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given MP4 that marks every picture as a keyframe` {
  /// In GOPs of one second.
  private static func make(
    _ coding: [String], frames: Int = 100, in folder: ScratchFolder
  ) async throws -> String {
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25", "-frames:v",
        "\(frames)", "-pix_fmt", "yuv420p",
      ] + coding + [path])
    var bytes = try fileBytes(path)
    if let place = bytes.firstRange(of: Array("stss".utf8))?.lowerBound {
      bytes.replaceSubrange(place..<place + 4, with: Array("free".utf8))
    }
    return try folder.write(bytes, to: "marked.mp4")
  }

  private static let h264 = ["-c:v", "libx264", "-g", "25", "-bf", "2"]

  /// With MPEG-4 the last picture is a keyframe too.
  @Test(arguments: [(h264, 4), (["-c:v", "mpeg4", "-g", "25", "-bf", "2"], 5)])
  func `then false ones are not counted, and that is reported`(
    _ coding: [String], _ count: Int
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(coding, in: folder)
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(wantsKeyframes: true))
    #expect(facts.notes.contains { $0.id == .allMarkedAsKeyframes })
    #expect(facts.tracks[0].gops?.count == count)
    #expect(facts.tracks[0].keyframes.count == count)
  }

  /// Keyframes are evenly spaced, so evenly spaced probes might see only keyframes.
  @Test(arguments: [2, 201])
  func `then GOPs are found whatever their number`(_ frames: Int) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(
      ["-c:v", "libx264", "-g", "25", "-bf", "0", "-sc_threshold", "0"], frames: frames, in: folder)
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(wantsKeyframes: true))
    #expect(facts.tracks[0].gops?.count == (frames + 24) / 25)
  }

  @Test func `when keyframes are not requested then few samples are read, and none are counted`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.make(Self.h264, in: folder)
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    #expect(facts.notes.contains { $0.id == .allMarkedAsKeyframes })
    #expect(facts.tracks[0].gops == nil)
    let bytes = CountedBytes(try fileBytes(path))
    let movie = try ISOMovie(reading: bytes)
    let before = bytes.reads
    _ = try ISOProbe(bytes, movie, wantsKeyframes: false)
    // Of 100 samples.
    #expect(bytes.reads - before < 50)
  }

  @Test func `when the file is truncated then what is in it counts`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "front.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", try await Self.make(Self.h264, in: folder), "-c", "copy", "-movflags",
      "faststart", path,
    ])
    var bytes = try fileBytes(path)
    if let place = bytes.firstRange(of: Array("stss".utf8))?.lowerBound {
      bytes.replaceSubrange(place..<place + 4, with: Array("free".utf8))
    }
    let short = try folder.write(Array(bytes.dropLast(bytes.count / 2)), to: "short.mp4")
    let facts = try Prober().probe(
      .file(path: Array(short.utf8)), options: ProbeOptions(wantsKeyframes: true))
    let note = try #require(facts.notes.first { $0.id == .allMarkedAsKeyframes })
    let figures = note.text.split { !$0.isNumber }.compactMap { Int($0) }
    #expect(figures.count == 2 && figures[0] == 2 && (26..<75).contains(figures[1]), "\(note)")
  }

  @Test func `when all are keyframes then nothing is reported`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(["-c:v", "libx264", "-g", "1"], in: folder)
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    #expect(facts.tracks[0].gops?.count == 100)
    #expect(!facts.notes.contains { $0.id == .allMarkedAsKeyframes })
  }

  @Test(arguments: [CutMode.smart, .editList])
  func `when it is cut then players show all frames of the range`(_ mode: CutMode) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(Self.h264, in: folder)
    let output = folder.path(of: "cut.mp4")
    let range = try #require(MediaTimeRange(from: MediaTime(12, 25), to: MediaTime(55, 25)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(CutOrder(CutRequest(range: range, mode: mode), to: Array(output.utf8)))
    let run = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", output, "-fps_mode", "passthrough", "-f", "framemd5", "-",
    ])
    #expect(run.outText.split(separator: "\n").count { !$0.hasPrefix("#") } == 43)
    #expect(run.errText.isEmpty)
  }
}
