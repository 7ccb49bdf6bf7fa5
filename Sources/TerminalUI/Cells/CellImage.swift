/// A picture in its own pixels over some cells, for terminals that show such.
public struct CellImage: Hashable, Sendable {
  /// Its upper left cell.
  public let position: Position
  /// The columns that it fills.
  public let columns: Int
  /// The rows that it fills; `nil` where the shape of its pixels is to tell.
  public let rows: Int?
  /// Pixels.
  public let width: Int
  public let height: Int
  /// Red, green and blue of each pixel, row by row.
  public let pixels: [UInt8]

  /// - Precondition: three bytes for each pixel.
  public init(
    at position: Position, columns: Int, rows: Int?, width: Int, height: Int, pixels: [UInt8]
  ) {
    precondition(width > 0 && height > 0 && pixels.count == width * height * 3)
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
