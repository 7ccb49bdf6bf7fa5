import ExactTime
import Foundation
import MediaFacts
import MediaFiles
import Probing
import Support
import Testing

/// Files whose container and media contradict each other.
@Suite(.timeLimit(.minutes(1))) struct `Given a file whose container and media differ` {
  private func probe(
    _ bytes: [UInt8], _ depth: RequestedDepth = .auto
  ) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "clip")
    return try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth, wantsKeyframes: true))
  }

  @Suite struct `When AMR states its timescale as its rate` {
    @Test(arguments: [("samr", "amr_nb", 8000), ("sawb", "amr_wb", 16_000)])
    func `then its rate is that of the codec`(_ entry: String, _ codec: Codec, _ rate: Int) throws {
      var clip = ClipBuilder()
      clip.tracks[0].handler = "soun"
      clip.tracks[0].entry = ClipBuilder.audioEntry(entry, channels: 2, rate: 50)
      let folder = try ScratchFolder()
      let path = try folder.write(clip.bytes, to: "clip.3gp")
      let track = try Prober().probe(.file(path: Array(path.utf8))).tracks[0]
      #expect(track.codec == codec)
      #expect(track.audio?.sampleRate == rate)
      #expect(track.audio?.channels == 1)
    }
  }

  @Test(
    .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
    arguments: [("truehd", 6), ("dca", 1)])
  func `then rate and channels are those of the decoded audio`(
    _ encoder: String, _ channels: Int
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=0.5", "-ac", "\(channels)", "-c:a",
      encoder, "-strict", "-2", path,
    ])
    for depth in [RequestedDepth.header, .packets] {
      let sound = try #require(try probe(fileBytes(path), depth).tracks[0].audio)
      #expect(sound.sampleRate == 48_000)
      #expect(sound.channels == channels)
    }
  }

  @Test(.enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)))
  func `then a single-frame file has the frame rate of its header, not its time base`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "one.flv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.04", "-c:v", "flv", path,
    ])
    let clip = try #require(try probe(fileBytes(path)).tracks[0].video)
    #expect(clip.nominalFrameRate == Rational(25))
  }

  @Test(.enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)))
  func `then the size is that of the bitstream, which decodes`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.2:r=25", "-c:v", "libvpx-vp9",
      "-deadline", "realtime", path,
    ])
    var bytes = try fileBytes(path)
    let entry = try #require(bytes.firstRange(of: Array("vp09".utf8), in: "stsd")).lowerBound
    // Width and height of a visual sample entry (ISO 14496-12, 12.1.3).
    bytes.replaceSubrange(entry + 28..<entry + 32, with: [0, 0, 0xFC, 0x12])
    for depth in [RequestedDepth.auto, .packets, .frames] {
      let facts = try probe(bytes, depth)
      #expect([facts.tracks[0].video?.width, facts.tracks[0].video?.height] == [64, 48])
      let note = try #require(facts.notes.first { $0.id == .sizeDiffers })
      #expect(note.text.contains("0x64530"))
      if depth == .frames { #expect(facts.tracks[0].durations.decoded != nil) }
    }
  }

  @Test func `then an empty sample is not a frame, and the one before stays on screen`() throws {
    var clip = ClipBuilder()
    clip.tracks[0].entry = ClipBuilder.videoEntry("mp4v")
    clip.tracks[0].uniformSize = 0
    clip.tracks[0].sizes = [UInt32](repeating: 100, count: 8) + [0, 0]
    let facts = try probe(clip.bytes)
    #expect(facts.tracks[0].sampleCount == 10)
    #expect(facts.tracks[0].frameCount == 8)
    #expect(facts.durations.presented?.length == MediaDuration(1))
  }

  @Test(arguments: ["vide", "soun"])
  func `then fragments stored in another order are presented from the earliest to the latest`(
    _ handler: String
  ) throws {
    let samples = [FragmentBuilder.Sample](repeating: .init(), count: 10)
    var clip = ClipBuilder.fragmented([
      FragmentBuilder(samples, start: 1000), FragmentBuilder(samples, start: 0),
    ])
    clip.tracks[0].handler = handler
    if handler == "soun" { clip.tracks[0].entry = ClipBuilder.audioEntry() }
    let presented = try #require(try probe(clip.bytes).durations.presented)
    #expect(presented.start == .zero)
    #expect(presented.length == MediaDuration(2))
  }

  @Test func `then an image sequence is shown like a video`() throws {
    var clip = ClipBuilder()
    clip.brand = "avis"
    clip.tracks[0].handler = "pict"
    clip.tracks[0].entry = ClipBuilder.videoEntry("av01")
    let facts = try probe(clip.bytes)
    #expect(facts.tracks[0].kind == .video)
    #expect(facts.tracks[0].frameCount == 10)
    #expect(facts.durations.presented?.length == MediaDuration(1))
  }

  @Test func `then still images are not media, and not damage`() throws {
    let boxes = [
      BoxBuilder("ftyp", fields: [.bytes(Array("avif".utf8)), .zeros(4)]),
      BoxBuilder("meta", fields: [.zeros(40)]), BoxBuilder("mdat", fields: [.zeros(50)]),
    ]
    let error = #expect(throws: MediaError.self) { try probe(boxes.bytes) }
    #expect(error?.code == .notMedia)
    #expect(error?.message.contains("still pictures") == true)
  }

  @Test func `then frames before the first keyframe are not shown`() throws {
    var clip = ClipBuilder()
    clip.tracks[0].entry = ClipBuilder.videoEntry("vp08")
    clip.tracks[0].syncSamples = [1, 4]
    // Bit 0 of a frame of VP8 is set in all but keyframes (RFC 6386, 9.1): the first sample is not
    // one, whatever the table states.
    clip.mediaContent = (0..<10).flatMap { number in
      [number == 3 ? 0 : 1] + [UInt8](repeating: 0, count: 99)
    }
    let facts = try probe(clip.bytes)
    #expect(facts.tracks[0].frameCount == 7)
    #expect(facts.durations.presented?.start == MediaTime(3, 10))
    #expect(facts.durations.presented?.length == MediaDuration(7, 10))
    #expect(facts.notes.contains { $0.id == .beforeKeyframe && $0.trackID == 1 })
  }

  @Test func `then a track without a keyframe shows nothing`() throws {
    let bytes = EBMLBuilder.clip(
      tags: [], block: [0x81, 0, 0, 0x80, 0x11, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    let facts = try probe(bytes)
    #expect(facts.tracks[0].sampleCount == 1)
    #expect(facts.tracks[0].frameCount == 0)
    #expect(facts.durations.presented == nil)
    #expect(facts.notes.contains { $0.id == .beforeKeyframe })
  }

  @Test func `then media that are only in other files are not presented`() throws {
    var bytes = ClipBuilder().bytes
    let place = try #require(bytes.firstRange(of: Array("url ".utf8))).upperBound
    bytes[place + 3] = 0
    let facts = try probe(bytes)
    #expect(facts.durations.presented == nil)
    #expect(facts.notes.contains { $0.id == .externalReference })
    #expect(facts.notes.contains { $0.id == .nothingPresented })
  }

  @Suite struct `When the last frame has a duration of 0` {
    private func facts(header: UInt64, _ durations: [(UInt32, UInt32)]) throws -> MediaFacts {
      var clip = ClipBuilder()
      clip.duration = header
      clip.tracks[0].mediaDuration = header
      clip.tracks[0].durations = durations.map { (count: $0.0, delta: $0.1) }
      let folder = try ScratchFolder()
      let path = try folder.write(clip.bytes, to: "clip.mp4")
      return try Prober().probe(.file(path: Array(path.utf8)))
    }

    @Test func `then a header that counts no time for it is trusted`() throws {
      let facts = try facts(header: 900, [(9, 100), (1, 0)])
      #expect(facts.durations.presented?.length == MediaDuration(9, 10))
      #expect(facts.notes.contains { $0.id == .lastDurationZero })
    }

    @Test func `then without such a header it has the file's usual frame duration`() throws {
      let facts = try facts(header: 0, [(8, 100), (1, 500), (1, 0)])
      #expect(facts.durations.presented?.length == MediaDuration(14, 10))
      #expect(facts.notes.contains { $0.id == .lastDurationMissing })
    }
  }

  @Suite struct `When a box claims less than its own header` {
    private func clip() -> ClipBuilder {
      var clip = ClipBuilder()
      clip.mediaBytes = 1100
      return clip
    }

    @Test func `then it is reported with its place, and what follows it is read`() throws {
      var boxes = clip().boxes
      boxes.insert(BoxBuilder("free").claiming(3), at: 1)
      let folder = try ScratchFolder()
      let path = try folder.write(boxes.bytes, to: "clip.mp4")
      let facts = try Prober().probe(.file(path: Array(path.utf8)))
      #expect(facts.durations.presented?.length == MediaDuration(1))
      let damage = try #require(facts.damage.first { $0.kind == .invalidStructure })
      #expect(damage.byteOffset == Int64(boxes[0].bytes.count))
      #expect(damage.text.contains("“free”"))
    }

    @Test func `then such a box within the header is reported, and what follows it is read, too`()
      throws
    {
      var clip = clip()
      clip.tracks[0].trackBoxes = [
        BoxBuilder("free").claiming(5),
        BoxBuilder("udta", [BoxBuilder("name", fields: [.text("Behind")])]),
      ]
      let folder = try ScratchFolder()
      let path = try folder.write(clip.bytes, to: "clip.mp4")
      let facts = try Prober().probe(.file(path: Array(path.utf8)))
      #expect(facts.tracks[0].title == "Behind")
      #expect(facts.damage.contains { $0.text.contains("“free” in “trak”") })
    }

    @Test func `then FFmpeg reads what follows it too`() throws {
      let bytes = try SampleClips.bytes("fragmented.mp4")
      let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
      let broken = bytes[..<size] + BoxBuilder("free").claiming(3).bytes + bytes[size...]
      let folder = try ScratchFolder()
      let path = try folder.write(Array(broken), to: "clip.mp4")
      let whole = try Prober().probe(
        .file(path: Array(SampleClips.path("fragmented.mp4").utf8)),
        options: ProbeOptions(depth: .frames))
      let facts = try Prober().probe(
        .file(path: Array(path.utf8)), options: ProbeOptions(depth: .frames))
      #expect(facts.durations.presented == whole.durations.presented)
      #expect(facts.durations.decoded == whole.durations.decoded)
    }
  }

  @Test func `then E-AC-3 ends where its last packet does, at every depth`() throws {
    // Frames of one block each, in a table that counts six.
    let frame = { (bytes: Int) -> [UInt8] in
      let head = BitBuilder.bytes { bits in
        for (value, count) in [
          (0x0B77, 16), (0, 2), (0, 3), (bytes / 2 - 1, 11), (0, 2), (0, 2), (7, 3), (1, 1),
          (16, 5), (31, 5),
        ] {
          bits.write(value, count)
        }
      }
      return head + [UInt8](repeating: 0, count: bytes - head.count)
    }
    var clip = ClipBuilder()
    clip.tracks[0].handler = "soun"
    clip.tracks[0].timescale = 48_000
    clip.tracks[0].mediaDuration = 15_360
    clip.tracks[0].entry = ClipBuilder.audioEntry(
      "ec-3", rate: 48_000, [BoxBuilder("dec3", fields: [.bytes([6, 0, 0x20, 0x0F, 0])])])
    clip.tracks[0].durations = [(10, 1536)]
    clip.tracks[0].syncSamples = nil
    clip.mediaContent = (0..<10).flatMap { _ in frame(100) }
    let lengths = try [RequestedDepth.auto, .packets].map {
      try probe(clip.bytes, $0).durations.presented?.length
    }
    let own = MediaDuration(9 * 1536 + 256, 48_000)
    #expect(lengths == [own, own])
    #expect(try probe(clip.bytes).notes.contains { $0.id == .lastPacketShorter })
  }

  @Test func `then AVI's last frame lasts to the end that its chunks count`() throws {
    let picture = [UInt8](repeating: 0x40, count: 16 * 16 * 3)
    let packets = (0..<10).flatMap { _ in [picture, []] }
    let bytes = RIFFBuilder.clip(
      type: "vids", format: RIFFBuilder.bitmap(width: 16, height: 16, codec: "\0\0\0\0"),
      packets: packets, named: "00db")
    let facts = try probe(bytes)
    #expect(facts.tracks[0].frameCount == 10)
    #expect(facts.tracks[0].durations.presented?.length == MediaDuration(20, 25))
  }
}

extension [UInt8] {
  /// The first occurrence of a text after another.
  fileprivate func firstRange(of text: [UInt8], in mark: String) -> Range<Int>? {
    guard let start = firstRange(of: Array(mark.utf8))?.upperBound else { return nil }
    return self[start...].firstRange(of: text)
  }
}
