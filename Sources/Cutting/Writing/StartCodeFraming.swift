import Bitstreams
import MediaFacts
import Trimming

/// Converts length-prefixed H.264 and HEVC to Annex B, with the active parameter sets before
/// keyframes, for containers that require it; and makes each packet of HEVC start with its access
/// unit.
///
/// FFmpeg's `hevc_mp4toannexb` inserts the sets of the configuration after those in the packet,
/// and so overrides them. Like that filter, this also writes the SEI messages of the
/// configuration before keyframes.
struct StartCodeFraming {
  /// The sets active after the packets so far; `nil` if the stream is Annex B already.
  private var inForce: ParameterSets?
  private let framing: Framing

  /// The same in Annex B format.
  var sets: [UInt8]? { inForce?.bytes }

  /// `nil` where packets stay as they are.
  init?(of track: OutputTrack, _ source: any CutSource, _ container: OutputContainer) {
    let described = source.tracks[track.source]
    let codec = described.facts.codec
    framing = described.framing
    switch (codec, container.rules.pictures.startCodes) {
    case (.hevc, .always), (.hevc, .withOwnSets): break
    case (.h264, .always): break
    case (.h264, .withOwnSets) where track.configuration != nil: break
    default: return nil
    }
    if framing == .annexB {
      guard codec == .hevc else { return nil }
      return
    }
    inForce = ParameterSets(
      codec: codec, configuration: track.configuration ?? described.configuration)
  }

  mutating func packet(_ bytes: [UInt8], isKey: Bool) -> [UInt8] {
    guard var sets = inForce else { return Self.accessUnit(bytes) }
    let units = NALUnits(bytes: bytes[...], framing: framing).map { Array($0) }
    if units.contains(where: { sets.isSet($0[...]) }) {
      sets.renew(units.map { $0[...] })
      inForce = sets
    }
    guard isKey else { return Framing.annexB.pack(units) }
    let known = sets.bytes
    guard !known.isEmpty else { return Framing.annexB.pack(units) }
    // A delimiter comes first (ITU-T H.264, 7.4.1.2.3; ITU-T H.265, 7.4.2.4.4).
    let first = units.prefix { sets.isDelimiter($0[...]) }
    let messages = sets.messages.filter { !units.contains($0) }
    // Keep sets that could not be parsed.
    let others = units.dropFirst(first.count).filter {
      !sets.isSet($0[...]) || sets.lacks($0[...])
    }
    return Framing.annexB.pack(Array(first)) + known + Framing.annexB.pack(messages + others)
  }

  /// The packet with the zero byte that an access unit begins with (ITU-T H.265, B.2.2).
  ///
  /// FFmpeg splits HEVC access units after that byte, so that it ends the previous packet.
  /// GStreamer then takes the unit as beginning in that packet, and shows it at that packet's
  /// time.
  private static func accessUnit(_ bytes: [UInt8]) -> [UInt8] {
    // The last byte of a unit is not zero (7.4.2.1).
    guard bytes.last == 0 || bytes.starts(with: [0, 0, 1]) else { return bytes }
    guard let end = bytes.lastIndex(where: { $0 != 0 }) else { return bytes }
    let unit = bytes[...end]
    return (unit.starts(with: [0, 0, 1]) ? [0] : []) + unit
  }
}
