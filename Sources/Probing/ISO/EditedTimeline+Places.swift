package import ExactTime
package import MediaFacts

extension EditedTimeline {
  /// Where a media tick lies on the file, and the number of the frame that is shown there.
  package struct Place: Equatable {
    /// `nil` for one that leaves 64 bits.
    package var time: MediaTime?
    /// `nil` for a frame that no edit shows.
    package var frame: Int?
  }

  /// What ``extendedTime(of:)`` and ``frameNumber(of:sortedPTS:)`` tell of each tick, for many of
  /// them at once: a file may have thousands of edits, and thousands of keyframes.
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

  /// The places of the ticks that an edit shows.
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
    // Ranges of frames become ranges of those frames that are asked for.
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
  /// Every frame that is shown, one edit after another: from its PTS, or where the edit begins inside
  /// of it from there, until the next one or the end of the edit.
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
