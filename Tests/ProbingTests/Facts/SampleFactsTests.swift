import ExactTime
import MediaFacts
import Probing
import Support
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Given the sample files` {
  static func facts(_ name: String) throws -> MediaFacts {
    try Prober().probe(
      .file(path: Array(SampleClips.path(name).utf8)), options: ProbeOptions(wantsKeyframes: true))
  }

  /// Keyframes with their frame number, class and number of leading frames.
  struct Keyframes: Sendable, CustomTestStringConvertible {
    var name: String
    var frames: [Int]
    var access: [RandomAccessKind]
    var leading: [Int]
    var testDescription: String { name }

    static let known = [
      Keyframes(
        name: "b-frames.mp4", frames: [0, 25, 50, 75], access: [.idr, .idr, .idr, .idr],
        leading: [0, 0, 0, 0]),
      Keyframes(
        name: "hevc.mp4", frames: [0, 25, 50], access: [.idr, .cra, .cra], leading: [0, 3, 2]),
      Keyframes(
        name: "open-gop.mp4", frames: [0, 24, 48, 72, 96],
        access: [.idr] + [RandomAccessKind](repeating: .recoveryPoint, count: 4),
        leading: [0, 3, 3, 3, 3]),
      Keyframes(
        name: "fragmented.mp4", frames: [0, 25, 50], access: [.idr, .idr, .idr],
        leading: [0, 0, 0]),
      Keyframes(
        name: "broadcast.ts", frames: [0, 25, 50], access: [.idr, .idr, .idr], leading: [0, 0, 0]),
      Keyframes(name: "live.webm", frames: [0], access: [.intra], leading: [0]),
      Keyframes(name: "chapters.mkv", frames: [0], access: [.idr], leading: [0]),
    ]
  }

  @Test(arguments: Keyframes.known)
  func `then keyframes are classified by their bitstream, with their leading frames`(
    _ known: Keyframes
  ) throws {
    let track = try #require(try Self.facts(known.name).tracks.first { $0.kind == .video })
    #expect(track.keyframes.map(\.frame) == known.frames)
    #expect(track.keyframes.map(\.access) == known.access)
    #expect(track.keyframes.map(\.leadingFrames) == known.leading)
    let open = known.leading.count { $0 > 0 }
    #expect(track.gops?.openCount == open)
    #expect(track.gops?.closedCount == known.leading.count - open)
    #expect(track.keyframes.map(\.isClean) == known.leading.map { $0 == 0 })
  }

  @Test(arguments: [
    ("b-frames.mp4", "h264", "High", "1.1", "yuv420p"),
    ("hevc.mp4", "hevc", "Main", "1.0", "yuv420p"),
    ("live.webm", "vp8", nil, nil, "yuv420p"),
    ("broadcast.ts", "h264", "High", "1.1", "yuv420p"),
  ])
  func `then the video's codec, profile, level and format are reported`(
    _ name: String, _ codec: Codec, _ profile: String?, _ level: String?, _ format: String
  ) throws {
    let track = try #require(try Self.facts(name).tracks.first { $0.kind == .video })
    #expect(track.codec == codec)
    #expect(track.profile == profile)
    #expect(track.level == level)
    #expect(track.video?.pixelFormat == format)
    #expect(track.video?.width == 160)
    #expect(track.video?.height == 90)
  }

  @Test(arguments: [
    ("adts.aac", "aac", 44100), ("sound.opus", "opus", 48000), ("sound.m4a", "aac", 44100),
    ("gapless.mp3", "mp3", 44100), ("b-frames.mp4", "aac", 44100), ("live.webm", "opus", 48000),
    ("broadcast.ts", "aac", 48000), ("at-limit.mp4", "aac", 8000),
  ])
  func `then the audio's codec and rate are reported`(
    _ name: String, _ codec: Codec, _ rate: Int
  ) throws {
    let track = try #require(try Self.facts(name).tracks.first { $0.kind == .audio })
    #expect(track.codec == codec)
    #expect(track.audio?.sampleRate == rate)
    #expect(track.audio?.channels == 1)
    #expect(track.audio?.channelLayout == "mono")
  }

  @Test func `when one is rotated then the clockwise angle is reported`() throws {
    let video = try #require(try Self.facts("rotated.mp4").tracks.first?.video)
    #expect(video.rotation == 270)
    #expect(!video.isMirrored)
  }

  @Test func `when its pixels are not square then their aspect ratio is reported`() throws {
    let video = try #require(try Self.facts("anamorphic.mp4").tracks.first?.video)
    #expect(video.sampleAspectRatio == Rational(4, 3))
  }

  @Test func `when it has a timecode track then video and timecode share the start label`()
    throws
  {
    let tracks = try Self.facts("ntsc.mp4").tracks
    #expect(tracks.map(\.kind) == [.video, .timecode])
    #expect(tracks.map(\.timecode) == ["00:00:59;20", "00:00:59;20"])
  }

  @Test(arguments: [
    ("ntsc.mp4", Rational(30000, 1001), Rational(30000, 1001), true),
    ("b-frames.mp4", Rational(25), Rational(25), true),
    ("live.webm", Rational(25), Rational(25), true),
    ("vfr.mp4", nil, Rational(125, 7), false),
  ])
  func `then frame rates are reported, and whether they are constant`(
    _ name: String, _ nominal: Rational?, _ average: Rational, _ isConstant: Bool
  ) throws {
    let video = try #require(try Self.facts(name).tracks.first { $0.kind == .video }?.video)
    #expect(video.nominalFrameRate == nominal)
    #expect(video.averageFrameRate == average)
    #expect(video.isConstantFrameRate == isConstant)
  }

  @Test func `when it has chapters and languages then they are reported`() throws {
    let facts = try Self.facts("chapters.mkv")
    #expect(facts.chapters.map(\.number) == [1, 2, 3])
    #expect(facts.chapters.map(\.title).allSatisfy { $0 != nil })
    #expect(facts.tracks.map(\.language) == [nil, "eng", "fra", "deu"])
    #expect(facts.tracks.map(\.title) == [nil, nil, "Commentary", nil])
    #expect(facts.tracks.map(\.kind) == [.video, .audio, .audio, .subtitle])
  }

  @Test func `when an audio file has cover art then that is not a video track`() throws {
    let tracks = try Self.facts("sound.m4a").tracks
    #expect(tracks.map(\.isCoverArt) == [false, true])
    #expect(tracks.map(\.isPresented) == [true, false])
  }
}
