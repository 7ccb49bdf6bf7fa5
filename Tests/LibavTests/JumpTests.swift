import Libav
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given a track whose samples lie far apart` {
  @Test func `then what lies between them is mostly not read`() throws {
    var clip = Self.sound
    let gap = 400_000
    clip.tracks[0].sampleCount = 5000
    clip.tracks[0].durations = [(5000, 1)]
    clip.tracks[0].chunkRuns = [(1, 500, 1)]
    clip.tracks[0].chunkOffsets = (0..<10).map { UInt64($0 * gap) }
    clip.mediaBytes = 10 * gap
    let input = ScriptedInput(clip.bytes)
    let reading = try Reading(input)
    #expect(reading.packets.map { $0[1] }.reduce(0, +) == 10_000)
    #expect(input.readBytes < 10 * gap / 4, "\(input.readBytes) bytes")
  }

  @Test func `then packets that follow each other are read in few calls`() throws {
    var clip = Self.sound
    clip.tracks[0].sampleCount = 2_000_000
    clip.tracks[0].durations = [(2_000_000, 1)]
    clip.tracks[0].chunkRuns = [(1, 1_000_000, 1)]
    clip.tracks[0].chunkOffsets = [0, 2_000_000]
    clip.mediaBytes = 4_000_000
    let input = ScriptedInput(clip.bytes)
    let reading = try Reading(input)
    #expect(reading.packets.map { $0[1] }.reduce(0, +) == 4_000_000)
    #expect(input.readCount < 40, "\(input.readCount) reads")
  }

  /// One channel of PCM, two bytes a sample.
  private static var sound: ClipBuilder {
    var clip = ClipBuilder()
    clip.tracks[0].handler = "soun"
    clip.tracks[0].timescale = 48_000
    clip.tracks[0].entry = ClipBuilder.audioEntry("sowt", channels: 1)
    clip.tracks[0].uniformSize = 2
    clip.tracks[0].syncSamples = nil
    return clip
  }
}
