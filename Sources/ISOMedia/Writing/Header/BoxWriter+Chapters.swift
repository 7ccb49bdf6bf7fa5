import ExactTime

extension BoxWriter {
  /// Nero's list of chapters: at most 255, starts in units of 100 ns, titles of 255 bytes.
  ///
  /// A start between two units goes to the nearest one; before 0 to 0.
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

  /// A string behind its length in one byte; a longer one ends before the character that is too
  /// much.
  mutating func pascal(_ text: String) {
    let cut = text.prefix(upToBytes: 255)
    u8(UInt8(cut.utf8.count))
    raw(cut.utf8)
  }
}

extension String {
  /// As many whole characters as fit into so many bytes of UTF-8.
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
