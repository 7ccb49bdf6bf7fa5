/// HE-AAC made of bits: silence below half the band, and noise above it from spectral band replication
/// (ISO 14496-3, 4.4.2.8), of which only some frames carry the header.
package enum ReplicatedBand {
  /// Coded, and decoded to twice as many.
  package static let sampleRate = 24_000
  package static let decodedPacket = 2048

  /// What a frame has after its element for the upper band.
  package enum End: Sendable, CaseIterable {
    case nothing, emptyFill, fill, longFill, nameless
  }

  /// A raw frame of one channel.
  ///
  /// - Parameter borders: bs_frame_class; decodes only if it is 0.
  package static func frame(
    hasHeader: Bool, level: Int = 40, end: End = .nothing, hasChecksum: Bool = false,
    borders: Int = 0
  ) -> [UInt8] {
    var bits = BitBuilder()
    // single_channel_element: no bands, so neither sections nor spectrum.
    bits.write(0, 3 + 4 + 8)
    // ics_info: a long window, max_sfb 0, no prediction.
    bits.write(0, 1 + 2 + 1 + 6 + 1)
    // pulse_data, tns_data, gain_control_data
    bits.write(0, 3)
    // ID_FIL
    bits.write(6, 3)
    bits.write(13, 4)
    bits.write(hasChecksum ? 14 : 13, 4)
    var count = 4
    func add(_ value: Int, _ size: Int) {
      bits.write(value, size)
      count += size
    }
    if hasChecksum { add(0, 10) }
    add(hasHeader ? 1 : 0, 1)
    if hasHeader {
      // bs_amp_res to bs_header_extra_2, then bs_freq_scale to bs_noise_bands.
      add(0b1_1110_1100_001_00_1_0, 16)
      add(0b10_1_10, 5)
    }
    // One envelope with high resolution, coded along frequency, and no inverse filtering.
    add(borders, 1 + 2)
    add(0, 2)
    add(1, 1)
    add(0, 2 + 4)
    add(level, 7)
    // Equal bands, the loudest noise, no harmonics.
    add(0, 13 * 8 - count)
    switch end {
    case .nothing: break
    case .emptyFill: bits.write(6 << 4, 7)
    case .fill, .nameless:
      bits.write(6, 3)
      bits.write(4, 4)
      bits.write(end == .fill ? 0x10A5_A5A5 : 0x00A5_A5A5, 32)
    case .longFill:
      bits.write(6 << 12 | 15 << 8 | 6, 15)
      bits.write(0, 20 * 8)
    }
    bits.write(7, 3)
    return bits.bytes
  }

  /// A stream with ADTS headers; the frames at multiples of a number have the header for the band.
  package static func stream(frames: Int, headerEvery period: Int) -> [UInt8] {
    (0..<frames).flatMap { place in
      adts(frame(hasHeader: place % period == 0))
    }
  }

  /// ISO 14496-3, 1.A.2.2: low complexity, 24 kHz, one channel, no checksum.
  private static func adts(_ frame: [UInt8]) -> [UInt8] {
    let size = frame.count + 7
    return [
      0xFF, 0xF1, 1 << 6 | 6 << 2, 1 << 6 | UInt8(size >> 11),
      UInt8(truncatingIfNeeded: size >> 3), UInt8(truncatingIfNeeded: size << 5) | 0x1F, 0xFC,
    ] + frame
  }
}
