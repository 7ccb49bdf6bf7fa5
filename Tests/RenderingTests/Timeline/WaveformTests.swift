import ExactTime
import MediaFiles
import Probing
import Rendering
import Support
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Given the waveform of a file` {
  /// A file, and the number of sound samples that it presents.
  struct Clip: Sendable, CustomTestStringConvertible {
    var name: String
    var samples: Int
    var testDescription: String { name }

    static let all = [
      Clip(name: "b-frames.mp4", samples: 176_400), Clip(name: "at-limit.mp4", samples: 484_000),
      Clip(name: "sound.m4a", samples: 132_300), Clip(name: "gapless.mp3", samples: 132_300),
      Clip(name: "sound.opus", samples: 144_000), Clip(name: "vbr.mp3", samples: 222_336),
      Clip(name: "adts.aac", samples: 222_208), Clip(name: "chapters.mkv", samples: 288_000),
      Clip(name: "live.webm", samples: 144_000), Clip(name: "broadcast.ts", samples: 145_408),
    ]
  }

  static func track(_ name: String) throws -> (AudioTrack, MediaTimeRange) {
    let path = Array(SampleClips.path(name).utf8)
    let facts = try Prober().probe(.file(path: path))
    let presented = try #require(facts.durations.presented)
    let origin = try #require(presented.start)
    let track = try AudioTrack(path, facts: facts, origin: origin)
    return (track, try MediaTimeRange(from: .zero, length: presented.length))
  }

  /// The first sound track from another decoder.
  static func decoded(_ name: String) async throws -> [Float] {
    let words = [
      "ffmpeg", "-v", "error", "-i", SampleClips.path(name), "-map", "0:a:0", "-f", "f32le", "-",
    ]
    let run = try await ProgramRun(words.map { Array($0.utf8) })
    return run.out.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map {
        Float(bitPattern: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
      }
    }
  }

  @Test(arguments: Clip.all)
  func `when it is made then its levels are those of the decoded samples, without hidden ones`(
    _ clip: Clip
  ) async throws {
    let (track, range) = try Self.track(clip.name)
    let wave = try Waveform(of: track, in: range, scale: .samplesPerPixel(100))
    let samples = try await Self.decoded(clip.name)
    #expect(samples.count >= clip.samples)
    let whole = clip.samples / 100
    for pixel in 0..<whole {
      let run = samples[pixel * 100..<pixel * 100 + 100]
      try #require(wave.channels[0].low[pixel] == run.min(), "pixel \(pixel)")
      try #require(wave.channels[0].high[pixel] == run.max(), "pixel \(pixel)")
      let mean = (run.reduce(0) { $0 + Double($1) * Double($1) } / 100).squareRoot()
      try #require(abs(Double(wave.channels[0].rms[pixel]) - mean) < 1e-5, "pixel \(pixel)")
    }
    let rest = samples[whole * 100..<clip.samples]
    if let least = rest.min() { #expect(wave.channels[0].low[whole] == least) }
    // After the sound there is silence up to the end of the file.
    let silent = wave.channels[0].high.dropFirst((clip.samples + 99) / 100)
    #expect(silent.allSatisfy { $0 == 0 })
    #expect(wave.sampleCount >= clip.samples)
  }

  @Test func `when packets leave a gap then there is silence, and what follows is in place`()
    async throws
  {
    // The second packet of its sound starts 3,840 samples after the first, which has 1,024.
    let (track, range) = try Self.track("fragmented.mp4")
    let wave = try Waveform(of: track, in: range, scale: .samplesPerPixel(256))
    let samples = try await Self.decoded("fragmented.mp4")
    for pixel in 0..<20 {
      let start = pixel < 4 ? pixel * 256 : (pixel - 11) * 256
      let isGap = (4..<15).contains(pixel)
      let level = isGap ? 0 : samples[start..<start + 256].max()
      #expect(wave.channels[0].high[pixel] == level, "pixel \(pixel)")
    }
  }

  @Test func `when a part is drawn then its first pixel begins where the part does`() async throws {
    let (track, _) = try Self.track("b-frames.mp4")
    let part = try #require(MediaTimeRange(from: MediaTime(3, 2), to: MediaTime(5, 2)))
    let wave = try Waveform(of: track, in: part, scale: .samplesPerPixel(50))
    #expect(wave.pixelCount == 882)
    let samples = try await Self.decoded("b-frames.mp4")
    for pixel in 0..<882 {
      let start = 66_150 + pixel * 50
      try #require(wave.channels[0].high[pixel] == samples[start..<start + 50].max())
    }
  }

  @Test(arguments: [1, 7, 1200, 5000])
  func `when it has any number of pixels then every sample is in exactly one of them`(
    _ pixels: Int
  ) async throws {
    let (track, range) = try Self.track("sound.m4a")
    let wave = try Waveform(of: track, in: range, scale: .pixels(pixels))
    #expect(wave.pixelCount == pixels)
    let samples = try await Self.decoded("sound.m4a")
    for pixel in 0..<pixels {
      let run = samples[pixel * 132_300 / pixels..<(pixel + 1) * 132_300 / pixels]
      try #require(wave.channels[0].low[pixel] == run.min(), "pixel \(pixel)")
    }
  }

  @Test func `when it becomes JSON then it is what audiowaveform writes`() throws {
    let channel = Waveform.Channel(low: [-1, -0.5, 0], high: [1, 0.25, 0], rms: [0, 0, 0])
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1, 16)))
    let wave = Waveform(
      range: range, sampleRate: 8000, scale: .samplesPerPixel(200), sampleCount: 500,
      channels: [channel, channel])
    let head = "{\"version\":2,\"channels\":2,\"sample_rate\":8000,\"samples_per_pixel\":200,"
    let sixteen = try #require(wave.json())
    #expect(
      String(decoding: sixteen, as: UTF8.self) == head + "\"bits\":16,\"length\":3,\"data\":["
        + "-32768,32767,-32768,32767,-16384,8192,-16384,8192,0,0,0,0]}\n")
    let eight = try #require(wave.json(bits: .eight))
    #expect(
      String(decoding: eight, as: UTF8.self) == head + "\"bits\":8,\"length\":3,\"data\":["
        + "-128,127,-128,127,-64,32,-64,32,0,0,0,0]}\n")
  }

  @Test func `when it becomes an image then loud columns are tall and silent ones a line`() throws {
    let channel = Waveform.Channel(low: [-1, 0, -0.5], high: [1, 0, 0.5], rms: [0.5, 0, 0.3])
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    let wave = Waveform(
      range: range, sampleRate: 8000, scale: .pixels(3), sampleCount: 8000, channels: [channel])
    let colors = Waveform.Colors()
    let picture = wave.picture(height: 21)
    #expect((picture.width, picture.height) == (3, 21))
    func rows(_ column: Int, _ color: [UInt8]) -> Int {
      (0..<21).count {
        let offset = ($0 * 3 + column) * 3
        return Array(picture.pixels[offset..<offset + 3]) == color
      }
    }
    #expect((0..<3).map { rows($0, colors.mean) } == [11, 0, 7])
    #expect((0..<3).map { rows($0, colors.peaks) } == [10, 0, 4])
    #expect((0..<3).map { rows($0, colors.axis) } == [0, 1, 0])
  }

  @Test func `when the file has no audio then that is reported`() throws {
    let path = Array(SampleClips.path("silent.mp4").utf8)
    let facts = try Prober().probe(.file(path: path))
    let error = #expect(throws: MediaError.self) { try AudioTrack(path, facts: facts) }
    #expect(error?.code == .noSound)
  }
}
