/// Adds emulation prevention bytes to NAL units, and removes them.
package enum NALEscaping {
  package static func unescaped(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    unit.withUnsafeBufferPointer { bytes in
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var (copied, place) = (0, 0)
      while let zeros = ZeroRuns.firstPair(
        in: UnsafeRawBufferPointer(bytes), from: place, to: bytes.count)
      {
        var next = zeros + 2
        while next < bytes.count, bytes[next] == 0 { next += 1 }
        place = next + 1
        guard next < bytes.count, bytes[next] == 3 else { continue }
        result += UnsafeBufferPointer(rebasing: bytes[copied..<next])
        copied = place
      }
      result += UnsafeBufferPointer(rebasing: bytes[copied...])
      return result
    }
  }

  package static func escaped(_ payload: [UInt8]) -> [UInt8] {
    payload.withUnsafeBufferPointer { bytes in
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count + bytes.count / 64)
      var (copied, place) = (0, 0)
      while let zeros = ZeroRuns.firstPair(
        in: UnsafeRawBufferPointer(bytes), from: place, to: bytes.count)
      {
        place = zeros + 2
        guard place < bytes.count, bytes[place] <= 3 else { continue }
        result += UnsafeBufferPointer(rebasing: bytes[copied..<place])
        result.append(3)
        copied = place
      }
      result += UnsafeBufferPointer(rebasing: bytes[copied...])
      // A unit must not end with a zero.
      if result.last == 0 { result.append(3) }
      return result
    }
  }
}
