import ExactTime
import Support
import Testing

@testable import ISOMedia

/// A display matrix and the rotation it means.
struct Turn: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var degrees: Int
  var isMirrored = false
  /// a, b, c, d of the matrix in 65,536ths.
  var picture: [Int32]
  var movie: [Int32] = [1, 0, 0, 1]

  private static func matrix(_ parts: [Int32]) -> [Int32] {
    let one: Int32 = parts.contains { abs($0) > 1000 } ? 1 : 1 << 16
    return [
      parts[0] * one, parts[1] * one, 0, parts[2] * one, parts[3] * one, 0, 0, 0, 1 << 30,
    ]
  }

  var clip: ClipBuilder {
    var clip = ClipBuilder.with { $0.matrix = Self.matrix(picture) }
    clip.matrix = Self.matrix(movie)
    return clip
  }

  static let all = [
    Turn(testDescription: "upright", degrees: 0, picture: [1, 0, 0, 1]),
    Turn(testDescription: "a phone upright", degrees: 90, picture: [0, 1, -1, 0]),
    Turn(testDescription: "upside down", degrees: 180, picture: [-1, 0, 0, -1]),
    Turn(testDescription: "a phone the other way", degrees: 270, picture: [0, -1, 1, 0]),
    Turn(testDescription: "mirrored", degrees: 180, isMirrored: true, picture: [-1, 0, 0, 1]),
    Turn(testDescription: "flipped", degrees: 0, isMirrored: true, picture: [1, 0, 0, -1]),
    Turn(
      testDescription: "turned and mirrored", degrees: 90, isMirrored: true, picture: [0, 1, 1, 0]),
    Turn(
      testDescription: "30 degrees", degrees: 30, picture: [56_756, 32_768, -32_768, 56_756]),
    Turn(
      testDescription: "210 degrees, twice the size", degrees: 210,
      picture: [-113_512, -65_536, 65_536, -113_512]),
    Turn(
      testDescription: "turned by the movie's matrix", degrees: 90, picture: [1, 0, 0, 1],
      movie: [0, 1, -1, 0]),
    Turn(
      testDescription: "turned by both", degrees: 180, picture: [0, 1, -1, 0],
      movie: [0, 1, -1, 0]),
    Turn(testDescription: "a matrix of zeros", degrees: 0, picture: [0, 0, 0, 0]),
  ]
}

@Suite struct `Given a track's header` {
  @Test(arguments: Turn.all)
  func `then its matrix and the movie's give the rotation`(_ turn: Turn) throws {
    let orientation = try turn.clip.read().tracks[0].orientation
    #expect(orientation.degreesClockwise == turn.degrees)
    #expect(orientation.isMirrored == turn.isMirrored)
  }

  @Test(
    arguments: zip(
      [0x15C7, 0x55C4, 0, 11, 0x7FFF, 0x8000, 300] as [UInt16],
      ["eng", nil, "eng", "jpn", nil, nil, nil] as [String?]))
  func `then the language is a code of three letters, or none`(
    field: UInt16, language: String?
  ) throws {
    #expect(try ClipBuilder.with { $0.language = field }.read().tracks[0].language == language)
  }

  @Test(
    arguments: [
      ("Sound\u{0}", "Sound"), ("\u{5}Sound", "Sound"), ("\u{5}Sound\u{0}", "Sound"),
      ("\u{0}", nil),
    ] as [(String, String?)])
  func `then a handler's name ends with a zero or begins with its length`(
    text: String, name: String?
  ) throws {
    let field = Array(text.utf8)
    var bytes = ClipBuilder().bytes
    let handler = try #require(bytes.firstRange(of: Array("hdlr".utf8)))
    // The name is the last field of the box: 8 bytes, zeros where it is shorter.
    let place = handler.upperBound + 24
    let padded = field + Array(repeating: 0, count: 8 - field.count)
    bytes.replaceSubrange(place..<place + 8, with: padded)
    #expect(try ISOMovie(reading: InMemoryBytes(bytes)).tracks[0].handlerName == name)
  }

