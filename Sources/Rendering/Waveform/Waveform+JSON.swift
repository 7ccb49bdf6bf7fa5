extension Waveform {
  /// Bits per level in JSON.
  public enum Bits: Int, Sendable, Hashable, CaseIterable {
    case eight = 8
    case sixteen = 16
  }

  /// The audiowaveform JSON format, version 2: for each pixel the minimum and maximum level of each
  /// channel.
  ///
  /// - Returns: `nil` where pixels do not all have the same number of samples, which this format
  ///   cannot express.
  public func json(bits: Bits = .sixteen) -> [UInt8]? {
    guard case .samplesPerPixel(let samples) = scale else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(200 + pixelCount * channels.count * 10)
    text += Array(
      ("{\"version\":2,\"channels\":\(channels.count),\"sample_rate\":\(sampleRate),"
        + "\"samples_per_pixel\":\(samples),\"bits\":\(bits.rawValue),\"length\":\(pixelCount),"
        + "\"data\":[").utf8)
    for pixel in 0..<pixelCount {
      for (number, channel) in channels.enumerated() {
        if pixel > 0 || number > 0 { text.append(UInt8(ascii: ",")) }
        text += Array("\(Self.stored(channel.low[pixel], bits))".utf8)
        text.append(UInt8(ascii: ","))
        text += Array("\(Self.stored(channel.high[pixel], bits))".utf8)
      }
    }
    text += Array("]}\n".utf8)
    return text
  }

  private static func stored(_ level: Float, _ bits: Bits) -> Int {
    let value = Int((min(max(level, -1), 1) * 32768).rounded())
    let sixteen = min(max(value, -32768), 32767)
    return bits == .sixteen ? sixteen : sixteen >> 8
  }
}
