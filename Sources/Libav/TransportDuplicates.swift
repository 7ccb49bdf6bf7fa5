import Glibc

/// Hides duplicate transport packets (ISO/IEC 13818-1, 2.4.3.3): any packet with a payload may be
/// sent a second time, with the same bytes except for its PCR.
///
/// FFmpeg uses both payloads. Here the second is replaced by a null packet, so that all other
/// offsets stay the same.
struct TransportDuplicates {
  private static let length = 188
  private static let nullPID = 0x1FFF
  /// How far before a seek position earlier packets are examined.
  private static let lookback: Int64 = 64 << 10

  private struct Last {
    var place: Int64 = -1
    var counter: UInt8 = 0
  }

  /// Where a packet begins, and the distance to the next.
  private var origin: Int64
  private let stride: Int64
  /// The last packet with a payload, by PID.
  private var last: [Last]
  /// Where the next packet that was not examined begins.
  private var next: Int64
  /// PIDs whose transport packets (2.4.3.3, table 2-4) or PES packets (2.4.3.7, table 2-23) are
  /// scrambled.
  private(set) var scrambled: Set<Int> = []
  /// Whether the packet before ``next`` is hidden.
  private var isHidden = false

  /// - Parameter head: the first bytes of the input.
  /// - Returns: `nil` for anything but a transport stream, with or without a time before or check
  ///   bytes after each packet.
  init?(head: UnsafeRawBufferPointer) {
    for (start, stride) in [(0, 188), (4, 192), (0, 192), (0, 204)] {
      guard head.count > start + 4 * stride,
        (0..<5).allSatisfy({ unsafe head[start + $0 * stride] == 0x47 })
      else { continue }
      (origin, self.stride, next) = (Int64(start), Int64(stride), Int64(start))
      last = [Last](repeating: Last(), count: Self.nullPID)
      return
    }
    return nil
  }

  /// Hides duplicates in bytes that were read at a position of the input.
  mutating func hide(
    in bytes: UnsafeMutableRawBufferPointer, at position: Int64, of input: any ByteInput
  ) {
    let end = position + Int64(bytes.count)
    // The packet that contains the first byte, or the first one after it.
    let phase = (position - origin) % stride
    var place = position - (phase < 0 ? phase + stride : phase)
    if place < 0 { place += stride }
    if place != next && (place + stride != next || place >= position) {
      prepare(before: place, input)
    }
    if place + stride == next {
      unsafe hide(isHidden, at: place, in: bytes, position)
      place += stride
    }
    while place < end {
      isHidden = false
      let offset = Int(place - position)
      if offset >= 0, offset + Self.length <= bytes.count {
        let packet = unsafe UnsafeRawBufferPointer(
          rebasing: bytes[offset..<offset + Self.length])
        guard unsafe packet[0] == 0x47 else {
          let found = unsafe resume(in: UnsafeRawBufferPointer(bytes), from: offset)
          if let found { origin = position + Int64(found) }
          place = found == nil ? place + (end - place + stride - 1) / stride * stride : origin
          next = place
          continue
        }
        isHidden = unsafe isSecond(packet, at: place, input)
      } else {
        isHidden = isSecond(at: place, input)
      }
      unsafe hide(isHidden, at: place, in: bytes, position)
      place += stride
      next = place
    }
  }

  /// Examines the packets before a seek position.
  private mutating func prepare(before place: Int64, _ input: any ByteInput) {
    for pid in last.indices { last[pid].place = -1 }
    next = place
    let count = min(place, Self.lookback) / stride * stride
    guard count > 0 else { return }
    unsafe withUnsafeTemporaryAllocation(byteCount: Int(count), alignment: 16) { buffer in
      guard let found = unsafe try? input.read(into: buffer, at: place - count),
        found == Int(count)
      else { return }
      for start in Swift.stride(from: 0, to: found, by: Int(stride)) {
        let packet = unsafe UnsafeRawBufferPointer(
          rebasing: buffer[start..<start + Self.length])
        if unsafe packet[0] == 0x47 {
          isHidden = unsafe isSecond(packet, at: place - count + Int64(start), input)
        }
      }
    }
  }

