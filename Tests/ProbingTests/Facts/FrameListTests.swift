import ExactTime
import MediaFacts
import Probing
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given a file whose frames are requested` {
  private func probe(_ path: String, wantsFrames: Bool = true) throws -> MediaFacts {
    try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(wantsFrames: wantsFrames))
  }

  private func pictures(_ facts: MediaFacts) throws -> TrackFacts {
    try #require(facts.tracks.first { $0.kind == .video })
  }

  @Test func `then no frame is listed unless requested`() throws {
    let facts = try probe(SampleClips.path("vfr.mp4"), wantsFrames: false)
    #expect(!facts.tracks.contains { !$0.shownFrames.isEmpty })
  }

  @Test(
    arguments: [
      "vfr.mp4", "b-frames.mp4", "ntsc.mp4", "open-gop.mp4", "fragmented.mp4", "chapters.mkv",
      "broadcast.ts", "live.webm", "late-start.mp4",
    ])
  func `then each lasts until the next, from the beginning to the end of what is presented`(
    _ name: String
  ) throws {
    let track = try pictures(probe(SampleClips.path(name)))
    let frames = track.shownFrames
    #expect(frames.count == track.frameCount)
    for (frame, next) in zip(frames, frames.dropFirst()) {
      #expect(try next.time.distance(from: frame.time) == frame.duration)
    }
    let total = try frames.reduce(MediaDuration.zero) { try $0.adding($1.duration) }
    #expect(total == track.durations.presented?.length)
    // Matroska's and MP4's frames are on the file's own timeline.
    if !name.hasSuffix(".ts") { #expect(frames.first?.time == track.durations.presented?.start) }
  }

  @Test func `then an edit that begins inside a frame shows what is left of it`() throws {
    var clip = ClipBuilder()
    clip.tracks[0].edits = [(700, 150, 1)]
    let folder = try ScratchFolder()
    let path = try folder.write(clip.bytes, to: "clip.mp4")
    let frames = try pictures(probe(path)).shownFrames
    #expect(frames.count == 8)
    #expect(frames.first == ShownFrame(time: .zero, duration: MediaDuration(1, 20)))
    #expect(
      frames.last == ShownFrame(time: MediaTime(13, 20), duration: MediaDuration(1, 20)))
  }
}
