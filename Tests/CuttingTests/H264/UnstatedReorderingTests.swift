import ExactTime
import Libav
import MediaEngine
import Support
import Testing
import Trimming

@testable import Bitstreams
@testable import Cutting

/// Apple's encoders do not state the reordering depth; decoders guess it from the pictures so far.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given reordered H.264 that does not state its reordering depth` {
  private func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "stated.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-c:v", "libx264", "-g",
      "25", "-x264-params", "bframes=3:b-pyramid=normal:b-adapt=0:scenecut=0", path,
    ])
    var bytes = try fileBytes(path)
    // avcC (ISO 14496-15, 5.3.3.1): after six bytes, the length of the only set, then the set.
    let start = try #require(bytes.firstRange(of: Array("avcC".utf8))).upperBound + 8
    let length = Int(bytes[start - 2]) << 8 | Int(bytes[start - 1])
    let set = try #require(H264SPS(Array(bytes[start..<start + length])))
    let silent = try set.silent()
    let padding = [UInt8](repeating: 0, count: length - silent.count)
    bytes.replaceSubrange(start..<start + length, with: silent + padding)
    return try folder.write(bytes, to: "unstated.mp4")
  }

  /// The number of packets that a decoder takes before it outputs the first frame.
  @Test(arguments: [true, false])
  func `when its edges are decoded then the decoder delay is the maximum`(
    _ isStated: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let unstated = try await clip(in: folder)
    let path = isStated ? folder.path(of: "stated.mp4") : unstated
    let source = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).source
    let track = source.tracks[0]
    #expect(track.leavesReorderingOpen != isStated)
    try source.prepare([0: [0..<30]])
    let decoder = try source.withDemuxer { (demuxer) throws(MediaError) -> DecoderBox in
      do throws(LibavError) {
        return DecoderBox(
          try demuxer.decoder(forStream: 0, waitsLongest: track.leavesReorderingOpen))
      } catch {
        throw MediaError(error)
      }
    }
    var sent = 0
    while sent < 30 {
      _ = try decoder.send(try source.bytes(ofTrack: 0, sent), track.coded.packets[sent])
      sent += 1
      if case .frame = decoder.value.receive() { break }
    }
    #expect(isStated ? sent < 6 : sent > 15)
  }

  @Test(arguments: ["mp4", "mkv", "ts"])
  func `when it is cut between keyframes then every picture is shown`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
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
  /// The SPS without bitstream restrictions, or without any optional VUI (E.1.1).
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
