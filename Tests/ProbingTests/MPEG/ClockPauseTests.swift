import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// Three groups of a second, of which the second and third come twenty seconds later in all tracks.
@Suite(.timeLimit(.minutes(1)))
struct `Given a transport stream with a pause of over ten seconds` {
  /// How a muxer marks the packet with which pictures resume.
  enum Step: CaseIterable {
    case none, announced, otherCounter, tooFar
  }

  private static func stream(_ step: Step = .none) throws -> [UInt8] {
    let seconds: Int64 = step == .tooFar ? 601 : 20
    var stream = PatchedStream(bytes: try SampleClips.bytes("broadcast.ts"))
    var first: Int64?
    stream.changeStamps(of: 0xE0...0xEF) { number, stamp in
      guard number >= 25 else { return stamp }
      first = first ?? stamp
      return stamp + seconds * 90_000
    }
    let entry = try #require(first)
    stream.changeStamps(of: 0xC0...0xDF) { $1 < entry ? $1 : $1 + seconds * 90_000 }
    let place = try #require(entryPacket(number: 25, in: stream.bytes))
    switch step {
    case .none, .tooFar: break
    // discontinuity_indicator (ISO/IEC 13818-1, 2.4.3.5).
    case .announced: stream.bytes[place + 5] |= 0x80
    case .otherCounter:
      let pid = stream.bytes[place + 1] & 0x1F
      let low = stream.bytes[place + 2]
      for packet in stride(from: place, to: stream.bytes.count, by: 188)
      where stream.bytes[packet + 1] & 0x1F == pid && stream.bytes[packet + 2] == low {
        let counter = (stream.bytes[packet + 3] & 0xF) &+ 5
        stream.bytes[packet + 3] = stream.bytes[packet + 3] & 0xF0 | counter & 0xF
      }
    }
    return stream.bytes
  }

  /// Where the PES packet of a picture begins, counted from 0.
  private static func entryPacket(number: Int, in bytes: [UInt8]) -> Int? {
    let starts = stride(from: 0, to: bytes.count - 187, by: 188).filter { packet in
      let header = packet + 4 + (bytes[packet + 3] & 0x20 != 0 ? 1 + Int(bytes[packet + 4]) : 0)
      return bytes[packet + 1] & 0x40 != 0 && header + 4 <= packet + 188
        && bytes[header..<header + 3].elementsEqual([0, 0, 1]) && bytes[header + 3] >> 4 == 0xE
    }
    return starts.indices.contains(number) ? starts[number] : nil
  }

  private func facts(_ bytes: [UInt8], _ depth: RequestedDepth = .packets) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "clip.ts")
    return try Prober().probe(.file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }

  @Test(arguments: [RequestedDepth.packets, .frames])
  func `when its counters continue then so does the clock, and the pause counts`(
    _ depth: RequestedDepth
  ) throws {
    let whole = try facts(SampleClips.bytes("broadcast.ts"), depth).durations
    let facts = try facts(Self.stream(), depth)
    let presented = try #require(whole.presented?.length)
    #expect(facts.durations.presented?.length == (try presented.adding(MediaDuration(20))))
    #expect(
      facts.durations.decoded?.length == (try whole.decoded?.length.adding(MediaDuration(20))))
    #expect(facts.notes.filter { $0.id == .timestampGap }.count == 2)
    #expect(!facts.notes.contains { $0.id == .timestampDiscontinuity })
  }

  @Test(arguments: [Step.announced, .otherCounter, .tooFar])
  func `when its muxer starts a new clock there then it does not count`(_ step: Step) throws {
    let whole = try facts(SampleClips.bytes("broadcast.ts")).durations.presented?.length
    let facts = try facts(Self.stream(step))
    let length = try #require(facts.durations.presented?.length)
    // Sound of the first second may extend a little beyond it.
    let more = try length.subtracting(#require(whole))
    #expect(MediaDuration.zero...MediaDuration(1, 10) ~= more, "\(more)")
    #expect(facts.notes.contains { $0.id == .timestampDiscontinuity })
  }

  @Test func `when the last frame before it is requested then it lasts until the next`() throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Self.stream(), to: "clip.ts")
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: .packets, wantsFrames: true))
    let frames = try #require(facts.tracks.first { $0.kind == .video }?.shownFrames)
    #expect(frames.count == 75)
    #expect(frames.map(\.duration).max() == MediaDuration(501, 25))
  }
}
