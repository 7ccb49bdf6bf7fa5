import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// Readers other than FFmpeg expect PCM in WAV, AIFF and CAF, though there are tags for other codecs.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given compressed audio that is cut into WAV` {
  struct Clip: Sendable, CustomTestStringConvertible {
    var name: String
    var words: [String]
    var bits = 16
    var testDescription: String { words.joined(separator: " ") }

    static let all = [
      Clip(name: "a.mp3", words: ["-c:a", "libmp3lame"]),
      Clip(name: "a.mka", words: ["-c:a", "mp2"]),
      Clip(name: "a.mka", words: ["-c:a", "ac3"]),
      Clip(name: "a.wav", words: ["-c:a", "adpcm_ms"]),
      Clip(name: "a.flac", words: ["-c:a", "flac", "-sample_fmt", "s32"], bits: 24),
    ]
  }

  private static func samples(_ path: String) async throws -> [Int16] {
    HeardAudio.samples(
      try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-f", "s16le", "-"]).out)
  }

  @Test(arguments: Clip.all, [AudioChoice.copy, .reencode])
  func `then it holds PCM of the source's depth, from IN to OUT to the sample`(
    _ clip: Clip, _ choice: AudioChoice
  ) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: clip.name), folder.path(of: "cut.wav"))
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=1.5:seed=3:a=0.4"] + clip.words
        + [path])
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: MediaTime(1, 3), to: MediaTime(1))),
      verification: .full)
    if choice == .reencode { request.audio = .reencode }
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(CutOrder(request, to: Array(output.utf8)))
    #expect(report.plan.written.length == MediaDuration(29_400, 44_100))
    let bytes = try fileBytes(output)
    let format = try #require(bytes.firstRange(of: Array("fmt ".utf8))).upperBound + 4
    // WAVE_FORMAT_PCM: simple readers do not know WAVE_FORMAT_EXTENSIBLE.
    #expect(Array(bytes[format..<format + 2]) == [1, 0])
    #expect(Int(bytes[format + 14]) == clip.bits)
    let (heard, source) = (try await Self.samples(output), try await Self.samples(path))
    #expect(heard.count == 29_400)
    let expected = source[14_700..<44_100]
    let differences: [Int] = zip(heard, expected).map { abs(Int($0) - Int($1)) }
    if clip.words.contains("ac3") {
      // FFmpeg fills mantissas of no bits with noise, which differs from run to run (A/52, 7.3.4).
      let (wrong, whole) = (differences.reduce(0, +), expected.reduce(0) { $0 + abs(Int($1)) })
      #expect(wrong * 2 < whole)
    } else {
      #expect(differences.allSatisfy { $0 <= 1 })
    }
  }

  enum AudioChoice: Sendable { case copy, reencode }
}

/// ITU-T G.711: eight bits that stand for fourteen or thirteen, which only some readers of PCM know.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given audio in μ-law or A-law` {
  @Test(arguments: ["pcm_mulaw", "pcm_alaw"], ["wav", "aiff", "caf"])
  func `when it is cut into a file of samples then they are linear, and each is exact`(
    _ codec: String, _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    for source in ["clip.wav", "clip.mov"] {
      let (path, output) = (folder.path(of: source), folder.path(of: "cut." + ending))
      _ = try await EncodedClip.ffmpeg([
        "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=8000:d=2:seed=3:a=0.9", "-c:a", codec,
        path,
      ])
      let range = try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3, 2)))
      let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
        CutOrder(
          CutRequest(range: range, verification: .full), to: Array(output.utf8), replaces: true))
      #expect(report.plan.tracks.first?.encodedAs?.rawValue.hasPrefix("pcm_s16") == true)
      let facts = try Prober(isCancelled: { false }).probe(.file(path: Array(output.utf8)))
      #expect(facts.tracks.first?.codec == (ending == "aiff" ? "pcm_s16be" : "pcm_s16le"))
      let out = try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-f", "s16le", "-"]).out
      let whole = HeardAudio.samples(out)
      let bytes = try fileBytes(output)
      // The samples end the file; AIFF has its most significant byte first.
      let samples = HeardAudio.samples(Array(bytes.suffix(16_000)))
      let heard = ending == "aiff" ? samples.map(\.byteSwapped) : samples
      #expect(heard == Array(whole[4000..<12_000]), "\(source)")
    }
  }
}
