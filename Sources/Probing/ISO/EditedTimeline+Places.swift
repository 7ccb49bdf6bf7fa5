package import ExactTime
package import MediaFacts

extension EditedTimeline {
  /// Where a media tick is on the file's timeline, and the number of the frame shown there.
  package struct Place: Equatable {
    /// The time; `nil` where it exceeds 64 bits.
    package var time: MediaTime?
    /// The frame number; `nil` for a frame that no edit shows.
    package var frame: Int?
  }

  /// The results of ``extendedTime(of:)`` and ``frameNumber(of:sortedPTS:)`` for many ticks at
  /// once: a file may have thousands of edits and thousands of keyframes.
  package func places(
    of ticks: [Int64], sortedPTS: borrowing ContiguousArray<Int64>
  ) -> [Int64: Place] {
    let sorted = ContiguousArray(Set(ticks).sorted())
    let showing = FirstCover(count: sorted.count, ranges: segments.map { covered($0, sorted) })
    let frames = frameNumbers(of: sorted, sortedPTS: sortedPTS)
    var places: [Int64: Place] = [:]
    for (index, tick) in sorted.enumerated() {
      let segment = showing.first[index].map { segments[$0] }
      let shown = segment.flatMap { time(of: Rational(tick), in: $0) }
      let extended = shown ?? segments.first.flatMap { time(of: Rational(tick), in: $0) }
      places[tick] = Place(time: extended, frame: frames[index])
    }
    return places
  }

  /// The indices of the ticks that an edit shows.
  private func covered(_ segment: Segment, _ ticks: ContiguousArray<Int64>) -> Range<Int> {
    let start = ticks.countBelow(segment.mediaStart)
    if segment.rate.isZero {
      return start..<(start < ticks.count && ticks[start] == segment.mediaStart ? start + 1 : start)
    }
    guard let end = segment.mediaEnd, let ceiling = try? end.rounded(.up) else {
      return start..<ticks.count
    }
    return start..<max(start, ticks.countBelow(ceiling))
  }

  private func frameNumbers(
    of ticks: ContiguousArray<Int64>, sortedPTS: borrowing ContiguousArray<Int64>
  ) -> [Int?] {
    var before = 0
    var starts: [Int] = []
    var ranges: [Range<Int>] = []
    // Ranges of all frames become ranges of the requested frames.
    let wanted = ContiguousArray(ticks.map { Int64(sortedPTS.place(of: $0) ?? -1) })
    let known = ContiguousArray(wanted.filter { $0 >= 0 })
    for segment in segments {
      let shown = frames(of: segment, sortedPTS: sortedPTS)
      starts.append(before - shown.lowerBound)
      let lower = known.countBelow(Int64(shown.lowerBound))
      ranges.append(lower..<max(lower, known.countBelow(Int64(shown.upperBound))))
      before += shown.count
    }
    var numbers = zip(known, FirstCover(count: known.count, ranges: ranges).first)
      .map { place, segment in segment.map { starts[$0] + Int(place) } }[...]
    return wanted.map { $0 >= 0 ? numbers.popFirst() ?? nil : nil }
  }
}

extension EditedTimeline {
  /// Every shown frame, edit by edit: from its PTS, or from the start of the edit if that is inside
  /// the frame, until the next frame or the end of the edit.
  package func shownFrames(
    sortedPTS: borrowing ContiguousArray<Int64>, mediaEnd: Int64
  ) -> [ShownFrame] {
    var frames: [ShownFrame] = []
    for segment in segments {
      let range = self.frames(of: segment, sortedPTS: sortedPTS)
      let end = min(segment.mediaEnd ?? Rational(mediaEnd), Rational(mediaEnd))
      for place in range {
        let start = max(sortedPTS[place], segment.mediaStart)
        let stop = place + 1 < range.upperBound ? Rational(sortedPTS[place + 1]) : end
        let until = segment.rate.isZero ? nil : time(of: max(stop, Rational(start)), in: segment)
        guard let from = time(of: Rational(start), in: segment),
          let length = until.flatMap({ try? $0.distance(from: from) }) ?? segment.length
        else { continue }
        frames.append(ShownFrame(time: from, duration: length))
      }
    }
    return frames
  }
}
