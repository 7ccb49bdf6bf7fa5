/// The actual sizes of samples in the file.
///
/// Old QuickTime tables of uncompressed audio state a size of 1 for a frame of several bytes; the
/// sample entry then has the actual size (QuickTime File Format, sound descriptions).
struct PlacedSizes {
  private let sizes: SampleSizes
  private let frame: (samples: Int64, bytes: Int64)?
  /// The packet size where several samples are one packet, as old QuickTime counts compressed
  /// audio.
  var packet: (samples: Int64, bytes: Int64)? { frame.flatMap { $0.samples > 1 ? $0 : nil } }

  init(_ sizes: SampleSizes, _ audio: ISOSampleEntry.Audio?, codec: FourCC?) {
    self.sizes = sizes
    frame = Self.frame(sizes, audio, codec)
  }

  private static func frame(
    _ sizes: SampleSizes, _ audio: ISOSampleEntry.Audio?, _ codec: FourCC?
  ) -> (samples: Int64, bytes: Int64)? {
    guard sizes.uniform == 1, let audio else { return nil }
    if let samples = audio.samplesPerPacket, let bytes = audio.bytesPerFrame, samples > 0,
      bytes > 0, audio.version == 1
    {
      return (Int64(samples), Int64(bytes))
    }
    guard let codec, plain.contains(codec) else { return nil }
    let bytes = Int64((audio.sampleSize + 7) / 8).clampedProduct(Int64(audio.channels))
    return bytes > 0 ? (1, bytes) : nil
  }

  private static let plain: Set<FourCC> = [
    "raw ", "twos", "sowt", "lpcm", "in24", "in32", "fl32", "fl64", "NONE",
  ]

  /// The size of every sample where all are equal.
  var uniform: UInt32 {
    guard let frame, frame.samples == 1 else { return sizes.uniform }
    return UInt32(clamping: frame.bytes)
  }

  subscript(index: Int) -> UInt32 { uniform > 0 ? uniform : sizes[index] }

  func bytes(from first: Int, count: Int) -> Int64 {
    if let frame {
      let frames = (Int64(count) + frame.samples - 1) / frame.samples
      return frames.clampedProduct(frame.bytes)
    }
    if sizes.uniform > 0 { return Int64(count).clampedProduct(Int64(sizes.uniform)) }
    return sizes.sum(from: first, count: count)
  }

  /// Counts the samples of a chunk that end beyond the file.
  func addOutside(
    _ chunk: SampleTables.Chunk, fileEnd: Int64, to placement: inout ISOTrackPlacement
  ) {
    var inside = 0
    var offset = chunk.offset
    if let packet {
      let room = max(0, fileEnd - chunk.offset) / packet.bytes
      inside = Int(min(room.clampedProduct(packet.samples), Int64(chunk.sampleCount)))
      offset = offset.clampedSum(min(room, Int64(inside) / packet.samples) * packet.bytes)
    } else if uniform > 0 {
      let room = max(0, fileEnd - chunk.offset) / Int64(uniform)
      inside = Int(min(room, Int64(chunk.sampleCount)))
      offset = offset.clampedSum(Int64(inside).clampedProduct(Int64(uniform)))
    } else {
      while inside < chunk.sampleCount {
        let end = offset + Int64(self[chunk.firstSample + inside])
        guard end <= fileEnd else { break }
        offset = end
        inside += 1
      }
    }
    placement.outsideCount += Int64(chunk.sampleCount - inside)
    placement.firstOutsideOffset = min(placement.firstOutsideOffset ?? offset, offset)
  }
}

extension ISOTrack {
  var placedSizes: PlacedSizes {
    PlacedSizes(tables.sizes, firstEntry?.audio, codec: firstEntry?.codec)
  }
}
