import Bitstreams
import MediaFacts

/// Records what the page headers of one logical Ogg stream state (RFC 3533, 6).
struct OggStreamLog {
  let codec: Codec
  /// The number of its link.
  let link: Int
  private var number: UInt32
  /// How many pages with a wrong checksum, possibly this stream's, preceded its latest page.
  private var falsePages = 0
  private var hasData = false
  /// Whether the last packet continues on the next page.
  private var isOpen = false
  /// The number of empty packets after the last non-empty one.
  private(set) var emptyPackets: Int64 = 0
  /// Where its first page of data begins, and at which position.
  private(set) var begin: OggChain.Begin?

  /// - Parameter head: the header of its first page.
  init(codec: Codec, link: Int, head: [UInt8]) {
    self.codec = codec
    self.link = link
    number = UInt32(truncatingIfNeeded: Self.number(head, at: 18, count: 4))
  }

  static func serial(_ head: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: number(head, at: 14, count: 4))
  }

  private static func number(_ bytes: [UInt8], at place: Int, count: Int) -> UInt64 {
    bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Adds a page.
  ///
  /// - Parameters:
  ///   - head: its header with the whole segment table.
  ///   - falsePages: how many pages had a wrong checksum so far.
  ///   - body: its contents.
  /// - Returns: true where pages between it and the previous one are missing. A recording that
  ///   starts in the middle of a stream has its first gap after the headers, where nothing is
  ///   missing.
  mutating func add(
    _ head: [UInt8], at place: Int64, falsePages: Int, body: () -> [UInt8]
  ) -> Bool {
    let next = UInt32(truncatingIfNeeded: Self.number(head, at: 18, count: 4))
    let isGap = hasData && next > number && next - number > 1 && falsePages == self.falsePages
    (number, self.falsePages) = (next, falsePages)
    let position = Int64(bitPattern: Self.number(head, at: 6, count: 8))
    let lacing = head[27..<27 + Int(head[26])]
    let isContinued = head[5] & 1 != 0
    if position > 0, !hasData {
      hasData = true
      if !isContinued, let samples = samples(in: body(), lacing), samples < position {
        begin = OggChain.Begin(position: position - samples, page: place)
      }
    }
    isOpen = isOpen && isContinued
    for count in lacing {
      if count == 0, !isOpen { emptyPackets += 1 } else { emptyPackets = 0 }
      isOpen = count == 255
    }
    return isGap
  }

  /// How many samples the packets that end on a page decode to; `nil` where they do not state it.
  private func samples(in body: [UInt8], _ lacing: ArraySlice<UInt8>) -> Int64? {
    guard codec == .opus || codec == .flac else { return nil }
    var (sum, start, end): (Int64, Int, Int) = (0, 0, 0)
    for count in lacing {
      end += Int(count)
      if count == 255 { continue }
      guard end <= body.count,
        case .samples(let samples) = AudioFrameLength.samples(
          codec: codec, Array(body[start..<end]), frameSize: 0)
      else { return nil }
      sum += Int64(samples)
      start = end
    }
    return sum
  }
}
