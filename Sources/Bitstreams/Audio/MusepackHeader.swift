/// What a Musepack file states about its length (Musepack SV7 and SV8 specifications).
package struct MusepackHeader: Equatable, Sendable {
  /// The audible samples.
  package var sampleCount: Int
  /// Samples that decode before the first audible one: the delay of the synthesis filter, and silence
  /// that was added.
  package var priming: Int
  /// Frames in the file.
  package var frameCount: Int
  /// Frames in a packet, of which the last one may have fewer.
  package var framesPerPacket: Int

  /// Samples in every frame.
  package static var frameLength: Int { 1152 }
  /// The delay of the decoder's filter bank, in samples.
  private static var delay: Int { 481 }
  /// More would be 97 days.
  private static var mostSamples: Int { 1 << 38 }

  /// - Parameter head: the file's first bytes.
  package init?(_ head: [UInt8]) {
    if head.starts(with: "MPCK".utf8) {
      self.init(version8: head)
    } else {
      self.init(version7: head)
    }
  }

  /// SV7: "MP+", the version, the number of frames, and four words, the last of which begins with a
  /// flag (the length is exact) and the samples of the last frame in 11 bits.
  private init?(version7 head: [UInt8]) {
    guard head.count >= 24, head.starts(with: "MP+".utf8), head[3] & 0xF == 7 else { return nil }
    let word = { (place: Int) in
      head[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let (frames, last) = (word(4), word(20))
    guard frames > 0 else { return nil }
    let length = last >> 20 & 0x7FF
    guard length <= Self.frameLength else { return nil }
    let total = frames * Self.frameLength
    let isExact = last >> 31 == 1
    sampleCount = isExact && length > 0 ? total - Self.frameLength + length : total - Self.delay
    (priming, frameCount, framesPerPacket) = (Self.delay, frames, 1)
  }

  /// SV8: packets of a two-letter key and a length; the stream header is `SH`: checksum, version,
  /// samples, silence before them, and two bytes that end with the power of four of a packet's frames.
  private init?(version8 head: [UInt8]) {
    var place = 4
    while place + 3 < head.count {
      let key = head[place..<place + 2]
      guard let (size, length) = Self.number(head, at: place + 2), size >= 2 + length else {
        return nil
      }
      let body = place + 2 + length
      guard key.elementsEqual("SH".utf8) else {
        guard size < head.count else { return nil }
        place += size
        continue
      }
      guard head.count > body + 5, head[body + 4] == 8,
        let (samples, first) = Self.number(head, at: body + 5),
        let (silence, second) = Self.number(head, at: body + 5 + first)
      else { return nil }
      let flags = body + 5 + first + second + 1
      guard head.count > flags, samples > 0, silence < samples, samples < Self.mostSamples else {
        return nil
      }
      priming = Self.delay + silence
      sampleCount = samples - silence
      frameCount = (samples + Self.delay + Self.frameLength - 1) / Self.frameLength
      framesPerPacket = 1 << (2 * Int(head[flags] & 7))
      return
    }
    return nil
  }

  /// Seven bits in each byte, the highest of which states that another follows.
  private static func number(_ bytes: [UInt8], at place: Int) -> (value: Int, length: Int)? {
    var value = 0
    for (count, byte) in bytes.dropFirst(place).prefix(8).enumerated() {
      value = value << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { return (value, count + 1) }
    }
    return nil
  }
}
