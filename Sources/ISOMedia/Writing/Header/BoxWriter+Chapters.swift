import ExactTime

extension BoxWriter {
  /// Nero's list of chapters: at most 255, starts in units of 100 ns, titles of 255 bytes.
  ///
  /// A start is rounded to the nearest unit, and one before 0 to 0.
  mutating func chapterList(_ chapters: [ISOOutputChapter]) {
    let grid = TickGrid(ticksPerSecond: 10_000_000)
    let listed = chapters.prefix(255)
    fullBox("chpl", version: 1) {
      $0.u32(0)
      $0.u8(UInt8(listed.count))
      for chapter in listed {
        let ticks = (try? grid.tick(of: chapter.start, rounding: .nearest)) ?? .max
        $0.u64(UInt64(max(0, ticks)))
        $0.pascal(chapter.title)
      }
    }
  }

  /// A string preceded by its one-byte length; a longer one is cut before the first character that
  /// does not fit.
  mutating func pascal(_ text: String) {
    let cut = text.prefix(upToBytes: 255)
    u8(UInt8(cut.utf8.count))
    raw(cut.utf8)
  }
}

extension String {
  /// As many whole characters as fit in a number of UTF-8 bytes.
  func prefix(upToBytes limit: Int) -> Substring {
    guard utf8.count > limit else { return self[...] }
    var bytes = 0
    var end = startIndex
    while end < endIndex {
      bytes += self[end].utf8.count
      guard bytes <= limit else { break }
      end = index(after: end)
    }
    return self[..<end]
  }
}
