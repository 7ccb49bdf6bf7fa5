import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@testable import MediaFiles

/// FLV in which tags that FFmpeg misreads are mixed with sound that it reads.
private enum MixedFLV {
  /// LC, 48 kHz, stereo (ISO 14496-3, 1.6.2.1), and a frame of silence.
  static let configuration: [UInt8] = [0x11, 0x90]
  static let frame: [UInt8] = [0x21, 0x10, 0x04, 0x60, 0x8C, 0x1C]
  static let count = 48
  static let length = MediaDuration(Int64(count) * 1024, 48_000)

  static func time(_ number: Int) -> Int { number * 1024 / 48 }

  /// With Flash's codec number 10.
  static let sound =
    [FLVBuilder.tag(8, at: 0, [0xAF, 0] + configuration)]
    + (0..<count).map { FLVBuilder.tag(8, at: time($0), [0xAF, 1] + frame) }

  /// 417 bytes a frame at 44.1 kHz and 128 kbit/s.
  static let mp3 = (0..<40).map { number in
    let frame = [0xFF, 0xFB, 0x90, 0xC0] + [UInt8](repeating: 0, count: 413)
    return FLVBuilder.tag(8, at: number * 11_520 / 441, [0x2E] + frame)
  }

  /// A configuration, the color metadata that FFmpeg 8 writes before the first picture, and pictures.
  static func pictures(_ name: String, _ type: UInt8) -> [[UInt8]] {
    let frame = { (isKey: Bool) in [6 << 3 | 2, 2, isKey ? 0x10 : 0x30, 0] as [UInt8] }
    return [
      FLVBuilder.tag(9, at: 0, FLVBuilder.named(name, isKey: true, 0, [0x81, 4, 12, 0])),
      FLVBuilder.tag(
        9, at: 0, [0xD4] + Array(name.utf8) + [2, 0, 9] + Array("colorInfo".utf8) + [3, 0, 0, 9]),
    ]
      + (0..<25).map {
        FLVBuilder.tag(9, at: $0 * 40, FLVBuilder.named(name, isKey: $0 == 0, type, frame($0 == 0)))
      }
  }

  /// A packet of a numbered track, in a separate tag (Enhanced RTMP v2, AvMultitrackType 0).
  static func numbered(_ track: UInt8, _ type: UInt8, at time: Int, _ payload: [UInt8]) -> [UInt8] {
    FLVBuilder.tag(8, at: time, [0x95, type] + Array("mp4a".utf8) + [track] + payload)
  }

  /// All packets of a numbered track.
  static func numbered(_ track: UInt8) -> [[UInt8]] {
    [numbered(track, 0, at: 0, configuration)]
      + (0..<count).map { numbered(track, 1, at: time($0), frame) }
  }

  /// In the order of their times, headers first.
  static func file(_ tags: [[UInt8]]) -> [UInt8] {
    let time = { (tag: [UInt8]) in tag[4...6].reduce(0) { $0 << 8 | Int($1) } }
    let places = tags.indices.sorted { (time(tags[$0]), $0) < (time(tags[$1]), $1) }
    return FLVBuilder.file(places.map { tags[$0] })
  }

