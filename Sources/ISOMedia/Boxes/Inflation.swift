/// Unpacks a stream of zlib's (RFC 1950) within a limit.
///
/// Codes are read bit by bit from tables of counts: slow, and short, for headers of some kilobytes.
struct Inflation {
  private let bytes: ByteView
  private let limit: Int
  private var position = 2
  private var held: UInt32 = 0
  private var heldCount = 0
  private var output: [UInt8] = []
  /// Whether more was read than there is.
  private var isShort = false

  /// - Returns: what was packed; `nil` for what is broken, or unpacks to more than the limit.
  static func unpack(_ bytes: ByteView, limit: Int) -> [UInt8]? {
    // The method, and a check of both bytes.
    guard bytes.count > 2, bytes.u8(0) & 0xF == 8, bytes.u16(0) % 31 == 0,
      bytes.u8(1) & 0x20 == 0
    else { return nil }
    var inflation = Inflation(bytes: bytes, limit: limit)
    return inflation.run() ? inflation.output : nil
  }

  private init(bytes: ByteView, limit: Int) {
    self.bytes = bytes
    self.limit = limit
  }

  private mutating func run() -> Bool {
    var isLast = false
    while !isLast, !isShort {
      isLast = bits(1) == 1
      let isRead =
        switch bits(2) {
        case 0: copyStored()
        case 1: copyCoded(Self.fixedLengths, Self.fixedDistances)
        case 2: copyDescribed()
        default: false
        }
      guard isRead else { return false }
    }
    return !isShort
  }

  /// Numbers stand with their lowest bit first (RFC 1951, 3.1.1).
  private mutating func bits(_ count: Int) -> Int {
    while heldCount < count {
      guard position < bytes.count else {
        isShort = true
        return 0
      }
      held |= UInt32(bytes.u8(position)) << UInt32(heldCount)
      position += 1
      heldCount += 8
    }
    let value = held & ((1 << UInt32(count)) - 1)
    held >>= UInt32(count)
    heldCount -= count
    return Int(value)
  }

  /// 3.2.4: whole bytes, behind their number and its complement.
  private mutating func copyStored() -> Bool {
    (held, heldCount) = (0, 0)
    let count = bits(16)
    guard bits(16) == count ^ 0xFFFF, bytes.count - position >= count,
      output.count + count <= limit
    else { return false }
    output += bytes.slice(from: position, count: count).bytes
    position += count
    return true
  }

  /// A code of Huffman's, by the lengths of its words (3.2.2).
  private struct Code {
    /// How many words there are of each length, and what they stand for in their order.
    private(set) var counts = [Int](repeating: 0, count: 16)
    private(set) var symbols: [Int] = []

    init(_ lengths: [Int]) {
      for length in lengths where length > 0 { counts[length] += 1 }
      for length in 1...15 {
        symbols += lengths.indices.filter { lengths[$0] == length }
      }
    }
  }

  /// 3.2.6.
  private static let fixedLengths = Code(
    (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = Code([Int](repeating: 5, count: 30))

  private mutating func symbol(_ code: Code) -> Int? {
    var (word, first, index) = (0, 0, 0)
    for length in 1...15 {
      word |= bits(1)
      let count = code.counts[length]
      if word - first < count {
        let place = index + word - first
        return place >= 0 && place < code.symbols.count && !isShort ? code.symbols[place] : nil
      }
      index += count
      first = (first + count) << 1
      word <<= 1
    }
    return nil
  }

  /// 3.2.7: the lengths of the words of two codes, in words of a third.
  private mutating func copyDescribed() -> Bool {
    let (literals, distances, count) = (bits(5) + 257, bits(5) + 1, bits(4) + 4)
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    var lengths = [Int](repeating: 0, count: 19)
    for place in order.prefix(count) { lengths[place] = bits(3) }
    let code = Code(lengths)
    lengths = []
    while lengths.count < literals + distances {
      guard let symbol = symbol(code) else { return false }
      switch symbol {
      case 0...15: lengths.append(symbol)
      case 16:
        guard let last = lengths.last else { return false }
        lengths += [Int](repeating: last, count: 3 + bits(2))
      case 17: lengths += [Int](repeating: 0, count: 3 + bits(3))
      default: lengths += [Int](repeating: 0, count: 11 + bits(7))
      }
    }
    guard lengths.count == literals + distances else { return false }
    return copyCoded(Code(Array(lengths[..<literals])), Code(Array(lengths[literals...])))
  }

  /// 3.2.5.
  private mutating func copyCoded(_ literals: Code, _ distances: Code) -> Bool {
    while let symbol = symbol(literals) {
      guard symbol != 256 else { return true }
      guard symbol > 256 else {
        guard output.count < limit else { return false }
        output.append(UInt8(symbol))
        continue
      }
      guard let length = length(symbol - 257), let step = self.symbol(distances),
        let distance = distance(step), distance <= output.count, output.count + length <= limit
      else { return false }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
    return false
  }

  private mutating func length(_ code: Int) -> Int? {
    switch code {
    case 0..<8: return 3 + code
    case 8..<28:
      let extra = code / 4 - 1
      return 3 + ((4 + code % 4) << extra) + bits(extra)
    case 28: return 258
    default: return nil
    }
  }

  private mutating func distance(_ code: Int) -> Int? {
    guard code < 30 else { return nil }
    if code < 4 { return 1 + code }
    let extra = code / 2 - 1
    return 1 + ((2 + code % 2) << extra) + bits(extra)
  }
}
