/// What follows from an index, and from the fragments of a track that were read, about those that were not.
///
/// Their samples are in the track's table with the times that they have if the track goes on as in what was read;
/// with no place in the file, and with ``byteCount`` as their size.
package struct ISOAssumedFragments: Sendable, Hashable {
  /// Where a sync sample is shown that an index names.
  package struct Section: Sendable, Hashable {
    /// In ticks of the track.
    package var time: Int64
    /// Where its fragment begins in the file.
    package var place: Int64
  }

  /// Those samples, in order.
  package internal(set) var samples: [Range<Int>] = []
  /// In file order; empty for sound.
  package internal(set) var sections: [Section] = []

  /// What samples are given as their size that are not empty: more than one without a picture has.
  package static let byteCount: UInt32 = 16

  /// Whether a sample was not read.
  package func contains(_ sample: Int) -> Bool { samples.contains { $0.contains(sample) } }

  /// The fragments from the keyframe in front of some ticks up to the one behind them.
  ///
  /// - Parameters:
  ///   - ticks: of the track.
  ///   - more: how many sections are read in addition, in front and behind.
  /// - Returns: `nil` where the index names none.
  package func part(
    showing ticks: Range<Int64>, more: (front: Int, behind: Int)
  ) -> ISOFragmentPart? {
    guard !sections.isEmpty else { return nil }
    let first = sections.lastIndex { $0.time <= ticks.lowerBound } ?? 0
    let next = sections.firstIndex { $0.time >= ticks.upperBound } ?? sections.endIndex
    func place(_ number: Int) -> Int64 {
      number < sections.endIndex ? sections[number].place : .max
    }
    return ISOFragmentPart(
      start: place(max(0, first - more.front)), mediaEnd: place(next),
      end: place(next + more.behind))
  }
}
