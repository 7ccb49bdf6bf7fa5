import ExactTime
import FoundationEssentials
import MediaFacts
import Testing

@Suite struct `Given everything that is known about a file` {
  static let clip: MediaFacts = {
    var picture = TrackFacts(id: 1, index: 0, kind: .video, codec: "hevc")
    picture.codecTag = "hvc1"
    picture.profile = "Main 10"
    picture.level = "4.1"
    picture.language = "deu"
    picture.title = "Bild \u{202E}"
    picture.dispositions = ["default"]
    picture.tags = [Tag(key: "handler_name", value: "\u{1B}[31m")]
    picture.grid = TickGrid(ticksPerSecond: 90_000)
    picture.durations.track = DurationFact(
      length: MediaDuration(5_444_439, 90_000), start: MediaTime(1001, 30_000),
      source: .trackHeader, trackID: 1)
    picture.sampleCount = 1813
    picture.frameCount = 1811
    picture.bitRate = .max
    var size = VideoFacts(width: 1920, height: 1080)
    size.sampleAspectRatio = Rational(4, 3)
    size.rotation = 270
    size.isMirrored = true
    size.nominalFrameRate = Rational(30_000, 1001)
    size.isConstantFrameRate = false
    picture.video = size
    picture.edits = [
      EditFacts(length: MediaDuration(1, 600), mediaStart: nil, rate: .one),
      EditFacts(length: nil, mediaStart: MediaTime(-1, 90_000), rate: Rational(1, 2)),
    ]
    picture.timecode = "01:00:00;02"
    picture.keyframes = [
      KeyframeFacts(frame: 0, time: .zero, access: .idr, byteOffset: 48),
      KeyframeFacts(frame: nil, time: MediaTime(-1), access: .cra, leadingFrames: 3),
    ]
    picture.gops = GOPFacts(
      count: 2, closedCount: 1, openCount: 1, shortestFrames: 12, longestFrames: 250,
      longestLength: MediaDuration(25, 3))

    var sound = TrackFacts(id: 2, index: 1, kind: .audio, codec: "aac")
    sound.isEncrypted = true
    var audio = AudioFacts(sampleRate: 48_000, channels: 6, channelLayout: "5.1")
    audio.priming = 2112
    audio.padding = 576
    sound.audio = audio

    var durations = Durations()
    for kind in DurationKind.allCases {
      durations[kind] = DurationFact(length: MediaDuration(121, 2), source: .sampleTable)
    }
    return MediaFacts(
      container: ContainerFacts(
        format: "mov", longName: "QuickTime / MOV", brands: ["isom", "iso2"], isFragmented: true,
        isSeekable: false, bitRate: 1),
      durations: durations, tracks: [picture, sound],
      chapters: [ChapterFacts(number: 1, title: nil, start: .zero, end: MediaTime(1, 3))],
      tags: [Tag(key: "title", value: "\u{0}")],
      notes: [Note(.editListStartOffset, track: 1, "The picture starts late.")],
      damage: [Damage(.truncated, at: .max, track: 2, count: 7, "The file ends too soon.")],
      depth: .frames, byteCount: 34_864)
  }()

  @Test func `then it round-trips through JSON`() throws {
    let json = try JSONEncoder().encode(Self.clip)
    #expect(try JSONDecoder().decode(MediaFacts.self, from: json) == Self.clip)
  }

  @Test func `then its times are exact text in JSON`() throws {
    let json = String(decoding: try JSONEncoder().encode(Self.clip), as: UTF8.self)
    #expect(json.contains(#""121\/2""#))
  }

  @Suite struct `When its JSON was tampered with` {
    @Test(arguments: ["0", "-1/600", "1/0", "nan", "", "9223372036854775808"])
    func `then an invalid tick is refused`(_ tick: String) {
      let json = #"{"secondsPerTick": "\#(tick)"}"#
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(TickGrid.self, from: Data(json.utf8))
      }
    }

    @Test func `then a range that runs backward is refused`() {
      let json = #"{"start": "2", "end": "1"}"#
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(MediaTimeRange.self, from: Data(json.utf8))
      }
    }

    @Test(arguments: ["60.5", "1", "null", "[]"])
    func `then a time that is a number, not text, is refused`(_ json: String) {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(MediaTime.self, from: Data(json.utf8))
      }
    }
  }
}
