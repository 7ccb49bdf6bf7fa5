/// Samples of one track that are contiguous in the output file.
package struct ISOOutputChunk: Hashable, Sendable {
  /// The track's index in ``ISOOutputFile/tracks``.
  package let track: Int
  package let firstSample: Int
  package let sampleCount: Int
  /// The offset of its first byte in the file.
  package internal(set) var offset: Int64
  package let byteCount: Int64

  package var samples: Range<Int> { firstSample..<firstSample + sampleCount }
}

/// Splits the samples of one track into chunks.
struct ChunkCursor {
  private let track: Int
  private let samples: ISOOutputSamples
  private let timescale: Int64
  private var next = 0
  /// Decoding time of the next chunk, in track ticks.
  private var time: Int64 = 0

  /// A chunk is at most half a second or a mebibyte, so a player reads ahead no further than that.
  private static let mostBytes: Int64 = 1 << 20

  init(_ track: ISOOutputTrack, at index: Int) {
    self.track = index
    samples = track.samples
    timescale = Int64(track.boxes.timescale)
  }

  var isAtEnd: Bool { next >= samples.count }

  /// True when this one's next chunk is decoded before another's.
  func isBefore(_ other: ChunkCursor) -> Bool {
    Int128(time) * Int128(other.timescale) < Int128(other.time) * Int128(timescale)
  }

  mutating func chunk() -> ISOOutputChunk {
    let first = next
    var bytes: Int64 = 0
    if let size = samples.sizes.common, let duration = samples.durations.common,
      samples.descriptions.common != nil
    {
      let byTime = duration > 0 ? timescale / 2 / Int64(duration) : .max
      let bySize = size > 0 ? Self.mostBytes / Int64(size) : .max
      let count = min(Int64(samples.count - first), max(1, min(byTime, bySize)))
      next += Int(count)
      bytes = count * Int64(size)
      time += count * Int64(duration)
    } else {
      let start = time
      let description = samples.descriptions[first]
      repeat {
        bytes += Int64(samples.sizes[next])
        time += Int64(samples.durations[next])
        next += 1
      } while !isAtEnd && samples.descriptions[next] == description
        && bytes + Int64(samples.sizes[next]) <= Self.mostBytes
        && (time - start + Int64(samples.durations[next])) <= timescale / 2
    }
    return ISOOutputChunk(
      track: track, firstSample: first, sampleCount: next - first, offset: 0, byteCount: bytes)
  }
}

extension [ISOOutputTrack] {
  /// All chunks in file order: by decoding time, with offsets from the first one.
  ///
  /// The total media size was checked to be below 2^62 bytes.
  func interleaved() -> [ISOOutputChunk] {
    var cursors = enumerated().map { ChunkCursor($0.element, at: $0.offset) }
      .filter { !$0.isAtEnd }
    var chunks: [ISOOutputChunk] = []
    var offset: Int64 = 0
    while var nearest = cursors.indices.first {
      for index in cursors.indices where cursors[index].isBefore(cursors[nearest]) {
        nearest = index
      }
      var chunk = cursors[nearest].chunk()
      chunk.offset = offset
      offset += chunk.byteCount
      chunks.append(chunk)
      if cursors[nearest].isAtEnd { cursors.remove(at: nearest) }
    }
    return chunks
  }
}
