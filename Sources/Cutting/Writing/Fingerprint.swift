import Bitstreams
import CSystem
import MediaFacts
import Trimming

/// A hash of a packet's content, independent of its container's framing.
///
/// Start codes and lengths, access unit delimiters and repeated parameter sets differ between
/// containers and are left out; so are AV1's temporal delimiters, and AAC's ADTS headers with the
/// channel configuration after them.
struct Fingerprint {
  private var hash = trim_hash()

  init() { trim_hash_begin(&hash) }

  /// - Parameter repeated: units that a muxer may put before any keyframe, as they are in the
  ///   source's configuration.
  static func of(
    _ bytes: [UInt8], codec: Codec, framing: Framing, repeated: Set<[UInt8]> = []
  ) -> UInt64 {
    var print = Fingerprint()
    switch codec {
    case .h264:
      for unit in NALUnits(bytes: bytes[...], framing: framing) {
        guard let first = unit.first, !(7...9).contains(first & 0x1F) else { continue }
        print.add(Self.trimmed(unit))
      }
    case .hevc:
      for unit in NALUnits(bytes: bytes[...], framing: framing) {
        guard let first = unit.first, !(32...35).contains(first >> 1 & 0x3F) else { continue }
        let content = Self.trimmed(unit)
        if !repeated.isEmpty, repeated.contains(Array(content)) { continue }
        print.add(content)
      }
    case .av1:
      var end = bytes.startIndex
      for unit in OpenBitstreamUnits(bytes: bytes[...]) {
        if (3...6).contains(unit.type) { print.add(unit.bytes) }
        end = unit.bytes.endIndex
      }
      // Bytes that are not part of a unit.
      print.add(bytes[end...])
    case .aac where Self.adtsHeaderLength(of: bytes) < bytes.count:
      print.add(AACProgramConfig.left(of: bytes[Self.adtsHeaderLength(of: bytes)...]))
    case .wavPack: print.addWavPack(bytes)
    default: print.add(bytes[...])
    }
    return print.value
  }

  /// Matroska omits the parts of block headers that concern the whole file: size, total number of
  /// samples and index of the first sample (RFC 9559, A_WAVPACK4).
  private mutating func addWavPack(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while rest.count > 32, rest.starts(with: "wvpk".utf8) {
      let size = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      let block = rest.prefix(max(32, size + 8))
      add(block.dropFirst(20))
      rest = rest.dropFirst(block.count)
    }
    add(rest)
  }

  /// Zero where there is no header (ISO 14496-3, 1.A.2.2).
  private static func adtsHeaderLength(of bytes: [UInt8]) -> Int {
    guard bytes.count >= 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return 0 }
    return bytes[1] & 1 == 1 ? 7 : 9
  }

  /// Trailing zeros after a unit belong to its framing.
  private static func trimmed(_ unit: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var end = unit.endIndex
    while end > unit.startIndex, unit[end - 1] == 0 { end -= 1 }
    return unit[unit.startIndex..<end]
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { raw in
      if let base = raw.baseAddress { trim_hash_add(&hash, base, raw.count) }
      var count = UInt64(raw.count)
      trim_hash_add(&hash, &count, 8)
    }
  }

  /// Adds bytes of a stream without packet boundaries, however they are split.
  mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw in
      if let base = raw.baseAddress { trim_hash_add(&hash, base, raw.count) }
    }
  }

  var value: UInt64 {
    var hash = hash
    return trim_hash_end(&hash)
  }
}

extension SourceTrack {
  /// SEI messages in HEVC's configuration; they are inserted into the stream together with the
  /// parameter sets.
  var repeatedUnits: Set<[UInt8]> {
    facts.codec == .hevc ? HEVCSets(configuration: configuration).messages : []
  }
}

/// The fingerprints of all packets, computed as they are written.
struct FingerprintList {
  private let described: [(codec: Codec, framing: Framing, repeated: Set<[UInt8]>)]
  /// One number for each packet, or for a whole stream if the container does not keep its
  /// packets.
  var prints: [[UInt64]] {
    zip(packets, streams).map { packets, stream in stream.map { [$0.value] } ?? packets }
  }
  private var packets: [[UInt64]]
  private var streams: [Fingerprint?]
  /// False where they are not needed.
  var isWanted = true

  init(_ tracks: [OutputTrack], _ source: any CutSource, _ container: OutputContainer) {
    described = tracks.map {
      let track = source.tracks[$0.source]
      return ($0.codec(in: source), track.framing, track.repeatedUnits)
    }
    packets = tracks.map { _ in [] }
    streams = tracks.map {
      container.forgetsPackets(of: $0.codec(in: source)) ? Fingerprint() : nil
    }
  }

  mutating func add(_ bytes: [UInt8], ofTrack track: Int) {
    guard isWanted else { return }
    guard streams[track] == nil else {
      streams[track]?.append(bytes)
      return
    }
    let (codec, framing, repeated) = described[track]
    packets[track].append(
      Fingerprint.of(bytes, codec: codec, framing: framing, repeated: repeated))
  }
}
