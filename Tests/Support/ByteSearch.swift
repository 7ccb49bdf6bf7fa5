import Glibc

/// Searches and comparisons of many bytes, which as loops of a debug build's suites would take minutes.
package enum ByteSearch {
  /// Every place where a sequence begins.
  package static func places(of sequence: [UInt8], in bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { bytes in
      sequence.withUnsafeBytes { sequence in
        guard let first = sequence.first else { return [] }
        var found: [Int] = []
        var place = 0
        while place + sequence.count <= bytes.count {
          if bytes[place] == first,
            sequence.elementsEqual(bytes[place..<place + sequence.count])
          {
            found.append(place)
          }
          place += 1
        }
        return found
      }
    }
  }

  /// The mean difference of bytes, as of two pictures; the largest number where they cannot be compared.
  package static func meanDifference(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Int {
    guard one.count == other.count, !one.isEmpty else { return .max }
    return one.withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { other in
        var (sum, offset) = (0, 0)
        while offset < one.count {
          sum += abs(Int(one[offset]) - Int(other[offset]))
          offset += 1
        }
        return sum / one.count
      }
    }
  }

  package static func areEqual(_ one: [UInt8], _ other: ArraySlice<UInt8>) -> Bool {
    one.withUnsafeBytes { one in
      other.withUnsafeBytes { other in
        guard one.count == other.count else { return false }
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        return memcmp(first, second, one.count) == 0
      }
    }
  }
}
