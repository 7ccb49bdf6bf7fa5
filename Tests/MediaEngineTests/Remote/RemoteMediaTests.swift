import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given media at an address` {
  /// A clip, and behind its media what makes it a file of which only parts are read.
  private static func large(indexFirst: Bool) throws -> [UInt8] {
    let clip = try SampleClips.bytes("b-frames.mp4")
    let filler = free(9 << 20)
    return indexFirst ? clip + filler : try lastIndex(clip, filler)
  }

  private static func free(_ byteCount: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(byteCount).bigEndian) { Array($0) } + Array("free".utf8)
      + [UInt8](repeating: 0, count: byteCount - 8)
  }

  /// The same with the index behind the filler; media first.
  private static func lastIndex(_ clip: [UInt8], _ filler: [UInt8]) throws -> [UInt8] {
    var boxes: [(type: String, bytes: [UInt8])] = []
    var place = 0
    while place + 8 <= clip.count {
      let size = clip[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = String(decoding: clip[place + 4..<place + 8], as: UTF8.self)
      boxes.append((type, Array(clip[place..<place + size])))
      place += size
    }
    let index = try #require(boxes.firstIndex { $0.type == "moov" })
    let media = try #require(boxes.firstIndex { $0.type == "mdat" })
    #expect(index != media)
    // A box of the same size keeps the places of the samples.
    let hole = free(boxes[index].bytes.count)
    return boxes.enumerated().flatMap { $0 == index ? hole : $1.bytes } + filler
      + boxes[index].bytes
  }

  @Test(arguments: ["b-frames.mp4", "fragmented.mp4", "chapters.mkv", "broadcast.ts", "vbr.mp3"])
  func `when it is small then its facts are those of the local file`(_ name: String) throws {
    let bytes = try SampleClips.bytes(name)
    let double = RemoteDouble(bytes, firstBytes: 16 << 10)
    let options = ProbeOptions(wantsKeyframes: true)
    let local = try Prober().probe(
      .file(path: Array(SampleClips.path(name).utf8)), options: options)
    let remote = try Prober().probe(
      RemoteDoubles.input(double, at: "https://facts.example/\(name)"), options: options)
    #expect(remote == local)
  }

  @Test(arguments: [true, false])
  func `when it is large MP4 then its facts take the index only`(_ isFirst: Bool) throws {
    let bytes = try Self.large(indexFirst: isFirst)
    let double = RemoteDouble(bytes)
    let facts = try Prober().probe(
      RemoteDoubles.input(double, at: "https://index.example/\(isFirst).mp4"),
      options: ProbeOptions(wantsKeyframes: true))
    let small = try Prober().probe(
      .file(path: Array(SampleClips.path("b-frames.mp4").utf8)),
      options: ProbeOptions(wantsKeyframes: true))
    #expect(facts.durations.presented == small.durations.presented)
    #expect(facts.tracks.map(\.keyframes.count) == small.tracks.map(\.keyframes.count))
    #expect(double.cost.requests == (isFirst ? 1 : 2))
    #expect(double.cost.bytes <= 600_000)
  }

  @Test func `when it is large and of another container then its headers are read`() throws {
    let bytes = try SampleClips.bytes("broadcast.ts")
    // Packets without content, of a PID that is reserved for them (ISO 13818-1, 2.4.1).
    let null: [UInt8] = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
    let half = bytes.count / 376 * 188
    let filler = (0..<(9 << 20) / 188).flatMap { _ in null }
    let double = RemoteDouble(bytes[..<half] + filler + bytes[half...])
    let facts = try Prober().probe(
      RemoteDoubles.input(double, at: "https://headers.example/a.ts"))
    #expect(facts.notes.contains { $0.id == .onlyHeadersRead })
    #expect(facts.durations.presented == nil)
    let exact = try #require(
      Prober().probe(.file(path: Array(SampleClips.path("broadcast.ts").utf8))).durations.presented)
    let estimate = try #require(facts.durations.declared)
    #expect(estimate.source == .estimate)
    #expect((estimate.length - exact.length).magnitude < MediaDuration(1))
  }

  @Test func `when it is cut then the plan and the result are those of the local file`() throws {
    let folder = try ScratchFolder()
    let bytes = try SampleClips.bytes("b-frames.mp4")
    let double = RemoteDouble(bytes, firstBytes: 16 << 10)
    let local = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(SampleClips.path("b-frames.mp4").utf8)))
    let remote = try FileCutter(isCancelled: { false }).open(
      RemoteDoubles.input(double, at: "https://cut.example/b-frames.mp4"))
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    let request = CutRequest(range: range, mode: .copy)
    #expect(try remote.plan(request, for: .mp4) == local.plan(request, for: .mp4))
    for (media, name) in [(local, "local.mp4"), (remote, "remote.mp4")] {
      _ = try media.cut(request, to: Array(folder.path(of: name).utf8), as: .mp4)
    }
    #expect(
      try fileBytes(folder.path(of: "local.mp4")) == fileBytes(folder.path(of: "remote.mp4")))
  }

  @Test func `when its server fails then that is the reason`() throws {
    let double = RemoteDouble(try Self.large(indexFirst: false))
    double.fail(MediaError(.permissionDenied, "its server refuses it"))
    let input = RemoteDoubles.input(double, at: "https://fails.example/a.mp4")
    guard case .file(let name) = input else { return }
    let file = try InputFile(path: name)
    #expect(throws: MediaError.self) { try Prober().probe(input) }
    #expect(file.remoteFault?.code == .permissionDenied)
    // The next one asks once more.
    #expect(try InputFile(path: name).remoteFault == nil)
  }
}
