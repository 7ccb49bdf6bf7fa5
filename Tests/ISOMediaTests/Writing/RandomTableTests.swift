import ExactTime
import Support
import Testing

@testable import ISOMedia

/// A file of random tables whose samples are identified by their bytes.
private struct RandomClip {
  var clip: ISOOutputFile

  init(_ generator: inout SeededGenerator) throws {
    var tracks: [ISOOutputTrack] = []
    for id in 1...UInt32.random(in: 1...4, using: &generator) {
      let timescale = UInt32.random(in: 1...50_000, using: &generator)
      var track =
        Bool.random(using: &generator)
        ? try Synthetic.video(id: id, timescale: timescale)
        : try Synthetic.audio(id: id, timescale: timescale)
      track.boxes.sampleEntries += track.boxes.sampleEntries
      track.samples = Self.samples(&generator)
      if Bool.random(using: &generator) {
        let length = MediaDuration(Int64.random(in: 0...500, using: &generator), 30)
        track.edits = [
          .empty(MediaDuration(1, 3)),
          ISOOutputEdit(
            length: length, mediaTime: Int64.random(in: 0...9000, using: &generator)),
        ]
      }
      tracks.append(track)
    }
    clip = ISOOutputFile(movie: ISOMovieBoxes(brands: .mp4), tracks: tracks)
  }

  private static func samples(_ generator: inout SeededGenerator) -> ISOOutputSamples {
    var samples = ISOOutputSamples()
    let isPlain = Bool.random(using: &generator)
    let hasOffsets = Bool.random(using: &generator)
    for _ in 0..<Int.random(in: 0...40, using: &generator) {
      let sample = ISOOutputSample(
        byteCount: isPlain ? 8 : UInt32.random(in: 0...300, using: &generator),
        duration: isPlain ? 100 : UInt32.random(in: 1...60_000, using: &generator),
        compositionOffset: hasOffsets ? Int32.random(in: -500...500, using: &generator) : 0,
        isSync: isPlain || Int.random(in: 0...4, using: &generator) == 0,
        description: isPlain ? 1 : UInt32.random(in: 1...2, using: &generator),
        dependencies: hasOffsets ? UInt8.random(in: 0...255, using: &generator) : 0)
      samples.append(sample, count: Int.random(in: 1...5, using: &generator))
    }
    return samples
  }

  /// The bytes of a sample, different for every sample of 2 bytes or more.
  func payload(_ placed: PlacedSample) -> [UInt8] {
    (0..<placed.byteCount).map { byte in
      UInt8(truncatingIfNeeded: byte == 0 ? placed.track << 5 ^ placed.index >> 8 : placed.index)
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Given random sample tables` {
  @Test(arguments: UInt64(1)...60)
  func `then they are read as written, and every sample is at the right offset`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let random = try RandomClip(&generator)
    let layout = try ISOFileLayout(random.clip)
    let file = WrittenClip.write(random.clip, layout) { random.payload($0)[...] }
    try expect(file, toHold: random, "\(generator)", isFragmented: false)
  }

  @Test(arguments: UInt64(1)...60)
  func `then the same is true for fragments`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let random = try RandomClip(&generator)
    let layout = try ISOFragmentedLayout(random.clip)
    let file = try WrittenClip.write(random.clip, layout) { random.payload($0)[...] }
    try expect(file, toHold: random, "\(generator)", isFragmented: true)
  }

  private func expect(
    _ file: [UInt8], toHold random: RandomClip, _ seed: Comment, isFragmented: Bool
  ) throws {
    let movie = try ISOMovie(reading: InMemoryBytes(file))
    #expect(movie.problems == [], seed)
    #expect(movie.isComplete, seed)
    #expect(movie.isFragmented == isFragmented, seed)
    for (index, track) in random.clip.tracks.enumerated() {
      let table = try movie.tracks[index].samples()
      let samples = track.samples
      #expect(table.count == samples.count, seed)
      var time: Int64 = 0
      for sample in 0..<min(table.count, samples.count) {
        var given = ISOOutputSample(samples, sample)
        var read = ISOOutputSample(table, sample)
        if isFragmented { (given.dependencies, read.dependencies) = (0, 0) }
        #expect(read == given, seed)
        #expect(table.decodeTimes[sample] == time, seed)
        time += Int64(samples.durations[sample])
        let offset = try #require(table.offset(sample))
        let placed = PlacedSample(
          track: index, index: sample, byteCount: Int(samples.sizes[sample]))
        #expect(
          file[Int(offset)..<Int(offset) + placed.byteCount] == random.payload(placed)[...], seed)
      }
      try expectEdits(of: movie.tracks[index], in: movie, toBe: track.edits, seed)
    }
  }

  private func expectEdits(
    of track: ISOTrack, in movie: ISOMovie, toBe edits: [ISOOutputEdit], _ seed: Comment
  ) throws {
    let grid = TickGrid(ticksPerSecond: try #require(movie.timescale))
    let read = try track.edits.map { edit in
      ISOOutputEdit(
        length: try grid.duration(ofTicks: Int64(edit.segmentDuration)),
        mediaTime: edit.isEmpty ? nil : edit.mediaTime)
    }
    #expect(read.map(\.mediaTime) == edits.map(\.mediaTime), seed)
    let isExact = edits.allSatisfy {
      movie.timescale?.isMultiple(of: $0.length.seconds.denominator) ?? false
    }
    if isExact { #expect(read == edits, seed) }
  }
}

extension ISOOutputSample {
  fileprivate init(_ samples: ISOOutputSamples, _ index: Int) {
    self.init(
      byteCount: samples.sizes[index], duration: samples.durations[index],
      compositionOffset: samples.compositionOffsets[index], isSync: samples.isSync(index),
      description: samples.descriptions[index], dependencies: samples.dependencies[index])
  }
}
