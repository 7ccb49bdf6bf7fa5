/// Sound of 16 bits from an independent decoder.
package enum HeardAudio {
  /// Decodes little-endian bytes to samples.
  package static func samples(_ bytes: [UInt8]) -> [Int16] {
    bytes.withUnsafeBytes { bytes in
      var samples: [Int16] = []
      samples.reserveCapacity(bytes.count / 2)
      var place = 0
      while place + 1 < bytes.count {
        let sample = bytes.loadUnaligned(fromByteOffset: place, as: Int16.self)
        samples.append(Int16(littleEndian: sample))
        place += 2
      }
      return samples
    }
  }

  /// How many samples later than expected a stretch of sound matches another best.
  ///
  /// Every third sample is compared: enough to distinguish noise, in a third of the time.
  package static func lag(
    of stretch: ArraySlice<Int16>, in other: [Int16], near place: Int, atMost most: Int = 60
  ) -> Int {
    stretch.withUnsafeBufferPointer { stretch in
      other.withUnsafeBufferPointer { other in
        var best = (lag: Int.min, likeness: Int.min)
        var lag = -most
        while lag <= most {
          var (likeness, offset) = (0, 0)
          while offset < stretch.count {
            likeness += Int(stretch[offset]) * Int(other[place + lag + offset])
            offset += 3
          }
          if likeness > best.likeness { best = (lag, likeness) }
          lag += 1
        }
        return best.lag
      }
    }
  }

  /// The mean difference from another sound at the place where they are most alike.
  ///
  /// - Parameters:
  ///   - place: where the other one is compared, moved by up to `most` steps.
  package static func difference(
    of samples: [Int16], in other: [Int16], near place: Int, step: Int, atMost most: Int
  ) -> Int {
    samples.withUnsafeBufferPointer { samples in
      other.withUnsafeBufferPointer { other in
        var least = Int.max
        for shift in -most...most {
          let start = place + shift * step
          let count = min(samples.count, other.count - start)
          var (sum, offset) = (0, 0)
          while offset < count {
            sum += abs(Int(samples[offset]) - Int(other[start + offset]))
            offset += 1
          }
          least = min(least, sum / max(1, samples.count))
        }
        return least
      }
    }
  }
}
