import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing

/// faac gives its first packet, which is priming alone, the time of the second (`ctts`).
@Suite(.timeLimit(.minutes(1))) struct `Given AAC whose first packet names libfaac` {
  /// Ten packets of 1024 samples.
  private func facts(_ offsets: [(count: UInt32, offset: Int32)]) throws -> TrackFacts {
    let named = BitWriter.bytes { bits in
      bits.write(6, 3)
      bits.write(15, 4)
      bits.write(14, 8)
      bits.write(0, 4)
      bits.write(0, 13)
      for byte in "libfaac 1.24 (".utf8 { bits.write(Int(byte), 8) }
    }
    var film = FilmBuilder()
    film.timescale = 44_100
    film.duration = 10_240
    film.tracks[0].handler = "soun"
    film.tracks[0].timescale = 44_100
    film.tracks[0].mediaDuration = 10_240
    film.tracks[0].entry = FilmBuilder.audioEntry("mp4a", rate: 44_100)
    film.tracks[0].durations = [(10, 1024)]
    film.tracks[0].compositionOffsets = offsets
    film.tracks[0].syncSamples = nil
    film.mediaContent = named + [UInt8](repeating: 0, count: 1000 - named.count)
    let folder = try ScratchFolder()
    let path = try folder.write(film.bytes, to: "sound.m4a")
    return try Prober().probe(.file(path: Array(path.utf8))).tracks[0]
  }

  @Test(arguments: [[], [(1, 1024), (9, 0)], [(1, 512), (9, 0)]] as [[(UInt32, Int32)]])
  func `then the sound begins with the second packet, whatever time the first has`(
    _ offsets: [(UInt32, Int32)]
  ) throws {
    let track = try facts(offsets.map { (count: $0.0, offset: $0.1) })
    #expect(track.audio?.priming == 1024)
    #expect(track.durations.presented?.start == MediaTime(1024, 44_100))
    #expect(track.durations.presented?.length == MediaDuration(9 * 1024, 44_100))
  }
}
