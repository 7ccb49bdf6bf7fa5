/// A picture in its own pixels over some cells, for terminals that show such.
///
/// Its pixels fill its cells: whoever wants another shape leaves a border in the picture.
public struct CellImage: Hashable, Sendable {
  /// One of the images that a screen has at most: a new one takes the place of the one before.
  public enum Slot: UInt8, Hashable, Sendable, CaseIterable {
    case first, second, third
  }

  public let slot: Slot
  /// Its upper left cell.
  public let position: Position
  /// The columns that it fills.
  public let columns: Int
  /// The rows that it fills.
  public let rows: Int
  /// Pixels.
  public let width: Int
  public let height: Int
  /// Red, green and blue of each pixel, row by row.
  public let pixels: [UInt8]

  /// - Precondition: three bytes for each pixel, and at least one cell.
  public init(
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
}

/// The pixels of a cell.
public struct CellPixels: Hashable, Sendable {
  public let width: Int
  public let height: Int

  /// At least one pixel, at most what a large screen magnifies: a terminal may claim any size.
  public init(width: Int, height: Int) {
    self.width = min(max(width, 1), 64)
    self.height = min(max(height, 1), 128)
  }
}
