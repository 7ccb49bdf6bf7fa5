import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Four seconds of noise that never repeats, in a codec and a container.
private struct NoiseClip: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var ending: String
  var words: [String]
  /// Extra samples that FFmpeg decodes from the cut, where it ignores the container's end.
  var surplus = 0

  var isLossless: Bool { Self.lossless.contains { $0.testDescription == testDescription } }

  static let rate = 48000

  static let lossy = [
    NoiseClip(
      testDescription: "AAC in MP4", ending: "m4a", words: ["-c:a", "aac"], surplus: 1023),
    NoiseClip(
      testDescription: "AAC in a transport stream", ending: "ts", words: ["-c:a", "aac"],
      surplus: 1023),
    NoiseClip(testDescription: "AAC in Matroska", ending: "mka", words: ["-c:a", "aac"]),
    NoiseClip(testDescription: "MP3", ending: "mp3", words: ["-c:a", "libmp3lame"]),
    NoiseClip(
      testDescription: "MP3 in AVI", ending: "avi", words: ["-c:a", "libmp3lame"], surplus: 1151),
    NoiseClip(testDescription: "Opus in Ogg", ending: "opus", words: ["-c:a", "libopus"]),
    NoiseClip(testDescription: "Opus in WebM", ending: "webm", words: ["-c:a", "libopus"]),
    NoiseClip(testDescription: "Vorbis in Ogg", ending: "ogg", words: ["-c:a", "libvorbis"]),
    NoiseClip(
      testDescription: "AC-3 in MP4", ending: "mp4", words: ["-c:a", "ac3", "-b:a", "192k"],
      surplus: 2047),
  ]

  /// Sixteen-bit codecs.
  static let lossless = [
    NoiseClip(
      testDescription: "FLAC", ending: "flac", words: ["-c:a", "flac", "-sample_fmt", "s16"]),
    NoiseClip(
      testDescription: "FLAC in Ogg", ending: "ogg", words: ["-c:a", "flac", "-sample_fmt", "s16"]),
    NoiseClip(
      testDescription: "FLAC in Matroska", ending: "mka",
      words: ["-c:a", "flac", "-sample_fmt", "s16"]),
    NoiseClip(
      testDescription: "ALAC in Matroska", ending: "mkv",
      words: ["-c:a", "alac", "-sample_fmt", "s16p"]),
    NoiseClip(
      testDescription: "FLAC in MP4", ending: "mp4",
      words: ["-c:a", "flac", "-sample_fmt", "s16", "-strict", "-2"]),
    NoiseClip(
      testDescription: "ALAC in MP4", ending: "m4a",
      words: ["-c:a", "alac", "-sample_fmt", "s16p"]),
  ]

  static func named(_ name: String) -> NoiseClip {
    guard let clip = (lossy + lossless).first(where: { $0.testDescription == name }) else {
      fatalError("there is not a clip \(name)")
    }
    return clip
  }

  func make(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "noise." + ending)
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=\(Self.rate):d=4:seed=3:a=0.4", "-af",
        "lowpass=4000", "-ac", "2",
      ] + words + [path])
    return path
  }

  /// The samples of a file, both channels mixed.
  static func samples(_ path: String, _ more: [String] = []) async throws -> [Int16] {
    let run = try await EncodedClip.ffmpeg(
      ["-v", "error", "-i", path, "-map", "0:a:0"] + more + ["-ac", "1", "-f", "s16le", "-"])
    return HeardAudio.samples(run.out)
  }
}

private let range = (from: MediaTime(1111, 1000), to: MediaTime(3217, 1000))
private let first = 1111 * NoiseClip.rate / 1000
private let last = 3217 * NoiseClip.rate / 1000