  static func probe(_ bytes: [UInt8], _ depth: RequestedDepth = .auto) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "clip.flv")
    return try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given FLV with FourCC video and classic Flash audio` {
  @Test(arguments: [("av01", 1), ("av01", 3), ("vp09", 1), ("hvc1", 3)] as [(String, UInt8)])
  func `then all of the audio is presented, at every depth`(_ name: String, _ type: UInt8) throws {
    let bytes = MixedFLV.file(MixedFLV.pictures(name, type) + MixedFLV.sound)
    for depth in [RequestedDepth.header, .packets, .frames] {
      let facts = try MixedFLV.probe(bytes, depth)
      #expect(facts.tracks.map(\.kind) == [.video, .audio])
      let track = try #require(facts.tracks.last)
      #expect(track.codec == "aac")
      #expect(track.audio?.sampleRate == 48_000)
      guard depth != .header else { continue }
      #expect(track.sampleCount == MixedFLV.count)
      #expect(track.durations.presented?.length == MixedFLV.length)
      #expect(facts.tracks.first?.frameCount == 25)
      #expect(facts.durations.presented?.length == MixedFLV.length)
      if depth == .frames { #expect(track.durations.decoded?.length == MixedFLV.length) }
    }
  }

  @Test func `then MP3 that begins after the video's headers is a track`() throws {
    let facts = try MixedFLV.probe(MixedFLV.file(MixedFLV.pictures("av01", 1) + MixedFLV.mp3))
    #expect(facts.tracks.map(\.codec) == ["av1", "mp3"])
    #expect(facts.tracks.last?.durations.presented?.length == MediaDuration(40 * 1152, 44_100))
  }

  @Test func `then video tags that come first keep the first track number`() throws {
    let pictures = MixedFLV.pictures("av01", 1)
    let bytes = FLVBuilder.file(Array(pictures) + MixedFLV.sound)
    #expect(try MixedFLV.probe(bytes).tracks.map(\.id) == [1, 2])
  }

  @Test func `when it is cut then only audio is written, and video is refused`() throws {
    let folder = try ScratchFolder()
    let path = try folder.write(
      MixedFLV.file(MixedFLV.pictures("av01", 1) + MixedFLV.sound), to: "clip.flv")
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1, 2)))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let error = #expect(throws: MediaError.self) {
      try clip.plan(CutRequest(range: range), for: .matroska)
    }
    #expect(error?.message.contains("FFmpeg does not support av1") == true)
    let container = try #require(OutputContainer(nameEnding: "m4a"))
    var request = CutRequest(range: range)
    request.isSoundAlone = true
    #expect(throws: Never.self) { try clip.plan(request, for: container) }
  }

  @Test func `then its timeline has every packet, each until the next begins`() throws {
    let folder = try ScratchFolder()
    let path = try folder.write(
      MixedFLV.file(MixedFLV.pictures("av01", 1) + MixedFLV.sound + MixedFLV.numbered(1)),
      to: "clip.flv")
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    let timeline = try MediaTimeline(of: Array(path.utf8), facts: facts, origin: .zero)
    #expect(timeline.tracks.map(\.packets.count) == [25, MixedFLV.count, MixedFLV.count])
    let pictures = try #require(timeline.tracks.first?.packets)
    #expect(pictures.map(\.start) == (0..<25).map { MediaTime($0, 25) })
    #expect(pictures.map(\.end) == (1...25).map { MediaTime($0, 25) })
  }

  @Test func `then video with an unknown FourCC is left to FFmpeg`() throws {
    let bytes = MixedFLV.file(MixedFLV.pictures("zzzz", 1) + MixedFLV.sound)
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "clip.flv")
    let file = try InputFile(path: Array(path.utf8))
    let input = try #require(NamedFLVTags.input(of: file))
    var read = [UInt8](repeating: 0, count: bytes.count)
    _ = try read.withUnsafeMutableBytes { try input.read(into: $0, at: 0) }
    #expect(read == bytes)
  }

  @Test(arguments: [1, 7, 64, 100_000])
  func `then FFmpeg sees one of the video tags, in chunks of any size`(
    _ piece: Int
  ) throws {
    let pictures = MixedFLV.pictures("av01", 1)
    let bytes = MixedFLV.file(pictures + MixedFLV.sound)
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "clip.flv")
    let input = try #require(NamedFLVTags.input(of: InputFile(path: Array(path.utf8))))
    var read: [UInt8] = []
    while read.count < bytes.count {
      var part = [UInt8](repeating: 0, count: piece)
      let count = try part.withUnsafeMutableBytes {
        try input.read(into: $0, at: Int64(read.count))
      }
      read += part[..<count]
    }
    let changed = bytes.indices.filter { bytes[$0] != read[$0] }
    #expect(changed.count == pictures.count - 1)
    #expect(changed.allSatisfy { bytes[$0] == 9 && read[$0] == 0 })
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given FLV with FourCC packets next to classic Flash audio` {
  @Test func `then a channel order packet is not a track`() throws {
    let order = FLVBuilder.tag(
      8, at: 0, FLVBuilder.sound("mp4a", 4, [1, 6, 0, 0, 0, 0x3F]))
    let facts = try MixedFLV.probe(MixedFLV.file([order] + MixedFLV.sound))
    #expect(facts.tracks.map(\.codec) == ["aac"])
    #expect(facts.durations.presented?.length == MixedFLV.length)
  }

  @Test func `then a numbered track has its own configuration, frames and times`() throws {
    let order = MixedFLV.numbered(1, 4, at: 0, [1, 2, 0, 0, 0, 3])
    let facts = try MixedFLV.probe(MixedFLV.file(MixedFLV.sound + [order] + MixedFLV.numbered(1)))
    #expect(facts.tracks.map(\.codec) == ["aac", "aac"])
    let track = try #require(facts.tracks.last)
    #expect(track.codecTag == "mp4a")
    #expect(track.audio?.sampleRate == 48_000)
    #expect(track.audio?.channels == 2)
    #expect(track.sampleCount == MixedFLV.count)
    #expect(track.durations.presented?.length == MixedFLV.length)
    #expect(facts.notes.contains { $0.id == .soundByName && $0.trackID == track.id })
  }

  @Test(arguments: [1, 2] as [UInt8])
  func `then tags with several tracks each are separated`(_ kind: UInt8) throws {
    func tag(_ type: UInt8, at time: Int, _ payload: [UInt8]) -> [UInt8] {
      let name = Array("mp4a".utf8)
      let body = [1, 2].flatMap { (track: UInt8) in
        (kind == 2 ? name : []) + [track, 0, 0, UInt8(payload.count)] + payload
      }
      return FLVBuilder.tag(8, at: time, [0x95, kind << 4 | type] + (kind == 1 ? name : []) + body)
    }
    let tags =
      [tag(0, at: 0, MixedFLV.configuration)]
      + (0..<MixedFLV.count).map { tag(1, at: MixedFLV.time($0), MixedFLV.frame) }
    let facts = try MixedFLV.probe(FLVBuilder.file(tags))
    #expect(facts.tracks.map(\.codec) == ["aac", "aac"])
    #expect(facts.tracks.allSatisfy { $0.sampleCount == MixedFLV.count })
    #expect(facts.tracks.allSatisfy { $0.durations.presented?.length == MixedFLV.length })
  }

  @Test func `when there are more tracks than FFmpeg can handle then that is reported`() throws {
    let facts = try MixedFLV.probe(
      MixedFLV.file((1...5).flatMap { MixedFLV.numbered($0) }))
    #expect(facts.tracks.count == NamedFLVTags.mostTracks)
    #expect(facts.notes.contains { $0.id == .limitReached && $0.text.contains("5 audio tracks") })
  }

  @Test(arguments: 0..<16)
  func `when a tag ends within its header then it yields no packet`(_ count: Int) throws {
    let whole: [UInt8] = [0x97, 2, 0, 0, 1, 0x05, 0x11] + Array("mp4a".utf8) + [1, 0, 0, 6, 0x21]
    let broken = FLVBuilder.tag(8, at: 5, Array(whole.prefix(count)))
    let facts = try MixedFLV.probe(MixedFLV.file(MixedFLV.sound + [broken]))
    #expect(facts.tracks.map(\.codec) == ["aac"])
    #expect(facts.tracks.first?.sampleCount == MixedFLV.count)
  }
}