  @Test func `then its name, size and sample groups are read`() throws {
    let movie = try Clips.rich.read()
    let track = movie.tracks[0]
    #expect(track.title == "Main picture")
    #expect(track.handlerName == "Handler")
    #expect(track.displayWidth == 320)
    #expect(track.isEnabled)
    let roll = try #require(track.sampleGroup("roll"))
    #expect(
      (0..<10).map { roll.rollDistance(ofSample: $0) } == [nil, nil, nil, nil]
        + Array(repeating: -2, count: 6))
    #expect(roll.rollDistance(ofSample: 10) == nil)
    #expect(track.compositionShift?.compositionEnd == 1200)
    let table = try track.samples()
    #expect(table.partialSyncIndices == [2])
    #expect(table.dependencies.common == 0x60)
  }

  @Test func `then edits keep their ticks and rates exactly`() throws {
    for version: UInt8 in [0, 1] {
      let edits = try ClipBuilder.with {
        $0.edits = [(500, -1, 1), (1000, 100, 1)]
        $0.editVersion = version
      }.read().tracks[0].edits
      #expect(edits.map(\.isEmpty) == [true, false])
      #expect(edits[1] == ISOEdit(segmentDuration: 1000, mediaTime: 100, rate: .one))
    }
  }
}

@Suite struct `Given a sample entry` {
  @Test func `then a video track's aspect ratio, color and codec are read`() throws {
    let movie = try Clips.rich.read()
    let entry = try #require(movie.tracks[0].sampleEntries.first)
    let video = try #require(entry.video)
    #expect(video.width == 320)
    #expect(video.height == 240)
    #expect(video.sampleAspectRatio == Rational(4, 3))
    #expect(
      video.color
        == ISOSampleEntry.Color(primaries: 9, transfer: 16, matrix: 9, isFullRange: true))
    #expect(video.fields == ISOSampleEntry.Fields(count: 2, order: 9))
    #expect(entry.configuration("avcC") == [1, 100, 0, 31])
    #expect(entry.configuration("hvcC") == nil)
  }

  @Test func `then encryption is reported with the original format`() throws {
    let movie = try Clips.rich.read()
    let entry = try #require(movie.tracks[0].sampleEntries.first)
    #expect(movie.tracks[0].isEncrypted)
    #expect(entry.format == "encv")
    #expect(entry.codec == "avc1")
    #expect(entry.encryption?.scheme == "cenc")
    #expect(movie.protectionSystems == [String(repeating: "0", count: 32)])
    #expect(!movie.tracks[1].isEncrypted)
  }

  @Test func `then an audio track and its elementary stream are read`() throws {
    let entry = try #require(try Clips.rich.read().tracks[1].sampleEntries.first)
    #expect(entry.audio?.channels == 2)
    #expect(entry.audio?.sampleRate == 48_000)
    let stream = try #require(entry.elementaryStream)
    #expect(stream.objectType == 0x40)
    #expect(stream.averageBitRate == 128_000)
    #expect(stream.decoderConfiguration == [0x11, 0x90])
  }

  @Test func `then QuickTime's version 2 has its sample rate as a floating-point number`() throws {
    let entry = BoxBuilder(
      "lpcm",
      fields: [
        .zeros(6), .u16(1), .u16(2), .zeros(6), .u16(3), .u16(16), .zeros(4), .u32(0x1_0000),
        .u32(72), .u64((96_000.0).bitPattern), .u32(6), .u32(0x7F00_0000), .u32(24), .u32(12),
        .u32(18), .u32(1),
      ])
    let audio = try #require(
      try ClipBuilder.with {
        $0.handler = "soun"
        $0.entry = entry
      }.read().tracks[0].sampleEntries.first?.audio)
    #expect(audio.sampleRate == 96_000)
    #expect(audio.channels == 6)
    #expect(audio.sampleSize == 24)
    #expect(audio.bytesPerFrame == 18)
    #expect(audio.formatFlags == 12)
  }
}
