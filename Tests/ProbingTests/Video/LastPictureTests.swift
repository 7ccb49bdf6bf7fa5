import ExactTime
import MediaFacts
import Support
import Testing
import Trimming

@testable import Probing

/// Pictures seconds apart: the last one does not state how long it is shown.
@Suite(.timeLimit(.minutes(1))) struct `Given a last frame seconds after the one before` {
  /// Two pictures, the second at 5 s, and sound up to 6 s.
  private func end(
    declared: MediaDuration?, _ source: DurationSource = .containerHeader, distance: Int64 = 5000,
    soundEnd: Int64 = 6000
  ) -> MediaDuration? {
    var scan = FileScan()
    let grid = TickGrid(ticksPerSecond: 1000)
    for (stream, isVideo) in [true, false].enumerated() {
      scan.follow(
        stream, as: StreamScan(isVideo: isVideo, grid: grid, sampleRate: nil, mayJump: false))
    }
    for time in [0, distance] {
      scan.add(PacketStamp(pts: time, dts: time, duration: 0), to: 0)
    }
    scan.add(PacketStamp(pts: 0, dts: 0, duration: soundEnd), to: 1)
    scan.compareEnds(declared: declared.map { DurationFact(length: $0, source: source) })
    return scan.presented(0, as: 0, stretches: scan.stretches())?.stretches.first?.range.length
  }

  @Test func `then it is shown to the end of the audio`() {
    #expect(end(declared: nil) == MediaDuration(6))
  }

  @Test func `then it is shown to the length that the file declares, if that is later`() {
    #expect(end(declared: MediaDuration(8)) == MediaDuration(8))
    #expect(end(declared: MediaDuration(5)) == MediaDuration(6))
    #expect(end(declared: MediaDuration(60)) == MediaDuration(10))
  }

  @Test func `then an estimated length does not count`() {
    #expect(end(declared: MediaDuration(8), .estimate) == MediaDuration(6))
  }

  @Test func `when all else ends before it then it is shown as long as the one before`() {
    #expect(end(declared: nil, soundEnd: 4000) == MediaDuration(10))
    #expect(end(declared: nil, soundEnd: 5000) == MediaDuration(10))
  }

  @Test func `when it is at most a second later then it is shown as long as the one before`() {
    #expect(end(declared: nil, distance: 1000, soundEnd: 1100) == MediaDuration(2))
    #expect(end(declared: nil, soundEnd: 9000) == MediaDuration(10))
    #expect(end(declared: nil, soundEnd: 8999) == MediaDuration(8999, 1000))
  }

  /// FLV states no frame durations.
  @Test(
    .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
    arguments: [RequestedDepth.auto, .frames])
  func `then the file lasts as long as its audio`(_ depth: RequestedDepth) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "slides.flv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=1/5:d=10", "-f", "lavfi", "-i",
      "sine=r=44100:d=6", "-c:v", "flv1", "-c:a", "adpcm_swf", "-flvflags",
      "no_duration_filesize", path,
    ])
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
    #expect(facts.tracks.first { $0.kind == .video }?.frameCount == 2)
    let sound = try #require(facts.tracks.first { $0.kind == .audio }?.durations.presented)
    #expect(facts.durations.presented?.length == sound.length)
    if depth == .frames {
      #expect(try #require(facts.durations.decoded?.length) <= sound.length)
    }
  }
}
