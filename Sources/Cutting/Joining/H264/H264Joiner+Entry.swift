import Bitstreams
import MediaFiles

/// The first picture of a copied run with nothing before it.
extension H264Joiner {
  /// Whether the output would begin with a non-IDR picture, which is then converted to an IDR
  /// picture.
  ///
  /// Decoders may wait for an IDR picture before they show anything (ITU-T H.264, 7.4.1.2.1: the
  /// first picture of a bitstream is one), and a sync sample of MP4 is one (ISO 14496-15, 5.4.1).
  var beginsAnew: Bool { numbering.instants == 0 && !entry.isIDR && entry.canBecomeIDR }

  /// SEI messages without the recovery point, which says that players can start here (ITU-T
  /// H.264, D.2.8); `nil` if no other message is left.
  static func withoutEntry(_ messages: [UInt8]) -> [UInt8]? {
    SEIMessage.removing(6, from: messages)
  }

  /// The units of the entry, with its slices converted to those of an IDR picture.
  mutating func asIDR(_ packet: [UInt8]) throws(MediaError) -> [[UInt8]] {
    var units: [[UInt8]] = []
    for unit in NALUnits(bytes: packet[...], framing: framing) {
      guard let first = unit.first else { continue }
      switch first & 0x1F {
      case 1:
        let slice = try Slice(unit, source)
        // The lower POC of its two fields is zero (8.2.1).
        let order = UInt32(max(0, -slice.header.bottomOrderDelta)) & orderMask
        copying = .renumbered(
          by: Numbers(
            frame: (0 &- slice.header.frameNumber) & frameMask,
            order: (order &- slice.header.orderLow) & orderMask))
        units.append(instant(slice, order: order))
      case 7 where Array(unit) == sequence.unit:
        units.append(sequenceUnit)
      default: units.append(Array(unit))
      }
    }
    if framing == .annexB { _ = addSets(to: &units) }
    window.startAnew()
    window.add(0, isReference: true, fillsGaps: false)
    marks = .made(entry: nil, replaced: [:])
    return units
  }

  private func instant(_ slice: Slice, order: UInt32) -> [UInt8] {
    let (header, payload) = (slice.header, slice.payload)
    var writer = BitWriter()
    writer.copy(payload, from: 0, to: header.frameNumberPosition)
    writer.write(0, bits: sequence.frameNumberBits)
    if !sequence.onlyFrames { writer.flag(false) }
    writer.exponentialGolomb(Self.firstInstant)
    var place = header.afterFrameNumber
    if sequence.orderType == 0 {
      writer.write(order, bits: sequence.orderBits)
      place = header.orderPosition + sequence.orderBits
    }
    writer.copy(payload, from: place, to: header.marking.lowerBound)
    // no_output_of_prior_pics_flag, long_term_reference_flag
    writer.write(0, bits: 2)
    return [slice.first & 0x60 | 5] + finish(&writer, slice)
  }

  /// An idr_pic_id that encoders rarely use: it only has to differ from that of the next picture.
  private static var firstInstant: UInt32 { 0x7FFF }

  /// Inserts the sets at the front: a decoder that starts here has not seen them.
  ///
  /// - Returns: whether they were missing.
  func addSets(to units: inout [[UInt8]]) -> Bool {
    guard !units.contains(where: { ($0.first ?? 0) & 0x1F == 7 }) else { return false }
    let sets = sequenceUnits + source.pictureUnits
    let delimiters = units.prefix { ($0.first ?? 0) & 0x1F == 9 }
    units = delimiters + sets + units.dropFirst(delimiters.count)
    return true
  }
}
