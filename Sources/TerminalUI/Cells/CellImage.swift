/// A picture in real pixels over some cells, for terminals that support it.
///
/// Its pixels fill its cells: another aspect ratio requires a border in the picture.
package struct CellImage: Hashable, Sendable {
  /// One of the limited number of images on a screen: a new one replaces the previous one.
  package enum Slot: UInt8, Hashable, Sendable, CaseIterable {
    case first, second, third
  }

  package let slot: Slot
  /// Its upper left cell.
  package let position: Position
  /// The columns that it fills.
  package let columns: Int
  /// The rows that it fills.
  package let rows: Int
  /// Pixels.
  package let width: Int
  package let height: Int
  /// Red, green and blue of each pixel, row by row.
  package let pixels: [UInt8]
  /// Where the characters beneath are visible.
  package internal(set) var hole: Hole?

  /// Cells of the image, counted from its upper left one.
  package struct Hole: Hashable, Sendable {
    package let columns: Range<Int>
    package let rows: Range<Int>
  }

  /// - Precondition: three bytes for each pixel, and at least one cell.
  package init(
    _ slot: Slot = .first, at position: Position, columns: Int, rows: Int, width: Int, height: Int,
    pixels: [UInt8]
  ) {
    precondition(width > 0 && height > 0 && pixels.count == width * height * 3)
    precondition(columns > 0 && rows > 0)
    self.slot = slot
    self.position = position
    self.columns = columns
    self.rows = rows
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Makes the characters visible in some cells of the screen.
  mutating func open(columns: Range<Int>, rows: Range<Int>) {
    let wide = (columns.lowerBound - position.column..<columns.upperBound - position.column)
      .clamped(to: 0..<self.columns)
    let high = (rows.lowerBound - position.row..<rows.upperBound - position.row)
      .clamped(to: 0..<self.rows)
    hole = wide.isEmpty || high.isEmpty ? nil : Hole(columns: wide, rows: high)
  }

  /// The pixels with alpha as a fourth byte: transparent in the hole.
  var pixelsWithHole: [UInt8] {
    guard let hole else { return pixels }
    let columns =
      hole.columns.lowerBound * width / self.columns..<hole.columns.upperBound * width
      / self.columns
    let rows = hole.rows.lowerBound * height / self.rows..<hole.rows.upperBound * height / self.rows
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let place = (y * width + x) * 3
        bytes += pixels[place..<place + 3]
        bytes.append(rows.contains(y) && columns.contains(x) ? 0 : 255)
      }
    }
    return bytes
  }
}

/// The size of a cell in pixels.
package struct CellPixels: Hashable, Sendable {
  package let width: Int
  package let height: Int

  /// Creates a size clamped to between one pixel and what a large magnified screen has: a terminal
  /// may report any size.
  package init(width: Int, height: Int) {
    self.width = min(max(width, 1), 64)
    self.height = min(max(height, 1), 128)
  }
}
