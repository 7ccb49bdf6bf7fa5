import ExactTime
import Foundation
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

/// FLV counts milliseconds from the first decoded picture (Video File Format Specification 10.1, E.4).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file that is cut into FLV` {
  private static let clip = EncodedClip.named("H.264, open groups with a pyramid")

  private static func clip(_ ending: String, in folder: ScratchFolder) async throws -> String {
    let plain = try await clip.make(in: folder)
    let path = folder.path(of: "source." + ending)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", plain, "-f", "lavfi", "-i", "anoisesrc=r=44100:d=4:seed=3:a=0.4", "-map",
      "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac", path,
    ])
    return path
  }

  private static func cut(
    _ path: String, to output: String, _ from: MediaTime, _ to: MediaTime,
    and another: MediaTimeRange? = nil, audio: AudioMode = .copy
  ) throws -> CutReport {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: from, to: to))
    var request = CutRequest(range: range, verification: .full)
    if let another { request.join(another) }
    request.audio = audio
    return try clip.cut(CutOrder(request, to: Array(output.utf8)))
  }

  @Test(arguments: ["mp4", "ts", "mkv", "flv"])
  func `then it has the frames of the range, each within a millisecond of its time`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(ending, in: folder)
    let output = folder.path(of: "cut.flv")
    // Times in containers that begin after zero count from their first sample.
    let report = try Self.cut(path, to: output, MediaTime(33, 25), MediaTime(83, 25))
    #expect((1..<report.plan.frames).contains(report.plan.encodedFrames))
    let (pictures, log) = try await EncodedClip.pictures(output)
    #expect(log.isEmpty, "\(log)")
    #expect(pictures.count == report.plan.frames)
    #expect((50...51).contains(pictures.count))

    let written = try `Given a file made by an encoder`.open(output)
    let video = written.tracks[0].coded
    #expect(video.packets.map(\.dts).min() == 0)
    let times = video.packets.map(\.pts).sorted()
    for (place, time) in times.enumerated().dropFirst(2) {
      #expect(abs(time - times[1] - Int64(place - 1) * 40) <= 1)
    }
  }

  /// Ticks of other containers are finer than FLV's milliseconds.
  @Test func `when frames have DTS within one millisecond then each gets its own`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "source.mov")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", try await Self.clip.make(in: folder), "-c", "copy", "-bsf:v",
      "setts=pts='TS+mod(N,7)*3':dts=DTS", path,
    ])
    for start in stride(from: Int64(4), to: 64, by: 12) {
      let output = folder.path(of: "cut\(start).flv")
      _ = try Self.cut(path, to: output, MediaTime(start, 25), MediaTime(start + 30, 25))
      let written = try `Given a file made by an encoder`.open(output)
      let packets = written.tracks[0].coded.packets
      #expect(zip(packets, packets.dropFirst()).allSatisfy { $0.dts < $1.dts })
      #expect(packets.allSatisfy { $0.dts <= $0.pts })
    }
  }

  /// Sound that is re-encoded is heard up to the end of its last packet.
  @Test(arguments: [(AudioMode.copy, false), (.reencode, false), (.reencode, true)])
  func `then its header states its duration, not its end time`(
    _ audio: AudioMode, isJoined: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip("mp4", in: folder)
    let output = folder.path(of: "cut.flv")
    let report = try Self.cut(
      path, to: output, MediaTime(isJoined ? 2 : 1), MediaTime(3),
      and: isJoined ? MediaTimeRange(from: .zero, to: MediaTime(1)) : nil, audio: audio)
    let bytes = try fileBytes(output)
    let place = try #require(bytes.firstRange(of: Array("duration".utf8))).upperBound + 1
    let bits = bytes[place..<place + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let length = try #require(report.examination?.presented)
    #expect(abs(Double(bitPattern: bits) - length.seconds.approximation) < 0.001)
    #expect((2.0...2.03).contains(Double(bitPattern: bits)))
    if audio == .reencode { #expect(Double(bitPattern: bits) > 2.004) }
  }

  @Test(arguments: [nil, 3])
  func `when there are two audio tracks then the selected one is kept`(
    _ chosen: Int?
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "source.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", try await Self.clip("mov", in: folder), "-map", "0:v", "-map", "0:a",
      "-map", "0:a", "-c", "copy", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    var request = CutRequest(range: range)
    request.tracks = chosen.map { TrackChoice(kinds: [.video], ids: [$0]) }
    let plan = try clip.plan(request, for: .flv)
    #expect(plan.tracks.map { $0.dropped == nil } == [true, chosen == nil, chosen != nil])
    if chosen == nil { #expect(plan.tracks[2].dropped == ".flv holds one track of each kind") }
    _ = try clip.cut(CutOrder(request, to: Array(folder.path(of: "cut.flv").utf8)))
  }

  /// FLV has no code for other rates (E.4.2.1).
  @Test(arguments: [(22_050, true), (44_100, true), (32_000, false)])
  func `when MP3 has a rate that FLV cannot state then it is refused before it is cut`(
    _ rate: Int, _ fits: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "source.mp3")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=\(rate):d=3:seed=3:a=0.4", "-c:a",
      "libmp3lame", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    guard !fits else {
      let order = CutOrder(CutRequest(range: range), to: Array(folder.path(of: "cut.flv").utf8))
      #expect(try clip.cut(order).plan.tracks[0].packets > 30)
      return
    }
    let error = #expect(throws: MediaError.self) {
      try clip.plan(CutRequest(range: range), for: .flv)
    }
    #expect(error?.code == .codecDoesNotFit)
  }
}
