import ExactTime
import Support

@testable import ISOMedia

/// A file in memory that is rewritten.
enum WrittenClip {
  /// The same file, with every sample, edit, group and box.
  static func copy(of bytes: [UInt8]) throws -> [UInt8] {
    let clip = try output(of: bytes)
    let layout = try ISOFileLayout(clip)
    let movie = try ISOMovie(reading: InMemoryBytes(bytes))
    let tables = try movie.tracks.map { try $0.samples() }
    return write(clip, layout) { placed in
      guard let offset = tables[placed.track].offset(placed.index) else { return bytes[..<0] }
      return bytes[Int(offset)..<Int(offset) + placed.byteCount]
    }
  }

  /// The same file in fragments.
  static func fragmentedCopy(of bytes: [UInt8]) throws -> [UInt8] {
    let clip = try output(of: bytes)
    let layout = try ISOFragmentedLayout(clip)
    let movie = try ISOMovie(reading: InMemoryBytes(bytes))
    let tables = try movie.tracks.map { try $0.samples() }
    return try write(clip, layout) { placed in
      guard let offset = tables[placed.track].offset(placed.index) else { return bytes[..<0] }
      return bytes[Int(offset)..<Int(offset) + placed.byteCount]
    }
  }

  /// The output file that is identical to a source.
  static func output(of bytes: [UInt8]) throws -> ISOOutputFile {
    let source = try ISOSourceBoxes(reading: InMemoryBytes(bytes))
    let movie = try ISOMovie(reading: InMemoryBytes(bytes))
    var tracks: [ISOOutputTrack] = []
    for (boxes, track) in zip(source.tracks, movie.tracks) {
      let table = try track.samples()
      var output = ISOOutputTrack(boxes)
      output.groups = boxes.groups.map { ISOOutputGroup($0) }
      for index in 0..<table.count {
        output.samples.append(ISOOutputSample(table, index))
        for group in output.groups.indices { output.groups[group].append(sourceSample: index) }
      }
      let grid = TickGrid(ticksPerSecond: movie.timescale ?? 1)
      output.edits = try track.edits.map { edit in
        ISOOutputEdit(
          length: try grid.duration(ofTicks: Int64(clamping: edit.segmentDuration)),
          mediaTime: edit.isEmpty ? nil : edit.mediaTime)
      }
      tracks.append(output)
    }
    var clip = ISOOutputFile(movie: source.movie, tracks: tracks)
    if source.movie.hasChapterList {
      clip.chapterList = movie.chapters.map {
        ISOOutputChapter(start: $0.start, title: $0.title ?? "")
      }
    }
    return clip
  }

  /// The file of a layout, with samples requested in file order.
  static func write(
    _ clip: ISOOutputFile, _ layout: ISOFileLayout,
    _ sample: (PlacedSample) -> ArraySlice<UInt8>
  ) -> [UInt8] {
    var file = layout.headerBytes
    for chunk in layout.chunks {
      precondition(chunk.offset == Int64(file.count), "a gap before \(chunk)")
      append(chunk.samples, of: clip.tracks[chunk.track].samples, chunk.track, to: &file, sample)
    }
    precondition(layout.fileByteCount == Int64(file.count))
    return file
  }

  /// The file of a fragmented layout.
  static func write(
    _ clip: ISOOutputFile, _ layout: ISOFragmentedLayout,
    _ sample: (PlacedSample) -> ArraySlice<UInt8>
  ) throws -> [UInt8] {
    var file = layout.initSegment
    for (index, fragment) in layout.fragments.enumerated() {
      precondition(fragment.offset == Int64(file.count))
      file += try layout.headerBytes(of: index)
      for (track, range) in fragment.samples.enumerated() {
        append(range, of: clip.tracks[track].samples, track, to: &file, sample)
      }
    }
    precondition(layout.fileByteCount == Int64(file.count))
    return file
  }

  private static func append(
    _ range: Range<Int>, of samples: ISOOutputSamples, _ track: Int, to file: inout [UInt8],
    _ sample: (PlacedSample) -> ArraySlice<UInt8>
  ) {
    for index in range {
      file += sample(
        PlacedSample(track: track, index: index, byteCount: Int(samples.sizes[index])))
    }
  }
}

/// A requested sample.
struct PlacedSample {
  /// The index of the track in the written file.
  let track: Int
  /// The index of the sample in decode order.
  let index: Int
  let byteCount: Int
}
