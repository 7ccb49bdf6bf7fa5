import ExactTime
import MediaFacts
import Probing
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Given sound with a hole` {
  private func note(_ path: String, _ depth: RequestedDepth = .packets) throws -> [Note] {
    try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: depth)).notes
      .filter { $0.id == .soundGap }
  }

  /// Sound of 20 packets, of which some last longer than the others.
  private func notes(of durations: [(count: UInt32, delta: UInt32)]) throws -> [Note] {
    var clip = ClipBuilder()
    var track = ClipBuilder.Track()
    track.handler = "soun"
    track.entry = ClipBuilder.audioEntry(rate: 48_000)
    track.timescale = 48_000
    track.mediaDuration = durations.reduce(0) { $0 + UInt64($1.count * $1.delta) }
    track.trackDuration = track.mediaDuration / 48
    track.durations = durations
    track.syncSamples = nil
    track.uniformSize = 10
    track.sampleCount = 20
    track.chunkRuns = [(1, 20, 1)]
    track.chunkOffsets = [0]
    clip.tracks = [track]
    let folder = try ScratchFolder()
    return try note(try folder.write(clip.bytes, to: "clip.mp4"), .header)
  }

  @Test func `when MP4 states it as a duration then it is noted`() throws {
    let notes = try notes(of: [(9, 1024), (1, 97_024), (10, 1024)])
    // The tenth packet is heard from 0.192 s on, for 1024 samples.
    #expect(
      notes.map(\.text) == ["Sound is missing from ~0.213333 to 2.213333 s."]
        || notes.map(\.text) == ["Sound is missing from ~0.213333 to ~2.213333 s."])
    #expect(notes.map(\.trackID) == [1])
    #expect(try self.notes(of: [(4, 1024), (1, 4096), (5, 1024), (1, 4096), (9, 1024)]).count == 1)
  }

  @Test func `when only the ends differ then there is none`() throws {
    for durations in [
      [(19, 1024), (1, 96_000)], [(20, 1024)], [(10, 1024), (1, 1100), (9, 1024)],
    ] as [[(count: UInt32, delta: UInt32)]] {
      #expect(try notes(of: durations).isEmpty)
    }
  }

  @Test(
    .enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"),
    arguments: [
      ("aac", "ts"), ("aac", "mkv"), ("libopus", "mkv"), ("libmp3lame", "mp4"), ("ac3", "ts"),
    ])
  func `when timestamps show it then it is noted in any container`(
    _ codec: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    for (name, filter) in [("muted", "aselect='not(between(t,1,1.6))'"), ("whole", "anull")] {
      let path = folder.path(of: name + "." + ending)
      _ = try await EncodedClip.ffmpeg([
        "-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=2.5", "-af", filter, "-c:a", codec,
        path,
      ])
      let notes = try note(path)
      #expect(notes.count == (name == "muted" ? 1 : 0), "\(notes)")
      #expect(notes.allSatisfy { $0.text.hasPrefix("Sound is missing from ") })
    }
  }

  @Test(
    .enabled(if: Cases.folder != nil, Comment(rawValue: Cases.absence)),
    arguments: ["muted.mp4", "muted.ts"])
  func `then the reported clip has one note`(_ name: String) throws {
    let notes = try note(Cases.path("sound-hole-unnoted/" + name), .frames)
    #expect(notes.map(\.text) == ["Sound is missing from ~4.117333 to 8.192 s."])
  }
}
