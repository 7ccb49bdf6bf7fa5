import Detection
import Libav
import MediaFiles

/// Decodes the frames of a track, and reduces each to the input of the detectors.
struct GridReader: ~Copyable {
  private let table: FrameTable
  private var cursor: FrameCursor
  private var rendering: FrameRendering
  private let rough: Decoder.Skip

  /// - Parameter isRough: whether bidirectionally predicted frames are not deblocked: it changes the mean of an area
  ///   by less than coding does.
  init(_ track: PictureTrack, threads: Int, isRough: Bool) throws(MediaError) {
    let cursor = try FrameCursor(track, threads: threads)
    let rendering = try FrameRendering(track.look)
    rough = isRough ? .bidirectional : .nothing
    table = track.table
    self.cursor = cursor
    self.rendering = rendering
  }

  /// - Parameter isLast: whether no later frame will be requested without seeking first.
  /// - Returns: `nil` if the frame cannot be decoded.
  mutating func grid(of frame: Int, isLast: Bool) throws(MediaError) -> PictureGrid? {
    var options = FrameCursor.Options()
    options.skips = isLast
    options.isLast = isLast
    options.rough = rough
    let place = table.place(ofFrame: frame)
    guard try cursor.show(place, options) == place else { return nil }
    return try Self.grid(of: cursor.picture, &rendering)
  }

  private static func grid(
    of picture: borrowing DecodedPicture, _ rendering: inout FrameRendering
  ) throws(MediaError) -> PictureGrid {
    if let grid = picture.lumaGrid(
      mostColumns: PictureGrid.mostColumns, mostRows: PictureGrid.mostRows)
    {
      return PictureGrid(columns: grid.columns, cells: grid.cells)
    }
    // Palettes and other formats are converted first.
    let drawn = try rendering.render(
      picture, size: .within(width: PictureGrid.mostColumns, height: PictureGrid.mostRows)
    ).picture
    return PictureGrid(
      columns: drawn.width,
      cells: stride(from: 0, to: drawn.byteCount, by: 3).map { place in
        // ITU-R BT.601, in 256ths.
        let (red, green, blue) = (
          Int(drawn.pixels[place]), Int(drawn.pixels[place + 1]), Int(drawn.pixels[place + 2])
        )
        return UInt8((red * 77 + green * 150 + blue * 29) >> 8)
      })
  }
}
