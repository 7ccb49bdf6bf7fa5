import ExactTime
import ISOMedia
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given FLV with video codecs that Flash did not have` {
  private func probe(_ bytes: [UInt8]) throws -> TrackFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "clip.flv")
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    #expect(facts.tracks.count { $0.kind == .video } == 1)
    return try #require(facts.tracks.first { $0.kind == .video })
  }

  /// The first samples of a file, each with its time and composition offset, in milliseconds.
  private func hevc() throws -> (
    configuration: [UInt8], samples: [(time: Int, offset: Int, isKey: Bool, bytes: [UInt8])]
  ) {
    let bytes = try SampleClips.bytes("hevc.mp4")
    let track = try ISOMovie(reading: InMemoryBytes(bytes)).tracks[0]
    let table = try track.samples()
    let timescale = Int(try #require(track.timescale))
    let samples = (0..<25).map { index in
      let offset = Int(table.offset(index) ?? 0)
      return (
        time: Int(table.decodeTimes[index]) * 1000 / timescale,
        offset: Int(table.compositionOffsets[index]) * 1000 / timescale,
        isKey: table.isSync(index),
        bytes: Array(bytes[offset..<offset + Int(table.sizes[index])])
      )
    }
    return (try #require(track.sampleEntries[0].configuration("hvcC")), samples)
  }

  /// From the first shown frame to the end of the last, 40 ms each.
  private func length(
    _ samples: [(time: Int, offset: Int, isKey: Bool, bytes: [UInt8])]
  ) -> MediaDuration {
    let shown = samples.map { $0.time + $0.offset }
    return MediaDuration(Int64((shown.max() ?? 0) - (shown.min() ?? 0) + 40), 1000)
  }

  private func numbered() throws -> [[UInt8]] {
    let clip = try hevc()
    return
      [FLVBuilder.tag(9, at: 0, FLVBuilder.numbered(12, isKey: true, 0, clip.configuration))]
      + clip.samples.map { sample in
        FLVBuilder.tag(
          9, at: 2000 + sample.time,
          FLVBuilder.numbered(12, isKey: sample.isKey, 1, offset: sample.offset, sample.bytes))
      } + [FLVBuilder.tag(9, at: 4000, FLVBuilder.numbered(12, isKey: true, 2, []))]
  }

  @Test func `then HEVC with codec number 12 has its size, and its header is not a frame`() throws {
    let clip = try hevc()
    let track = try probe(FLVBuilder.file(try numbered()))
    #expect(track.codec == "hevc")
    #expect(track.frameCount == 25)
    #expect(track.video.map { $0.width > 0 && $0.height > 0 } == true)
    #expect(track.durations.presented?.length == length(clip.samples))
    #expect(track.durations.presented?.start.map { $0 >= MediaTime(2) } == true)
  }

  @Test(arguments: ["mkv", "mp4", "ts"])
  func `when it is cut then the refusal blames FFmpeg's support, not the container`(
    _ ending: String
  ) throws {
    let folder = try ScratchFolder()
    let path = try folder.write(FLVBuilder.file(try numbered()), to: "clip.flv")
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1, 2)))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let container = try #require(OutputContainer(nameEnding: ending))
    let error = #expect(throws: MediaError.self) {
      try clip.plan(CutRequest(range: range), for: container)
    }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("FFmpeg does not support hevc") == true)
  }

  @Test func `then HEVC with a FourCC, with and without an offset, is the same`() throws {
    let clip = try hevc()
    let tags =
      [FLVBuilder.tag(9, at: 0, FLVBuilder.named("hvc1", isKey: true, 0, clip.configuration))]
      + clip.samples.map { sample in
        let offset = BoxBuilder.Field.u32(UInt32(truncatingIfNeeded: sample.offset)).bytes
        return FLVBuilder.tag(
          9, at: sample.time,
          sample.offset == 0
            ? FLVBuilder.named("hvc1", isKey: sample.isKey, 3, sample.bytes)
            : FLVBuilder.named("hvc1", isKey: sample.isKey, 1, offset.dropFirst() + sample.bytes))
      }
    let track = try probe(FLVBuilder.file(tags))
    #expect(track.codec == "hevc")
    #expect(track.frameCount == 25)
    #expect(track.durations.presented?.length == length(clip.samples))
  }

  @Test func `then AV1 has no offset, and frames before a keyframe are not shown`() throws {
    let configuration: [UInt8] = [0x81, 4, 12, 0]
    let frame = { (header: UInt8) in [6 << 3 | 2, 2, header, 0] as [UInt8] }
    let tags =
      [FLVBuilder.tag(9, at: 0, FLVBuilder.named("av01", isKey: true, 0, configuration))]
      + (0..<10).map { number in
        let isKey = number == 2
        return FLVBuilder.tag(
          9, at: number * 40,
          FLVBuilder.named("av01", isKey: isKey, 1, frame(isKey ? 0x10 : 0x30)))
      }
    let track = try probe(FLVBuilder.file(tags))
    #expect(track.codec == "av1")
    #expect(track.codecTag == "av01")
    #expect(track.sampleCount == 10)
    #expect(track.frameCount == 8)
    #expect(track.durations.presented?.length == MediaDuration(8, 25))
  }
}
