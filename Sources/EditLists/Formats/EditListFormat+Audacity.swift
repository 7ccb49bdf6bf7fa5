import ExactTime

extension EditListFormat {
  /// Audacity's label track: `start`, `end` and label between tabs, in seconds with six decimals.
  ///
  /// A label of no length is a marker. A label of a frequency range is refused.
  public static let audacity = EditListFormat(
    id: "audacity", name: "labels of Audacity", extensions: ["txt"],
    recognises: { $0.lines.first?.isAudacity ?? false },
    reads: { text, _ throws(ListError) in
      var list = EditList()
      for line in text.lines {
        guard !line.text.hasPrefix("\\") else {
          throw line.failure("it selects frequencies, which a cut does not do")
        }
        let columns = line.columns
        guard columns.count == 2 || columns.count == 3 else {
          throw line.failure("it has \(columns.count) columns instead of start, end and label")
        }
        let start = try line.seconds(columns[0], "start")
        let end = try line.seconds(columns[1], "end")
        let label = columns.count == 3 && !columns[2].isEmpty ? String(columns[2]) : nil
        if start == end {
          list.markers.append(EditList.Marker(start, name: label))
        } else {
          list.parts.append(EditList.Part(try line.range(from: start, to: end), name: label))
        }
      }
      return list
    },
    writes: { list throws(ListError) in
      try list.refuse("a label track", keepsMarkers: true, keeps: true, names: true)
      var seconds = DecimalSeconds()
      var text = ""
      for part in list.parts {
        let range = part.range
        text += "\(seconds(range.start, places: 6))\t\(seconds(range.end, places: 6))"
        text += "\t\(part.name ?? "")\n"
      }
      for marker in list.markers {
        let time = seconds(marker.time, places: 6)
        text += "\(time)\t\(time)\t\(marker.name ?? "")\n"
      }
      return Written(text: text, rounded: seconds.rounded, leftOut: list.leftOut)
    })
}

extension ListText.Line {
  /// Whether this is a line as Audacity writes it: both times with at least six decimals, between tabs.
  var isAudacity: Bool {
    let columns = columns
    return (2...3).contains(columns.count)
      && columns[0...1].allSatisfy { column in
        let point = column.utf8.firstIndex(of: UInt8(ascii: "."))
        return Rational(decimal: column) != nil
          && point.map { column.utf8.distance(from: $0, to: column.utf8.endIndex) > 6 } == true
      }
  }
}
