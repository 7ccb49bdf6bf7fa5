import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@testable import Bitstreams

/// Encoders of Apple's do not say how many pictures wait for others; decoders guess it from what they
/// have seen.
@Suite(.enabled(if: EncodedFilm.isPossible, "\(EncodedFilm.absence)"), .timeLimit(.minutes(1)))
struct `Given H.264 that is reordered and does not say how far` {
  private func film(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "stated.mp4")
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-c:v", "libx264", "-g",
      "25", "-x264-params", "bframes=3:b-pyramid=normal:b-adapt=0:scenecut=0", path,
    ])
    var bytes = try fileBytes(path)
    // avcC (ISO 14496-15, 5.3.3.1): behind six bytes the length of the only set, then the set.
    let start = try #require(bytes.firstRange(of: Array("avcC".utf8))).upperBound + 8
    let length = Int(bytes[start - 2]) << 8 | Int(bytes[start - 1])
    let set = try #require(H264SPS(Array(bytes[start..<start + length])))
    let silent = try set.silent()
    let padding = [UInt8](repeating: 0, count: length - silent.count)
    bytes.replaceSubrange(start..<start + length, with: silent + padding)
    return try folder.write(bytes, to: "unstated.mp4")
  }

  @Test(arguments: ["mp4", "mkv", "ts"])
  func `when it is cut between keyframes then every picture is shown`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await film(in: folder)
    let output = folder.path(of: "cut." + ending)
    let range = try MediaTimeRange(from: MediaTime(2, 5), length: MediaDuration(3))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let decoded = try await ProgramRun(
      [
        "ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of",
        "default=nw=1:nk=1", output,
      ].map { Array($0.utf8) }, limit: .seconds(60))
    #expect(decoded.outText.split(separator: "\n").first == "75")
  }
}

extension H264SPS {
  /// The set without a word of restrictions, or of anything that need not be said (E.1.1).
  func silent(keepsUsability: Bool = false) throws -> [UInt8] {
    let payload = NALEscaping.unescaped(unit[1...])
    let start = try #require(usabilityPosition)
    var writer = Bitstreams.BitWriter()
    writer.copy(payload, from: 0, to: start)
    writer.flag(keepsUsability)
    if keepsUsability { writer.write(0, bits: 9) }
    writer.finish()
    return unit[..<1] + NALEscaping.escaped(writer.bytes)
  }
}
