/// How the NAL units of a sample are told apart.
enum NALFraming: Hashable, Sendable {
  /// Each is preceded by its length in so many bytes: 1, 2, 3 or 4 (ISO 14496-15, 5.3.3).
  case lengths(Int)
  /// Each is preceded by 00 00 01 (ITU-T H.264, annex B).
  case startCodes

  /// The framing of one sample.
  ///
  /// Files exist whose configuration promises lengths and whose samples hold start codes. Read as
  /// lengths, 00 00 00 01 would be a unit of one byte, which no sample begins with.
  func found(in sample: ArraySlice<UInt8>) -> NALFraming {
    sample.starts(with: [0, 0, 0, 1]) ? .startCodes : self
  }
}

/// One unit of an H.264 or HEVC stream, its header included, as stored.
struct NALUnit {
  var bytes: ArraySlice<UInt8>

  /// The payload without the emulation prevention bytes (ITU-T H.264, 7.4.1.1), for reading.
  ///
  /// - Parameters:
  ///   - headerBytes: 1 for H.264, 2 for HEVC.
  ///   - limit: how many stored bytes are looked at.
  func payload(after headerBytes: Int, atMost limit: Int = 16384) -> [UInt8] {
    let stored = bytes.dropFirst(headerBytes).prefix(limit)
    var payload: [UInt8] = []
    payload.reserveCapacity(stored.count)
    var zeros = 0
    for byte in stored {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      payload.append(byte)
    }
    return payload
  }
}

/// The units of a sample, in order; the last one may be cut short where the bytes end.
struct NALUnits: Sequence, IteratorProtocol {
  private let bytes: ArraySlice<UInt8>
  private let framing: NALFraming
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>, _ framing: NALFraming) {
    self.bytes = bytes
    self.framing = framing
    position = bytes.startIndex
    if framing == .startCodes {
      position = startCode(from: bytes.startIndex)?.end ?? bytes.endIndex
    }
  }

  mutating func next() -> NALUnit? {
    switch framing {
    case .lengths(let width): nextAfterLength(width)
    case .startCodes: nextAfterStartCode()
    }
  }

  private mutating func nextAfterLength(_ width: Int) -> NALUnit? {
    while bytes.endIndex - position > width {
      var length = 0
      for index in position..<position + width { length = length << 8 | Int(bytes[index]) }
      position += width
      let end = position + Swift.min(length, bytes.endIndex - position)
      defer { position = end }
      if end > position { return NALUnit(bytes: bytes[position..<end]) }
    }
    return nil
  }

  private mutating func nextAfterStartCode() -> NALUnit? {
    while position < bytes.endIndex {
      let start = position
      let following = startCode(from: start)
      position = following?.end ?? bytes.endIndex
      let unit = bytes[start..<(following?.start ?? bytes.endIndex)]
      if !unit.isEmpty { return NALUnit(bytes: unit) }
    }
    return nil
  }

  /// Where the next 00 00 01 begins and ends.
  ///
  /// The zeros before it belong to no unit, but to strip them is needless: no header is read up to
  /// its last byte.
  private func startCode(from first: Int) -> (start: Int, end: Int)? {
    var index = first
    while bytes.endIndex - index >= 3 {
      if bytes[index + 2] > 1 {
        index += 3
      } else if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
        return (index, index + 3)
      } else {
        index += 1
      }
    }
    return nil
  }
}
