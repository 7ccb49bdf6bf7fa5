import Libav
import MediaFacts
import MediaFiles
import Support
import Testing

@testable import Probing

/// A packet as FFmpeg's demuxer returns it.
private struct Given: Sendable {
  var offset: Int64
  var pts: Int64
  var duration: Int64
  var skipped = 0
}

@Suite(.timeLimit(.minutes(1)))
struct `Given the first packet of a later link of chained Ogg` {
  private func times(_ codec: Codec, _ packets: [Given]) throws -> [Int64?] {
    var links = try #require(OggLinks(stream: 0, codec: codec, joints: [15_714, 31_406]))
    return packets.map {
      links.time(at: $0.offset, pts: $0.pts, duration: $0.duration, skipped: $0.skipped)
    }
  }

  @Test func `when FFmpeg 9 places it where the previous link ended, then it primes its own link`()
    throws
  {
    let vorbis = [
      Given(offset: 12_433, pts: 43_584, duration: 516),
      Given(offset: 19_680, pts: 44_100, duration: 128),
      Given(offset: 19_680, pts: 0, duration: 576),
      Given(offset: 28_142, pts: 43_584, duration: 516),
      Given(offset: 35_372, pts: 44_100, duration: 128),
    ]
    #expect(try times("vorbis", vorbis) == [nil, -128, nil, nil, -128])
    let opus = [
      Given(offset: 8208, pts: 50_044, duration: 112),
      Given(offset: 15_863, pts: 50_156, duration: 240, skipped: 164),
      Given(offset: 15_863, pts: 76, duration: 240),
    ]
    #expect(try times("opus", opus) == [nil, -164, nil])
  }

  @Test(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"))
  func `when FFmpeg 9 does not return its headers, then it decodes to nothing all the same`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.ogg")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=1", "-c:a", "libvorbis", path,
    ])
    var demuxer = try Demuxer(InputFile(path: Array(path.utf8)))
    let track = ScannedTrack(demuxer.tracks[0])
    var sound = AudioPackets(format: "ogg")
    var silent: [Int] = []
    for number in 0..<20 {
      var packet = try #require(try demuxer.nextPacket())
      packet.beginsLink = number == 10
      var stamp = PacketStamp(pts: packet.pts, dts: packet.dts, duration: packet.duration)
      _ = sound.read(&stamp, packet, track, demuxer)
      if stamp.isSilent { silent.append(number) }
    }
    #expect(silent == [0, 10])
  }

  @Test func `when earlier versions return its headers first, then it is where they place it`()
    throws
  {
    let packets = [
      Given(offset: 12_433, pts: 43_584, duration: 516), Given(offset: 15_714, pts: 0, duration: 0),
      Given(offset: 15_714, pts: 0, duration: 0), Given(offset: 19_680, pts: -128, duration: 128),
      Given(offset: 19_680, pts: 0, duration: 576),
    ]
    #expect(try times("vorbis", packets).allSatisfy { $0 == nil })
  }

  @Test func `then no packet within a link is moved`() throws {
    let packets = [
      Given(offset: 100, pts: -128, duration: 128), Given(offset: 100, pts: 0, duration: 576),
      Given(offset: 12_433, pts: 576, duration: 576),
    ]
    #expect(try times("vorbis", packets).allSatisfy { $0 == nil })
  }

  @Test func `then a stream without later links, and another codec, have none`() {
    #expect(OggLinks(stream: 0, codec: "vorbis", joints: []) == nil)
    #expect(OggLinks(stream: 0, codec: "flac", joints: [100]) == nil)
  }
}
