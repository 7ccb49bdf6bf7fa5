/// What a file states about its fragments in one place: `sidx` before them (ISO 14496-12, 8.16.3), or `mfra`
/// behind them (8.8.9).
struct FragmentIndex {
  /// A sync sample as the index states it.
  struct Entry {
    /// Its presentation, in ticks of the track, from where the index counts.
    var time: Int64
    /// Where the fragments are among which its own is.
    var section: Range<Int64>
    /// Its number in the first run of its fragment, from 0; `nil` for the only sync sample of the section.
    var sample: Int?
  }

  /// In file order.
  var entries: [UInt32: [Entry]] = [:]
  /// Tracks of which the index names fragments without a sync sample.
  var incomplete: Set<UInt32> = []
  /// The ticks per second that it states; the tracks' own where it states none.
  var timescales: [UInt32: Int64] = [:]

  /// Where the last fragments that it names begin: of the track whose last ones come first.
  var last: Int64? {
    entries.values.compactMap { $0.last?.section.lowerBound }.min()
  }

  /// How many sections of fragments it names.
  var sectionCount: Int {
    Set(entries.values.joined().map(\.section.lowerBound)).count
  }

  private mutating func add(_ entry: Entry, to track: UInt32) -> Bool {
    if let before = entries[track]?.last {
      guard before.section.lowerBound <= entry.section.lowerBound, before.time < entry.time else {
        return false
      }
    }
    entries[track, default: []].append(entry)
    return true
  }
}

extension FragmentIndex {
  /// The subsegments of one track that a `sidx` box names.
  ///
  /// - Returns: false where it says nothing of use: it leads to further indexes, or contradicts itself.
  mutating func add(
    segments box: Box, endingAt anchor: Int64, fileEnd: Int64
  ) -> Bool {
    var fields = box.fields
    let version = fields.fullBoxHeader().version
    let track = fields.u32()
    timescales[track] = Int64(fields.u32())
    guard var time = Int64(exactly: fields.u32or64(version: version)),
      let skipped = Int64(exactly: fields.u32or64(version: version)),
      entries[track] == nil, time < 1 << 62
    else { return false }
    fields.skip(2)
    let count = Int(fields.u16())
    guard count > 0, count * 12 <= fields.remaining, skipped <= fileEnd else { return false }
    var place = anchor + skipped
    for _ in 0..<count {
      let size = fields.u32()
      let duration = Int64(fields.u32())
      let access = fields.u32()
      let end = place + Int64(size & 0x7FFF_FFFF)
      guard size >> 31 == 0, end <= fileEnd, time < 1 << 62 else { return false }
      // The first sync sample is as far from the earliest picture as SAP_delta_time states.
      if access >> 31 == 0 {
        incomplete.insert(track)
      } else {
        let entry = Entry(time: time + Int64(access & 0xFFF_FFFF), section: place..<end)
        guard add(entry, to: track) else { return false }
      }
      time += duration
      place = end
    }
    return entries[track] != nil
  }

  /// The sync samples of one track that a `tfra` box names (8.8.10).
  mutating func add(samples box: Box, fileEnd: Int64) -> Bool {
    var fields = box.fields
    let version = fields.fullBoxHeader().version
    let track = fields.u32()
    let lengths = fields.u32()
    let count = Int(fields.u32())
    let sizes = [4, 2, 0].map { Int(lengths >> UInt32($0) & 3) + 1 }
    let entryBytes = (version == 0 ? 8 : 16) + sizes.reduce(0, +)
    guard entries[track] == nil, count <= fields.remaining / entryBytes else { return false }
    for _ in 0..<count {
      let time = fields.u32or64(version: version)
      let offset = fields.u32or64(version: version)
      let numbers = sizes.map { size in
        (0..<size).reduce(0) { sum, _ in sum << 8 | Int(fields.u8()) }
      }
      guard let time = Int64(exactly: time), let place = Int64(exactly: offset), time < 1 << 62,
        place < fileEnd, numbers[1] == 1, numbers[2] > 0
      else { return false }
      let entry = Entry(time: time, section: place..<place + 1, sample: numbers[2] - 1)
      guard add(entry, to: track) else { return false }
    }
    return true
  }
}

extension FileSource {
  /// How much is asked for at once at the end of a file: most indexes.
  private static var mostOfTail: Int64 { 128 << 10 }
  /// The most of an index that is read.
  private static var mostIndexed: Int64 { 8 << 20 }

  /// The index of the fragments of a file, in the boxes before them or at its end.
  ///
  /// - Parameter boxes: those up to an offset; an index of nothing behind it is of no use.
  func fragmentIndex(_ boxes: [ISOMovie.TopLevelBox], to offset: Int64) -> FragmentIndex? {
    func leads(_ index: FragmentIndex?) -> Bool { (index?.last).map { $0 > offset } ?? false }
    let segments = segmentIndex(boxes)
    if leads(segments) { return segments }
    let samples = randomAccessIndex()
    return leads(samples) ? samples : nil
  }

  private func segmentIndex(_ boxes: [ISOMovie.TopLevelBox]) -> FragmentIndex? {
    guard let first = boxes.firstIndex(where: { $0.type == "moof" }) else { return nil }
    var index = FragmentIndex()
    for box in boxes[..<first] where box.type == "sidx" {
      guard box.size <= Self.mostIndexed, let payload = try? payload(of: box),
        index.add(
          segments: Box(type: box.type, offset: box.offset, payload: payload),
          endingAt: box.offset + box.size, fileEnd: file.byteCount)
      else { return nil }
    }
    return index.last == nil ? nil : index
  }

  /// The `mfra` box, whose size is the last field of the file (8.8.11).
  private func randomAccessIndex() -> FragmentIndex? {
    let end = file.byteCount
    guard end > 16 else { return nil }
    file.expect(max(0, end - Self.mostOfTail)..<end)
    guard let bytes = try? read(at: end - 16, count: 16) else { return nil }
    let tail = ByteView(bytes, fileOffset: end - 16)
    let size = Int64(tail.u32(12))
    guard tail.u32(0) == 16, tail.fourCC(4) == "mfro", size > 16,
      size <= min(end, Self.mostIndexed),
      let start = try? read(at: end - size, count: 16),
      let box = Self.box(ByteView(start, fileOffset: end - size), at: end - size, end: end),
      box.type == "mfra", box.size == size, let payload = try? payload(of: box)
    else { return nil }
    var index = FragmentIndex()
    for child in Box(type: box.type, offset: box.offset, payload: payload).children()
    where child.type == "tfra" {
      guard index.add(samples: child, fileEnd: end) else { return nil }
    }
    return index.last == nil ? nil : index
  }
}
