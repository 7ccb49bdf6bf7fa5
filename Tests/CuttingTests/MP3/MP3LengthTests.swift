import Bitstreams
import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a cut of an MP3` {
  /// Where the range ends with a packet, and within one by less than a decoder's delay and more.
  @Test(arguments: [0, 1, 528, 529, 700] as [Int64])
  func `then what its first frame counts, less what it hides, is the requested length`(
    _ hidden: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mp3")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:a",
      "libmp3lame", "-write_xing", "0", "-id3v2_version", "0", path,
    ])
    let end = MediaTime(100 * 1152 - hidden, 48_000)
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: end))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let output = folder.path(of: "cut.mp3")
    _ = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: .mp3)
    let bytes = try fileBytes(output)
    let start = try #require(bytes.indices.first { MPEGAudioInfo(bytes[$0...]) != nil })
    let info = try #require(MPEGAudioInfo(bytes[start...]))
    let (frames, delay, padding) = (
      try #require(info.frameCount), try #require(info.delay), try #require(info.padding)
    )
    let samples = try range.length.seconds.multiplied(by: Rational(48_000))
    #expect(Rational(Int64(frames * 1152 - delay - padding)) == samples)
    // The padding after the sound includes a decoder delay of 529.
    #expect(padding >= 529)
  }

  /// In so short a file FFmpeg may detect H.263, if the tag of the first frame contains a picture
  /// start code: three bytes of zeros and a bit rate or delay.
  @Test(arguments: [64, 128, 192], Sample.of(Array(0..<36), 3))
  func `then even a few frames can be read again`(_ rate: Int, _ step: Int) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mp3")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=r=44100:d=1", "-c:a", "libmp3lame", "-ac", "2",
      "-b:a", "\(rate)k", path,
    ])
    // Every delay from that of the first packet on, in steps of 32 samples.
    let from = MediaTime(Int64(step * 32), 44_100)
    let range = try MediaTimeRange(from: from, length: MediaDuration(20, 1000))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let output = folder.path(of: "cut.mp3")
    let report = try clip.cut(CutRequest(range: range), to: Array(output.utf8), as: .mp3)
    #expect(report.examination?.damage == [])
    let bytes = try fileBytes(output)
    let start = try #require(bytes.indices.first { MPEGAudioInfo(bytes[$0...]) != nil })
    // The checksum of the frame up to there follows LAME's extension.
    let header = try #require(MPEGAudioHeader(bytes[start...]))
    let sum = start + 4 + header.sideInformationByteCount + 154
    #expect(
      Checksum.reflectedCRC16(bytes[start..<sum]) == UInt16(bytes[sum]) << 8
        | UInt16(bytes[sum + 1]))
    #expect(bytes[sum - 14] == UInt8(rate))
  }
}
