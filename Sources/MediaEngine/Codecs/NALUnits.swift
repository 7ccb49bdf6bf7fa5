/// How the units of an H.264 or HEVC sample are told apart.
enum Framing: Hashable, Sendable {
  /// Start codes (ITU-T H.264, annex B): transport streams, AVI, raw streams.
  case annexB
  /// A length of 1, 2 or 4 bytes before each unit (ISO 14496-15): MP4, Matroska.
  case lengthPrefixed(Int)

  /// From the codec configuration that goes with the samples; start codes where there is none.
  init(codec: String, configuration: [UInt8]) {
    switch codec {
    case "h264" where configuration.count > 6 && configuration[0] == 1:
      self = .lengthPrefixed(Int(configuration[4] & 3) + 1)
    case "hevc"
    where configuration.count > 22 && configuration[0] <= 1
      && !configuration.starts(with: [0, 0, 0, 1]) && !configuration.starts(with: [0, 0, 1]):
      self = .lengthPrefixed(Int(configuration[21] & 3) + 1)
    default: self = .annexB
    }
  }
}

extension Framing {
  /// Parameter sets for a stream whose packets hold start codes, though its configuration is that of
  /// MP4: writers of AVI copy both as they come.
  ///
  /// - Returns: the sets behind start codes; `nil` where the configuration fits the packet.
  static func startCodes(
    codec: String, configuration: [UInt8], packet: [UInt8]
  ) -> [UInt8]? {
    guard case .lengthPrefixed(let size) = Framing(codec: codec, configuration: configuration),
      packet.starts(with: [0, 0, 1]) || packet.starts(with: [0, 0, 0, 1]),
      !isWhole(packet, lengthSize: size)
    else { return nil }
    switch codec {
    case "h264":
      let sets = H264Sets(configuration: configuration)
      return Framing.annexB.pack(sets.sequenceUnits + sets.pictureUnits)
    default: return Framing.annexB.pack(HEVCSets(configuration: configuration).all)
    }
  }

  /// Whether lengths lead from unit to unit up to the end.
  private static func isWhole(_ packet: [UInt8], lengthSize: Int) -> Bool {
    var position = 0
    while packet.count - position > lengthSize {
      let length = packet[position..<position + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      position += lengthSize
      guard length > 0, length <= packet.count - position else { return false }
      position += length
    }
    return position == packet.count
  }
}

/// Walks the network abstraction layer units of a sample, or of the beginning of one.
struct NALUnits: Sequence {
  let bytes: ArraySlice<UInt8>
  let framing: Framing

  func makeIterator() -> AnyIterator<ArraySlice<UInt8>> {
    switch framing {
    // Files exist whose configuration promises lengths and whose samples hold start codes: read as
    // a length, 00 00 00 01 would be a unit of one byte, with which no sample begins.
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

  /// Where the unit behind the next start code begins.
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

  /// The payload without the bytes that keep it from looking like a start code (7.4.1).
  static func unescaped(_ unit: ArraySlice<UInt8>, limit: Int = 4096) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in unit.prefix(limit) {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }
}