private func cut(
  _ path: String, to output: [UInt8], _ ending: String, audio: AudioMode
) throws -> CutReport {
  let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  var request = CutRequest(
    range: try #require(MediaTimeRange(from: range.from, to: range.to)))
  request.audio = audio
  return try clip.cut(
    request, to: output, as: try #require(OutputContainer(nameEnding: ending)))
}

private let isPossible: Bool = EncodedClip.isPossible

@Suite(.enabled(if: isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a file whose audio is lossless` {
  @Suite(.timeLimit(.minutes(5))) struct `When a part is cut that begins and ends within a packet` {
    @Test(arguments: NoiseClip.lossless)
    fileprivate func `then it has exactly the samples of the part`(
      _ clip: NoiseClip
    ) async throws {
      let folder = try ScratchFolder()
      let path = try await clip.make(in: folder)
      let output = folder.path(of: "cut." + clip.ending)
      let report = try cut(path, to: Array(output.utf8), clip.ending, audio: .copy)
      #expect(report.plan.tracks[0].encoded > 0)
      #expect(report.plan.encodedFrames == 0)
      let source = try await NoiseClip.samples(path)
      let written = try await NoiseClip.samples(output)
      #expect(written.count == last - first)
      let isSame = written == Array(source[first..<last])
      #expect(isSame)
      let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
      #expect(facts.durations.declared?.length == MediaDuration(2106, 1000))
    }
  }

  @Suite(.timeLimit(.minutes(5))) struct `When a part is cut that begins and ends with packets` {
    @Test func `then they are copied`() async throws {
      let folder = try ScratchFolder()
      let path = try await NoiseClip.lossless[0].make(in: folder)
      let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      // Blocks of 4608 samples.
      let part = try #require(MediaTimeRange(from: MediaTime(96, 1000), to: MediaTime(960, 1000)))
      let plan = try clip.plan(CutRequest(range: part), for: .flac)
      #expect(plan.tracks[0].encoded == 0)
    }
  }
}

@Suite(.enabled(if: isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given AAC in MP4 whose last packet is partly heard` {
  @Test(arguments: ["mkv", "ts", "aac"])
  func `when its end is copied into a container that cannot hide audio then all of it counts`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await NoiseClip.named("AAC in MP4").make(in: folder)
    let output = folder.path(of: "cut." + ending)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let report = try clip.cut(
      CutRequest(range: try #require(MediaTimeRange(from: range.from, to: MediaTime(4)))),
      to: Array(output.utf8), as: try #require(OutputContainer(nameEnding: ending)))
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    let presented = try #require(facts.durations.presented?.length)
    let samples = try await NoiseClip.samples(output).count
    #expect(report.plan.length == MediaDuration(Int64(samples), 48000))
    let difference = try presented.subtracting(report.plan.length).checkedMagnitude()
    #expect(difference <= MediaDuration(1, 1000))
  }
}

@Suite(.enabled(if: isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given Vorbis in Ogg whose packets are copied` {
  /// Most muxers write less than a second as one Ogg page, which makes its start ambiguous.
  @Test(arguments: [MediaTime(3217, 1000), MediaTime(1131, 1000), MediaTime(1311, 1000)])
  func `then it begins within a packet before the part and ends with its last sample`(
    _ end: MediaTime
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await NoiseClip.named("Vorbis in Ogg").make(in: folder)
    let output = folder.path(of: "cut.ogg")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let report = try clip.cut(
      CutRequest(range: try #require(MediaTimeRange(from: range.from, to: end))),
      to: Array(output.utf8), as: .ogg)
    let begin = try #require(report.plan.tracks[0].source?.start)
    let early = try range.from.distance(from: begin)
    #expect(early >= .zero && early < MediaDuration(1, 20))
    let source = try await NoiseClip.samples(path)
    let written = try await NoiseClip.samples(output)
    let start = Int(try TickGrid(ticksPerSecond: 48000).tick(of: begin, rounding: .nearest))
    let stop = Int(try TickGrid(ticksPerSecond: 48000).tick(of: end, rounding: .nearest))
    #expect(written.count == stop - start)
    let isSame = written == Array(source[start..<stop])
    #expect(isSame)
  }
}

@Suite(.enabled(if: isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a file whose audio is to be re-encoded` {
  @Test(arguments: NoiseClip.lossy)
  fileprivate func `then every sample is where it was, and there are as many`(
    _ clip: NoiseClip
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await clip.make(in: folder)
    let output = folder.path(of: "cut." + clip.ending)
    let report = try cut(path, to: Array(output.utf8), clip.ending, audio: .reencode)
    #expect(report.plan.tracks[0].encoded == report.plan.tracks[0].packets)
    #expect(report.plan.tracks[0].copiedBytes == 0)
    let source = try await NoiseClip.samples(path)
    let written = try await NoiseClip.samples(output)
    #expect((last - first...last - first + clip.surplus).contains(written.count))
    for place in [4000, written.count - 12000] {
      #expect(
        HeardAudio.lag(of: written[place..<place + 8000], in: source, near: first + place) == 0)
    }
  }

  @Test func `then a codec without an encoder becomes the container's default`()
    async throws
  {
    let folder = try ScratchFolder()
    let clip = NoiseClip(testDescription: "", ending: "wav", words: ["-c:a", "adpcm_ima_wav"])
    let path = try await clip.make(in: folder)
    let output = folder.path(of: "cut.wav")
    let report = try cut(path, to: Array(output.utf8), "wav", audio: .reencode)
    #expect(report.plan.tracks.map(\.encodedAs) == ["pcm_s16le"])
    #expect(report.plan.tracks.map(\.reasons) == [[.codecDoesNotFit]])
    let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
    #expect(facts.tracks.map(\.codec) == ["pcm_s16le"])
  }

  /// Out of order, and between video frames and packets.
  private static let parts: [Range<Int64>] = [1111..<2013, 303..<907, 2013..<2999]

  @Test(
    arguments: ["AAC in MP4", "AAC in Matroska", "MP3", "Opus in WebM", "FLAC", "ALAC in Matroska"]
      .map(NoiseClip.named))
  fileprivate func
    `then several parts become one audio stream, every sample where it was requested`(
      _ clip: NoiseClip
    ) async throws
  {
    let folder = try ScratchFolder()
    let path = try await clip.make(in: folder)
    let output = folder.path(of: "joined." + clip.ending)
    let ranges = try Self.parts.map {
      try #require(
        MediaTimeRange(from: MediaTime($0.lowerBound, 1000), to: MediaTime($0.upperBound, 1000)))
    }
    var request = CutRequest(range: ranges[0], verification: .full)
    for range in ranges.dropFirst() { request.join(range) }
    request.audio = .reencode
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      request, to: Array(output.utf8),
      as: try #require(OutputContainer(nameEnding: clip.ending)))
    let total = Self.parts.reduce(0) { $0 + $1.count } * 48
    #expect(report.plan.length == MediaDuration(Int64(total), 48000))
    let source = try await NoiseClip.samples(path)
    let written = try await NoiseClip.samples(output)
    try #require((total...total + clip.surplus).contains(written.count))
    var place = 0
    for part in Self.parts {
      let (first, count) = (Int(part.lowerBound) * 48, part.count * 48)
      if clip.isLossless {
        let isSame = written[place..<place + count] == source[first..<first + count]
        #expect(isSame, "\(part)")
      } else {
        for lead in [2000, count - 10000] {
          let stretch = written[place + lead..<place + lead + 8000]
          #expect(HeardAudio.lag(of: stretch, in: source, near: first + lead) == 0, "\(part)")
        }
      }
      place += count
    }
  }
}