  private mutating func isSecond(at place: Int64, _ input: any ByteInput) -> Bool {
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.length, alignment: 16) { buffer in
      guard unsafe (try? input.read(into: buffer, at: place)) == Self.length,
        unsafe buffer[0] == 0x47
      else { return false }
      return unsafe isSecond(UnsafeRawBufferPointer(buffer), at: place, input)
    }
  }

  /// Whether a packet repeats the previous one of its PID.
  private mutating func isSecond(
    _ packet: UnsafeRawBufferPointer, at place: Int64, _ input: any ByteInput
  ) -> Bool {
    let pid = unsafe Int(packet[1] & 0x1F) << 8 | Int(packet[2])
    // Without a payload its counter does not increment.
    guard unsafe packet[3] & 0x10 != 0, pid != Self.nullPID else { return false }
    if unsafe Self.isScrambled(packet) { scrambled.insert(pid) }
    let counter = unsafe packet[3] & 0xF
    let before = last[pid]
    last[pid] = Last(place: place, counter: counter)
    guard before.place >= 0, before.counter == counter else { return false }
    return unsafe withUnsafeTemporaryAllocation(byteCount: Self.length, alignment: 16) { first in
      guard unsafe (try? input.read(into: first, at: before.place)) == Self.length else {
        return false
      }
      let hasClock = unsafe packet[3] & 0x20 != 0 && packet[4] >= 7 && packet[5] & 0x10 != 0
      return [0..<(hasClock ? 6 : 12), 12..<Self.length].allSatisfy { range in
        unsafe packet[range].elementsEqual(first[range])
      }
    }
  }

  private static func isScrambled(_ packet: UnsafeRawBufferPointer) -> Bool {
    if unsafe packet[3] & 0xC0 != 0 { return true }
    guard unsafe packet[1] & 0x40 != 0 else { return false }
    let start = unsafe packet[3] & 0x20 != 0 ? 5 + Int(packet[4]) : 4
    // Audio and video streams, whose PES headers have the field.
    return unsafe start + 7 < length && packet[start] == 0 && packet[start + 1] == 0
      && packet[start + 2] == 1 && (0xC0...0xEF).contains(packet[start + 3])
      && packet[start + 6] >> 6 == 2 && packet[start + 6] & 0x30 != 0
  }

  /// Turns a packet into a null packet, as far as it is within the bytes.
  private func hide(
    _ isHidden: Bool, at place: Int64, in bytes: UnsafeMutableRawBufferPointer,
    _ position: Int64
  ) {
    guard isHidden else { return }
    for (index, value) in [(1, UInt8(0x1F)), (2, 0xFF)] {
      let offset = place + Int64(index) - position
      if offset >= 0, offset < bytes.count { unsafe bytes[Int(offset)] = value }
    }
  }

  /// Where packets continue after bytes that are not packets.
  private func resume(in bytes: UnsafeRawBufferPointer, from offset: Int) -> Int? {
    let (last, stride) = (bytes.count - 2 * Int(stride), Int(stride))
    var offset = offset
    while offset < last {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<last])
      guard let found = unsafe Self.sync(in: rest) else { return nil }
      offset += found
      if unsafe bytes[offset + stride] == 0x47 && bytes[offset + 2 * stride] == 0x47 {
        return offset
      }
      offset += 1
    }
    return nil
  }

  /// Finds the first sync byte: gigabytes may separate packets.
  private static func sync(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let start = bytes.baseAddress, let found = unsafe memchr(start, 0x47, bytes.count)
    else { return nil }
    return unsafe UnsafeRawPointer(found) - start
  }
}

extension InputBridge {
  /// Hides duplicate packets in bytes that were read.
  func hideDuplicates(in bytes: UnsafeMutableRawBufferPointer, at position: Int64) {
    var duplicates = takeDuplicates()
    if duplicates == nil, position == 0 {
      duplicates = unsafe TransportDuplicates(head: UnsafeRawBufferPointer(bytes))
    }
    unsafe duplicates?.hide(in: bytes, at: position, of: input)
    if let duplicates { put(duplicates) }
  }
}
