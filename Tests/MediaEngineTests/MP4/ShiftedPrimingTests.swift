import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// faac gives its first packet, which is only priming, the time of the second (`ctts`).
@Suite(.timeLimit(.minutes(1))) struct `Given AAC whose first packet names libfaac` {
  /// Ten packets of 1024 samples.
  private func clip(
    _ offsets: [(count: UInt32, offset: Int32)], in folder: ScratchFolder
  ) throws -> String {
    let named = BitBuilder.bytes { bits in
      bits.write(6, 3)
      bits.write(15, 4)
      bits.write(14, 8)
      bits.write(0, 4)
      bits.write(0, 13)
      for byte in "libfaac 1.24 (".utf8 { bits.write(Int(byte), 8) }
    }
    var clip = ClipBuilder()
    clip.timescale = 44_100
    clip.duration = 10_240
    clip.tracks[0].handler = "soun"
    clip.tracks[0].timescale = 44_100
    clip.tracks[0].mediaDuration = 10_240
    clip.tracks[0].entry = ClipBuilder.audioEntry("mp4a", rate: 44_100)
    clip.tracks[0].durations = [(10, 1024)]
    clip.tracks[0].compositionOffsets = offsets
    clip.tracks[0].syncSamples = nil
    clip.mediaContent = named + [UInt8](repeating: 0, count: 1000 - named.count)
    return try folder.write(clip.bytes, to: "sound.m4a")
  }

  @Test(arguments: [[], [(1, 1024), (9, 0)], [(1, 512), (9, 0)]] as [[(UInt32, Int32)]])
  func `then the audio begins with the second packet, whatever time the first has`(
    _ offsets: [(UInt32, Int32)]
  ) throws {
    let folder = try ScratchFolder()
    let path = try clip(offsets.map { (count: $0.0, offset: $0.1) }, in: folder)
    let track = try Prober().probe(.file(path: Array(path.utf8))).tracks[0]
    #expect(track.audio?.priming == 1024)
    #expect(track.durations.presented?.start == MediaTime(1024, 44_100))
    #expect(track.durations.presented?.length == MediaDuration(9 * 1024, 44_100))
  }

  @Test(arguments: [[], [(1, 1024), (9, 0)]] as [[(UInt32, Int32)]], [0, 500] as [Int64])
  func `when it is cut from within the first packet then that is hidden as before`(
    _ offsets: [(UInt32, Int32)], _ from: Int64
  ) throws {
    let folder = try ScratchFolder()
    let path = try clip(offsets.map { (count: $0.0, offset: $0.1) }, in: folder)
    let source = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(
      MediaTimeRange(from: MediaTime(from, 44_100), to: MediaTime(5000, 44_100)))
    let output = folder.path(of: "cut.m4a")
    _ = try source.cut(
      CutOrder(CutRequest(range: range, verification: .none), to: Array(output.utf8)))
    let cut = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(cut.durations.presented?.length == MediaDuration(5000 - from, 44_100))
    #expect(cut.tracks[0].audio?.priming == Int(1024 + from))
  }
}
