package import MediaFacts

/// How the NAL units of an H.264 or HEVC sample are delimited.
package enum Framing: Hashable, Sendable {
  /// Start codes (ITU-T H.264, annex B): transport streams, AVI, raw streams.
  case annexB
  /// A length of 1, 2 or 4 bytes before each unit (ISO 14496-15): MP4, Matroska.
  case lengthPrefixed(Int)

  /// Determines it from the samples' codec configuration; start codes if there is none.
  package init(codec: Codec, configuration: [UInt8]) {
    switch codec {
    case .h264 where configuration.count > 6 && configuration[0] == 1:
      self = .lengthPrefixed(Int(configuration[4] & 3) + 1)
    case .hevc
    where configuration.count > 22 && configuration[0] <= 1
      && !configuration.starts(with: [0, 0, 0, 1]) && !configuration.starts(with: [0, 0, 1]):
      self = .lengthPrefixed(Int(configuration[21] & 3) + 1)
    default: self = .annexB
    }
  }
}

/// Iterates over the NAL units of a sample, or of the beginning of one.
package struct NALUnits: Sequence {
  package let bytes: ArraySlice<UInt8>
  package let framing: Framing

  package init(bytes: ArraySlice<UInt8>, framing: Framing) {
    self.bytes = bytes
    self.framing = framing
  }

  package func makeIterator() -> AnyIterator<ArraySlice<UInt8>> {
    switch framing {
    // In some files the configuration signals lengths but the samples have start codes: read as a
    // length, 00 00 00 01 would be a unit of one byte, and no sample begins with that.
    case .lengthPrefixed(let size) where !bytes.starts(with: [0, 0, 0, 1]): lengthPrefixed(size)
    default: annexB()
    }
  }

  private func lengthPrefixed(_ size: Int) -> AnyIterator<ArraySlice<UInt8>> {
    var position = bytes.startIndex
    return AnyIterator {
      while bytes.endIndex - position > size {
        var length = 0
        for byte in bytes[position..<position + size] { length = length << 8 | Int(byte) }
        let start = position + size
        // A prefix of a sample ends in the middle of a unit.
        let end = start + Swift.min(length, bytes.endIndex - start)
        position = end
        if end > start { return bytes[start..<end] }
      }
      return nil
    }
  }

  private func annexB() -> AnyIterator<ArraySlice<UInt8>> {
    var position = Self.unitStart(in: bytes, from: bytes.startIndex)
    return AnyIterator {
      guard let start = position else { return nil }
      position = Self.unitStart(in: bytes, from: start)
      var end = position.map { $0 - 3 } ?? bytes.endIndex
      while end > start, bytes[end - 1] == 0 { end -= 1 }
      return bytes[start..<end]
    }
  }

  /// The start of the unit after the next start code.
  private static func unitStart(in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
    var index = start
    while index + 3 < bytes.endIndex {
      if bytes[index + 2] > 1 {
        index += 3
      } else if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
        return index + 3
      } else {
        index += 1
      }
    }
    return nil
  }
}

extension Framing {
  /// Packs units into one sample in this framing.
  package func pack(_ units: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(units.reduce(0) { $0 + $1.count + 4 })
    for unit in units {
      switch self {
      case .annexB: bytes += [0, 0, 0, 1]
      case .lengthPrefixed(let size):
        for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
          bytes.append(UInt8(truncatingIfNeeded: unit.count >> shift))
        }
      }
      bytes += unit
    }
    return bytes
  }
}

extension NALUnits {
  /// Whether the lengths before the units fill the sample exactly (ISO 14496-15, 5.3.4.2).
  ///
  /// Zeros after the last unit are padding, which readers skip; so are empty units.
  package var fillSample: Bool {
    guard case .lengthPrefixed(let size) = framing, !bytes.starts(with: [0, 0, 0, 1]) else {
      return true
    }
    var position = bytes.startIndex
    while bytes.endIndex - position >= size {
      var length = 0
      for byte in bytes[position..<position + size] { length = length << 8 | Int(byte) }
      guard length <= bytes.endIndex - position - size else { return false }
      position += size + length
    }
    return bytes[position...].allSatisfy { $0 == 0 }
  }
}
