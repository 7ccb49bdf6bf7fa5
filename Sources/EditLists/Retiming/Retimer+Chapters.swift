import ExactTime

extension Retimer {
  /// FFmpeg's metadata: the chapters, each in its own time base; all other lines stay.
  static let ffmetadata = Retimer(format: .ffmetadata) { bytes, map throws(ListError) in
    // Refuses what is damaged, with its line, so that all chapters are known to have their lines.
    let chapters = try EditListFormat.ffmetadata.read(bytes).parts
    let text = RawText(bytes)
    var sections: [ArraySlice<RawText.Line>] = []
    var start = 0
    var isContinued = false
    for index in text.lines.indices {
      let line = text.lines[index].content
      if !isContinued, line.first == UInt8(ascii: "["), index > start {
        sections.append(text.lines[start..<index])
        start = index
      }
      let isEscaped = line.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
      // A blank line ends a value.
      isContinued =
        isEscaped && index + 1 < text.lines.count && !text.lines[index + 1].isBlank
    }
    sections.append(text.lines[start...])
    var tallies: [Int: CueTally] = [:]
    var output = RawOutput(text)
    var result = Retimed()
    for (count, pass) in (map.passes.isEmpty ? [0..<0] : map.passes).enumerated() {
      var index = -1
      for section in sections {
        guard section.first?.text.text.hasPrefix("[CHAPTER]") == true else {
          if count == 0 { output.append(section.flatMap(\.whole)) }
          continue
        }
        index += 1
        let base = section.lazy.compactMap(\.timeBase).first ?? Rational(1_000_000_000)
        let place = ListError.Place.line(section.first?.number ?? 1)
        var tally = tallies[index] ?? CueTally(map, unit: base, cues: 1)
        defer { tallies[index] = tally }
        guard !pass.isEmpty, chapters.indices.contains(index),
          let times = try tally.times(of: 0, chapters[index].range, in: pass, at: place)
        else {
          tallies[index] = tally
          continue
        }
        output.endLine()
        for line in section {
          switch line.text.text.prefix(while: { $0 != "=" }) {
          case "START": output.append("START=\(times.start)".utf8)
          case "END": output.append("END=\(times.end)".utf8)
          default: output.append(line.content)
          }
          output.append(line.whole[line.content.endIndex...])
        }
      }
    }
    for tally in tallies.values {
      let one = tally.result([])
      result.written += one.written
      result.dropped += one.dropped
      result.clipped += one.clipped
    }
    result.bytes = output.bytes
    return result
  }

  /// A format that is read and rewritten; what it states beside its parts is left out and reported.
  ///
  /// - Parameter unit: for formats that state only where chapters begin, in units per second: of chapters
  ///   that begin in the same unit, the last is written.
  static func listed(_ format: EditListFormat, startsPer unit: Int64? = nil) -> Retimer {
    Retimer(format: format) { bytes, map throws(ListError) in
      // What has no end lasts beyond all that is written.
      let end = MediaTime(1 << 40, 1)
      let context = EditListFormat.Context(end: end)
      let reading = try format.reading(bytes, context: context)
      var result = Retimed(leftOut: reading.leftOut)
      var list = reading.list
      do throws(ExactTimeError) {
        (list.parts, list.markers) = ([], [])
        for pass in map.passes {
          for part in reading.list.parts {
            guard let image = try map.image(of: part.range, in: pass) else { continue }
            var moved = part
            moved.range = image.range
            list.parts.append(moved)
          }
        }
        for part in reading.list.parts {
          // What is behind the last stretch may be nothing, and is not missed.
          let isOpen = part.range.end == end
          let fate = try map.fate(of: isOpen ? map.shown(of: part.range) : part.range)
          if !fate.isWritten { result.dropped += 1 } else if !fate.isWhole { result.clipped += 1 }
        }
        for marker in reading.list.markers {
          let images = try map.images(of: marker.time)
          if images.isEmpty { result.dropped += 1 }
          list.markers += images.map { EditList.Marker($0, name: marker.name) }
        }
        if let unit { list.parts = try list.parts.withDistinctStarts(per: Rational(unit)) }
      } catch {
        throw ListError(.list, "its times are out of range")
      }
      result.written = list.parts.count + list.markers.count
      guard result.written > 0 else { return result }
      let written = try format.write(list)
      result.bytes = Array(written.text.utf8)
      result.leftOut += written.leftOut.filter {
        $0 != EditList.lastEnd && $0 != EditList.sourceName
      }
      return result
    }
  }
}

extension TimeMap {
  /// A range up to the end of the last stretch.
  fileprivate func shown(of range: MediaTimeRange) -> MediaTimeRange {
    let end = stretches.map(\.source.end).max() ?? range.end
    return MediaTimeRange(from: range.start, to: min(range.end, end)) ?? range
  }

  /// Whether something of a range is written, and whether all of it is, wherever it is.
  fileprivate func fate(
    of range: MediaTimeRange
  ) throws(ExactTimeError) -> (isWritten: Bool, isWhole: Bool) {
    var fate = (isWritten: false, isWhole: true)
    for pass in passes {
      guard let image = try image(of: range, in: pass) else { continue }
      fate = (true, fate.isWhole && image.isWhole)
    }
    return fate
  }
}

extension [EditList.Part] {
  /// Without those that begin in the same unit as the next, which begins in their place.
  fileprivate func withDistinctStarts(per unit: Rational) throws(ExactTimeError) -> [Element] {
    var parts: [Element] = []
    for var part in self {
      let start = try part.range.start.seconds.multiplied(by: unit).rounded(.nearest)
      if let last = parts.last,
        try last.range.start.seconds.multiplied(by: unit).rounded(.nearest) == start
      {
        parts.removeLast()
        part.range = last.range.union(part.range)
      }
      parts.append(part)
    }
    return parts
  }
}

extension RawText.Line {
  /// Ticks per second, where the line states them.
  fileprivate var timeBase: Rational? {
    guard text.text.hasPrefix("TIMEBASE=") else { return nil }
    let numbers = text.text.dropFirst(9).split(separator: "/").compactMap { Int64($0) }
    guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else { return nil }
    return Rational(numbers[1], numbers[0])
  }
}
