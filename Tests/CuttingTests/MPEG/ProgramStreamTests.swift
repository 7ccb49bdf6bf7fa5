import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// A packet of a program stream may hold several pictures, of which only the first has a PTS.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a program stream whose pictures do not all have a PTS` {
  static let codecs = ["mpeg1video", "mpeg2video"]

  private static func make(_ codec: String, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.mpg")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=192x108:rate=25:duration=4", "-f", "lavfi",
      "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:v", codec, "-bf", "2", "-g", "15", "-c:a",
      "mp2", path,
    ])
    return path
  }

  @Test(arguments: codecs)
  func `when it is probed then every depth knows when its last picture ends`(
    _ codec: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(codec, in: folder)
    for depth in [RequestedDepth.auto, .packets, .frames] {
      let facts = try Prober(isCancelled: { false }).probe(
        .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
      let track = try #require(facts.tracks.first { $0.kind == .video })
      #expect(track.frameCount == 100)
      #expect(track.durations.presented?.length == MediaDuration(4), "\(depth)")
      if depth == .frames { #expect(track.durations.decoded?.length == MediaDuration(4)) }
    }
  }

  @Test(arguments: codecs, [10, 23, 41] as [Int64])
  func `when it is cut then the output has the frames of the range`(
    _ codec: String, _ first: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(codec, in: folder)
    let output = folder.path(of: "cut.mkv")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let starts = try #require(clip.frameStarts)
    #expect(starts.count == 100)
    let range = try #require(
      MediaTimeRange(
        from: starts.start(ofFrame: first), to: starts.start(ofFrame: first + 45)))
    _ = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let source = try await EncodedClip.pictures(of: path)
    let cut = try await EncodedClip.pictures(of: output)
    #expect(cut.count == 45)
    // Those of the edges are re-encoded.
    let same = zip(cut, source[Int(first)...]).count { $0 == $1 }
    #expect(same >= 12)
    let wrong = cut.enumerated().contains { place, picture in
      source.firstIndex(of: picture).map { $0 != Int(first) + place } ?? false
    }
    #expect(!wrong)
  }
}

/// FFmpeg's muxer fills its packs, so that the sequence header of a picture may end one PES packet,
/// and the PTS of the next one is that of the following picture.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a program stream with packs that end within the headers of a picture` {
  /// - Parameter quality: one at which some packs end like this.
  private static func make(
    _ codec: String, quality: String, in folder: ScratchFolder
  ) async throws -> String {
    let path = folder.path(of: "clip.mpg")
    _ = try await EncodedClip.ffmpeg([
      "-v", "fatal", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=12", "-f", "lavfi", "-i",
      "sine=d=12", "-c:v", codec, "-g", "12", "-bf", "2", codec == "libx264" ? "-crf" : "-q:v",
      quality, "-threads:v", "1", "-c:a", "mp2", "-b:a", "128k", path,
    ])
    return path
  }

  @Test(arguments: [("mpeg2video", "16"), ("mpeg1video", "22"), ("libx264", "26")])
  func `then each frame is shown for its own duration`(
    _ codec: String, _ quality: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(codec, quality: quality, in: folder)
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(wantsFrames: true))
    let frames = try #require(facts.tracks.first { $0.kind == .video }?.shownFrames)
    #expect(frames.count == 360)
    #expect(frames.allSatisfy { $0.duration == MediaDuration(1, 30) })
    #expect(!facts.notes.contains { $0.id == .dtsBackwards })
  }

  @Test(arguments: [("mpeg2video", "16"), ("libx264", "26")])
  func `when it is cut then the cut has the frames of the range`(
    _ codec: String, _ quality: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.make(codec, quality: quality, in: folder)
    let output = folder.path(of: "cut.ts")
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(10)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    // The pictures begin within one frame of where the sound begins.
    #expect(report.plan.frames == 271)
  }
}
