import ExactTime
import MediaFacts
import Probing
import Rendering
import Support
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Given the timeline of a file` {
  static func timeline(_ name: String) throws -> MediaTimeline {
    let path = Array(SampleClips.path(name).utf8)
    let facts = try Prober().probe(.file(path: path))
    return try MediaTimeline(
      of: path, facts: facts, origin: facts.durations.presented?.start ?? .zero)
  }

  @Test(arguments: [
    ("b-frames.mp4", [100, 174], 4), ("open-gop.mp4", [100], 5),
    ("chapters.mkv", [150, 301, 301], 1),
    ("broadcast.ts", [75, 142], 3), ("fragmented.mp4", [75, 142], 3),
  ])
  func `when it is laid out then every packet of every track is on it, in order`(
    _ name: String, _ packets: [Int], _ keys: Int
  ) throws {
    let timeline = try Self.timeline(name)
    #expect(timeline.tracks.map(\.packets.count) == packets)
    for track in timeline.tracks {
      #expect(zip(track.packets, track.packets.dropFirst()).allSatisfy { $0.start <= $1.start })
      #expect(track.packets.allSatisfy { $0.byteCount > 0 && $0.start <= $0.end })
    }
    #expect(timeline.tracks[0].packets.count { $0.isKey } == keys)
  }

  @Test func `when an edit list hides audio then it comes before what is presented`() throws {
    let sound = try #require(try Self.timeline("b-frames.mp4").tracks.last)
    #expect(sound.kind == .audio)
    // One packet of AAC is its priming; the last is partly heard.
    #expect(sound.packets.count { $0.isHidden } == 1)
    #expect(sound.packets.first?.isHidden == true)
    #expect(sound.hidden.first?.start == MediaTime(-1024, 44100))
    #expect(sound.hidden.first?.end == .zero)
    #expect(sound.presented == MediaTimeRange(from: .zero, to: MediaTime(4)))
  }

  @Test func `when the file starts late then so do its packets, from the start that is presented`()
    throws
  {
    let pictures = try #require(try Self.timeline("late-start.mp4").tracks.first)
    #expect(pictures.packets.first?.start == .zero)
    #expect(pictures.packets.last?.end == MediaTime(2))
  }

  @Test func `when audio packets are not contiguous then gaps and overlaps are reported`() {
    func packet(_ start: Int64, _ end: Int64) -> TimelinePacket {
      TimelinePacket(start: MediaTime(start, 100), end: MediaTime(end, 100), byteCount: 1)
    }
    let packets = [packet(0, 10), packet(10, 20), packet(25, 35), packet(30, 40), packet(41, 51)]
    let whole = MediaTimeRange(from: .zero, to: MediaTime(51, 100))
    let sound = whole.map {
      TimelineTrack(id: 1, kind: .audio, presented: $0, packets: packets)
    }
    let found = sound?.disorder(tolerance: MediaDuration(1, 100))
    #expect(found?.gaps.map(\.start) == [MediaTime(20, 100)])
    #expect(found?.gaps.map(\.end) == [MediaTime(25, 100)])
    #expect(found?.overlaps.map(\.start) == [MediaTime(30, 100)])
    #expect(found?.overlaps.map(\.end) == [MediaTime(35, 100)])
  }
}
