import ExactTime

/// Serialization of a table, so that only one of several processes that open a file reads all its
/// packets.
///
/// 64-bit little-endian integers. Invalid tables are rejected: the bytes come from a process that a
/// malicious file may have taken over.
extension FrameTable {
  package var bytes: [UInt8] {
    var words = Words()
    words.add(grid.secondsPerTick)
    words.add(pts.count)
    for tick in pts { words.add(tick) }
    words.add(countsPackets ? 1 : 0)
    words.add(stated?.count ?? 0)
    for tick in stated ?? [] { words.add(tick) }
    words.add(clocks.count)
    for clock in clocks { words.add(clock) }
    words.add(keys.count)
    for key in keys {
      words.add(key.index)
      words.add(key.dts)
      words.add(key.byteOffset)
    }
    words.add(stretches.count)
    for stretch in stretches {
      words.add(stretch.start.seconds)
      words.add(stretch.end.seconds)
      words.add(stretch.mediaStart)
      words.add(stretch.lead.seconds)
      words.add(stretch.rate)
      words.add(stretch.places)
      words.add(stretch.firstFrame)
    }
    return words.bytes
  }

  package init?(_ bytes: ArraySlice<UInt8>) {
    var reader = WordReader(bytes)
    guard let tick = reader.rational(), let grid = try? TickGrid(secondsPerTick: tick),
      let pts = reader.list({ $0.next() }), let countsPackets = reader.next(),
      let stated = reader.list({ $0.next() }),
      stated.isEmpty || stated.count == pts.count, let clocks = reader.list({ $0.range() }),
      let keys = reader.list(Key.init), let stretches = reader.list(Stretch.init), reader.isAtEnd,
      Self.cover(clocks, pts.count), keys.allSatisfy({ pts.indices.contains($0.index) }),
      zip(keys, keys.dropFirst()).allSatisfy({ $0.index < $1.index }),
      Self.follow(stretches, pts.count)
    else { return nil }
    self.init(
      grid: grid, pts: ContiguousArray(pts),
      stated: stated.isEmpty ? nil : ContiguousArray(stated),
      countsPackets: countsPackets == 1 && !stated.isEmpty, clocks: clocks, keys: keys
    ) { _ in stretches }
  }

  /// Whether consecutive ranges cover all indices.
  private static func cover(_ ranges: [Range<Int>], _ count: Int) -> Bool {
    var end = 0
    for range in ranges {
      guard range.lowerBound == end else { return false }
      end = range.upperBound
    }
    return end == count
  }

  private static func follow(_ stretches: [Stretch], _ count: Int) -> Bool {
    var (frames, end): (Int, MediaTime?) = (0, nil)
    for stretch in stretches {
      guard stretch.firstFrame == frames, stretch.places.upperBound <= count,
        stretch.start <= stretch.end, end.map({ $0 <= stretch.start }) ?? true
      else { return false }
      frames += stretch.places.count
      end = stretch.end
    }
    return true
  }
}

extension FrameTable.Key {
  fileprivate init?(_ reader: inout WordReader) {
    guard let index = reader.index(), let dts = reader.optional(), let offset = reader.optional()
    else { return nil }
    self.init(index: index, dts: dts, byteOffset: offset)
  }
}

extension FrameTable.Stretch {
  fileprivate init?(_ reader: inout WordReader) {
    guard let start = reader.rational(), let end = reader.rational(), let media = reader.next(),
      let lead = reader.rational(), let rate = reader.rational(), let places = reader.range(),
      let first = reader.index()
    else { return nil }
    self.init(
      start: MediaTime(seconds: start), end: MediaTime(seconds: end), mediaStart: media,
      lead: MediaDuration(seconds: lead), rate: rate,
      places: places, firstFrame: first)
  }
}

private struct Words {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ word: Int64) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }
  mutating func add(_ number: Int) { add(Int64(number)) }
  mutating func add(_ optional: Int64?) {
    add(optional == nil ? 0 : 1)
    add(optional ?? 0)
  }
  mutating func add(_ range: Range<Int>) {
    add(range.lowerBound)
    add(range.upperBound)
  }
  mutating func add(_ rational: Rational) {
    add(rational.numerator)
    add(rational.denominator)
  }
}

private struct WordReader {
  private var left: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { left = bytes }

  var isAtEnd: Bool { left.isEmpty }

  mutating func next() -> Int64? {
    guard left.count >= 8 else { return nil }
    let word = left.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    left.removeFirst(8)
    return Int64(bitPattern: word)
  }

  mutating func index() -> Int? {
    guard let word = next(), word >= 0, word < Int64(Int32.max) else { return nil }
    return Int(word)
  }

  /// Reads an optional number; the outer `nil` if none can be read.
  mutating func optional() -> Int64?? {
    guard let isThere = next(), let word = next(), 0...1 ~= isThere else { return nil }
    return .some(isThere == 1 ? word : nil)
  }

  mutating func range() -> Range<Int>? {
    guard let start = index(), let end = index(), start <= end else { return nil }
    return start..<end
  }

  mutating func rational() -> Rational? {
    guard let numerator = next(), let denominator = next(), denominator > 0 else { return nil }
    return try? Rational(checked: Int128(numerator), over: Int128(denominator))
  }

  /// Reads a list, with no more elements than fit in the remaining bytes.
  mutating func list<Element>(_ element: (inout WordReader) -> Element?) -> [Element]? {
    guard let count = index(), count <= left.count / 8 else { return nil }
    var found: [Element] = []
    found.reserveCapacity(count)
    for _ in 0..<count {
      guard let next = element(&self) else { return nil }
      found.append(next)
    }
    return found
  }
}
