import CSystem

/// Widths in terminal cells, from the C library's table.
extension String {
  /// The number of cells this text takes; it must already be safe to show.
  package var cellWidth: Int {
    unicodeScalars.reduce(0) { $0 + $1.cellWidth }
  }

  /// The text itself if it fits, otherwise its beginning with `ellipsis` at the end.
  package func cut(toCells width: Int, ellipsis: String) -> String {
    guard cellWidth > width else { return self }
    let room = width - ellipsis.cellWidth
    guard room > 0 else { return String(ellipsis.unicodeScalars.prefix(max(0, width))) }
    return prefix(ofCells: room) + ellipsis
  }

  /// The longest prefix that takes no more than `width` cells.
  package func prefix(ofCells width: Int) -> String {
    var taken = 0
    var result = ""
    for scalar in unicodeScalars {
      taken += scalar.cellWidth
      if taken > width { break }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  package func padded(toCells width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - cellWidth))
  }
}

extension Unicode.Scalar {
  /// 0, 1 or 2.
  package var cellWidth: Int {
    if value >= 0x20 && value < 0x7f { return 1 }
    return max(0, Int(trim_cell_width(value)))
  }
}
