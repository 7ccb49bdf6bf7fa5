extension Waveform {
  /// The waveform as an SVG drawing.
  ///
  /// For each channel, a shape from the minimum to the maximum level, with one for the RMS level
  /// inside. It adapts to a dark page.
  public func svg(height: Int) -> String {
    let band = max(2, height / max(1, channels.count))
    let height = band * max(1, channels.count)
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(pixelCount) \(height)" \
      width="\(pixelCount)" height="\(height)" role="img" aria-label="Waveform" \
      preserveAspectRatio="none">
      <style>
      .peaks { fill: #90b4db } .mean { fill: #2563a8 } .axis { stroke: #78828c; stroke-width: 1 }
      @media (prefers-color-scheme: dark) { .peaks { fill: #3b6ea5 } .mean { fill: #9cc3ec } }
      </style>

      """
    for (number, channel) in channels.enumerated() {
      let rows = BandRows(top: number * band, height: band)
      let silent = rows.text(0)
      text += "<g><title>Channel \(number + 1)</title>\n"
      text +=
        "<path class=\"peaks\" d=\"\(rows.outline(upper: channel.high, lower: channel.low))\"/>\n"
      let below = channel.rms.map { -$0 }
      text += "<path class=\"mean\" d=\"\(rows.outline(upper: channel.rms, lower: below))\"/>\n"
      text += "<path class=\"axis\" d=\"M0 \(silent)H\(pixelCount)\"/></g>\n"
    }
    return text + "</svg>\n"
  }

  /// The rows of levels in the band of one channel.
  private struct BandRows {
    var top: Int
    var height: Int

    /// The row of a level, to a tenth.
    func text(_ level: Float) -> String {
      let share = (1 - min(max(level, -1), 1)) / 2
      let tenths = Int((share * Float(height) * 10).rounded()) + top * 10
      return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// The outline along the upper levels and back along the lower ones.
    func outline(upper: [Float], lower: [Float]) -> String {
      var path = ""
      for (column, level) in upper.enumerated() {
        path += column == 0 ? "M0 \(text(level))H1" : "V\(text(level))H\(column + 1)"
      }
      for (column, level) in lower.enumerated().reversed() {
        path += "V\(text(level))H\(column)"
      }
      return path + "Z"
    }
  }
}
