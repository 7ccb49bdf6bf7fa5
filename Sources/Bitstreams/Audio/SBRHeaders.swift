package import MediaFacts

/// Finds the AAC packets that carry the header of spectral band replication.
///
/// Encoders send it once or twice a second (bs_header_flag; ISO 14496-3, 4.4.2.8), and until a decoder has
/// read it, the upper band is missing. The element that carries it (EXT_SBR_DATA or EXT_SBR_DATA_CRC in
/// ID_FIL; table 4.121) follows spectral data of unknown length, so it is searched from the end of a
/// frame, where ID_END and the lengths of fill elements confirm it.
package struct SBRHeaders {
  /// Whether a frame has one channel element, so that only fill elements follow it.
  private let endsWithFill: Bool
  private var frameCount = 0
  private var carrierCount = 0
  private var headers: [Int: Set<UInt32>] = [:]

  /// Whether a track may have such headers: where nothing signals them, only at rates of at most 24 kHz (ISO
  /// 14496-3, 1.6.5.2).
  package static func mayBe(in track: TrackFacts) -> Bool {
    guard track.codec.isOne(of: .aac, .aacLATM) else { return false }
    if track.profile?.hasPrefix("HE-AAC") == true { return true }
    return track.audio?.sampleRate.map { $0 <= 24_000 } ?? false
  }

  /// - Parameter channels: those of the coded audio; `nil` where not known.
  package init(channels: Int?) { endsWithFill = (channels ?? 2) <= 2 }

  /// - Parameter packet: a raw frame, or one with an ADTS or LATM header.
  package mutating func add(_ packet: [UInt8], at place: Int) {
    frameCount += 1
    let frame = ADTSHeader(packet).map { packet.dropFirst($0.byteCount) } ?? packet[...]
    guard let found = endsWithFill ? Self.last(in: frame) : Self.anywhere(in: frame) else { return }
    carrierCount += 1
    if !found.isEmpty { headers[place] = found }
  }

  /// The packets with a header, in order; empty where no band is replicated.
  ///
  /// What looks like a header by chance differs every time, while encoders repeat theirs.
  package var places: [Int] {
    guard carrierCount * 2 > frameCount else { return [] }
    var counts: [UInt32: Int] = [:]
    for header in headers.values.joined() { counts[header, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    let least = endsWithFill ? min(2, most) : most
    let repeated = Set(counts.filter { $0.value >= least }.keys)
    return headers.filter { !$0.value.isDisjoint(with: repeated) }.keys.sorted()
  }

  /// Whether a frame of one or two channels has a header, and its envelopes begin and end where it does.
  ///
  /// Then bs_frame_class is FIXFIX (ISO 14496-3, 4.6.18.3.2). `false` where that is not known.
  package static func isHeaderWithFixedBorders(_ packet: [UInt8]) -> Bool {
    let frame = ADTSHeader(packet).map { packet.dropFirst($0.byteCount) } ?? packet[...]
    // ID_SCE and ID_CPE.
    guard let channels = read(frame, at: 0, identifierBits), channels <= 1,
      let element = elements(in: frame)?.last
    else { return false }
    var reader = BitReader(frame)
    // The header up to bs_header_extra_1 and 2, and what these announce (table 4.63).
    guard reader.skip(element.content + (element.type == 14 ? 10 : 0)), reader.flag() == true,
      reader.skip(14), let more = reader.read(2), reader.skip(Int(more >> 1 * 5 + (more & 1) * 6))
    else { return false }
    // bs_data_extra with bs_reserved, and bs_coupling (tables 4.65 and 4.66).
    guard let isReserved = reader.flag(), reader.skip(isReserved ? 4 * (Int(channels) + 1) : 0),
      let isCoupled = channels == 0 ? true : reader.flag(), reader.read(2) == 0
    else { return false }
    // The second channel has a grid of its own, after bs_num_env_raw and bs_freq_res of the first.
    return isCoupled || reader.skip(3) && reader.read(2) == 0
  }

  /// ID_FIL (table 4.85).
  private static let fill: UInt32 = 6
  /// The largest count of a fill element (table 4.11): 15, and esc_count less 1.
  private static let largestCount = 15 + 255 - 1
  private static let identifierBits = 3
  private static let typeBits = 4

  /// The headers in the fill elements at the end of a frame; `nil` where none of them replicates a band.
  private static func last(in frame: ArraySlice<UInt8>) -> Set<UInt32>? {
    elements(in: frame).map { Set($0.compactMap { header(frame, $0) }) }
  }

  /// The fill elements at the end of a frame that replicate a band; `nil` where there is none.
  private static func elements(in frame: ArraySlice<UInt8>) -> [FillElement]? {
    guard let last = frame.lastIndex(where: { $0 != 0 }) else { return nil }
    // The frame ends with ID_END, which is three ones, and zeros up to the byte.
    let end = (last - frame.startIndex + 1) * 8 - frame[last].trailingZeroBitCount - identifierBits
    guard read(frame, at: end, identifierBits) == 7 else { return nil }
    var (ends, seen) = ([end], Set([end]))
    var found: [FillElement] = []
    while let end = ends.popLast() {
      for count in 0...largestCount {
        let start = end - 8 * count - identifierBits - (count < 15 ? 4 : 12)
        guard start >= 0 else { break }
        guard let element = fillElement(frame, at: start), element.byteCount == count else {
          continue
        }
        switch element.type {
        // EXT_SBR_DATA, EXT_SBR_DATA_CRC
        case 13, 14: found.append(element)
        // Nothing, EXT_FILL, EXT_FILL_DATA: another fill element may precede it.
        case 0, 1: if seen.insert(start).inserted { ends.append(start) }
        default: break
        }
      }
    }
    return found.isEmpty ? nil : found
  }

  /// What may be headers anywhere in a frame of several channel elements, each with its own fill element.
  private static func anywhere(in frame: ArraySlice<UInt8>) -> Set<UInt32>? {
    var headers = Set<UInt32>()
    let size = frame.count * 8
    for start in 0..<max(0, size - 2 * identifierBits) {
      guard let element = fillElement(frame, at: start), element.type == 13 || element.type == 14,
        element.content - typeBits + 8 * element.byteCount + identifierBits <= size,
        let header = header(frame, element)
      else { continue }
      headers.insert(header)
    }
    return headers
  }

  /// A fill element (table 4.11): its payload in bytes, its extension_type (0 where it is empty), and the bit
  /// after that.
  private typealias FillElement = (byteCount: Int, type: UInt32, content: Int)

  private static func fillElement(_ frame: ArraySlice<UInt8>, at start: Int) -> FillElement? {
    var reader = BitReader(frame)
    guard reader.skip(start), reader.read(identifierBits) == fill, var count = reader.read(4) else {
      return nil
    }
    if count == 15 {
      guard let more = reader.read(8) else { return nil }
      count = count + more - 1
    }
    guard count > 0 else { return (0, 0, reader.position) }
    guard let type = reader.read(typeBits) else { return nil }
    return (Int(count), type, reader.position)
  }

  /// sbr_header (table 4.63), up to its two flags; `nil` where the element has none.
  private static func header(_ frame: ArraySlice<UInt8>, _ element: FillElement) -> UInt32? {
    var reader = BitReader(frame)
    // bs_sbr_crc_bits
    guard reader.skip(element.content + (element.type == 14 ? 10 : 0)), reader.flag() == true,
      let header = reader.read(16), header >> 2 & 3 == 0
    else { return nil }
    return header
  }

  private static func read(_ frame: ArraySlice<UInt8>, at place: Int, _ count: Int) -> UInt32? {
    var reader = BitReader(frame)
    return reader.skip(place) ? reader.read(count) : nil
  }
}
