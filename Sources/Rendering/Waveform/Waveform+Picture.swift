extension Waveform {
  /// Colors of a drawn waveform, each as red, green and blue from 0 to 255.
  public struct Colors: Sendable, Hashable {
    /// The color behind the waveform.
    public var background: [UInt8] = [255, 255, 255]
    /// The color from the lowest to the highest level.
    public var peaks: [UInt8] = [144, 180, 219]
    /// The color of the RMS level, drawn on both sides of silence.
    public var mean: [UInt8] = [37, 99, 168]
    /// The color of silence, drawn as a line.
    public var axis: [UInt8] = [120, 130, 140]

    /// Creates blue shapes on white.
    public init() {}
  }

  /// Draws a picture with a column for each pixel of the waveform, one channel below the other.
  ///
  /// - Parameter height: rows in the whole picture; at least two for each channel are drawn.
  public func picture(height: Int, colors: Colors = Colors()) -> Picture {
    let width = pixelCount
    let band = max(2, height / max(1, channels.count))
    let height = band * max(1, channels.count)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 3)
    for row in 0..<height {
      let channel = channels[row / band]
      for column in 0..<width {
        let shape = ColumnShape(channel, column, height: band)
        pixels += colors.of(row % band, shape)
      }
    }
    return Picture(width: width, height: height, pixels: pixels)
  }

  /// The rows that one column covers.
  fileprivate struct ColumnShape {
    var peaks: ClosedRange<Int>
    var mean: ClosedRange<Int>
    var axis: Int

    init(_ channel: Channel, _ column: Int, height: Int) {
      // Levels from 1 at the top row to −1 at the bottom row; louder ones are clipped.
      func row(_ level: Float) -> Int {
        let share = (1 - min(max(level, -1), 1)) / 2
        return Int((share * Float(height - 1)).rounded())
      }
      axis = row(0)
      peaks = row(channel.high[column])...max(row(channel.high[column]), row(channel.low[column]))
      mean = row(channel.rms[column])...max(axis, row(-channel.rms[column]))
    }
  }
}

extension Waveform.Colors {
  fileprivate func of(_ row: Int, _ shape: Waveform.ColumnShape) -> [UInt8] {
    if shape.mean.count > 1, shape.mean.contains(row), shape.peaks.contains(row) { return mean }
    if shape.peaks.count > 1, shape.peaks.contains(row) { return peaks }
    return row == shape.axis ? axis : background
  }
}
