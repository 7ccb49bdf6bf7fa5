import TerminalUI

/// Which rows of a screen show what; parts that do not fit are empty ranges.
///
/// Pure, so that mouse positions map to what was painted there.
struct EditLayout: Hashable {
  /// The content to show.
  struct Content: Hashable {
    /// Whether there are pictures and the terminal can paint them.
    var hasPictures = false
    /// Whether there are audio levels.
    var hasSound = false
    /// Whether a sentence takes the place of the picture.
    var hasReason = false
    /// Whether there are several parts.
    var hasParts = false
  }

  let size: Size
  let picture: Range<Int>
  let status: Int
  let strip: Range<Int>
  let wave: Range<Int>
  let timeline: Int
  let keyframes: Range<Int>
  /// The first of the text lines.
  let words: Int

  /// Below this size, a few lines replace the screen.
  static let smallest = Size(columns: 40, rows: 8)
  /// Below this size, no picture is shown.
  static let smallestPicture = Size(columns: 60, rows: 16)

  static func fits(_ size: Size) -> Bool {
    size.columns >= smallest.columns && size.rows >= smallest.rows
  }

  init(size: Size, _ content: Content) {
    self.size = size
    let isLarge =
      size.columns >= Self.smallestPicture.columns && size.rows >= Self.smallestPicture.rows
    let showsPictures = content.hasPictures && isLarge
    // A single row of half blocks is only two pixels high.
    let stripRows =
      !showsPictures ? 0 : size.rows >= 40 ? 5 : size.rows >= 22 ? 3 : size.rows >= 19 ? 2 : 0
    let keyframeRows = size.rows >= 9 ? 1 : 0
    let wordRows = content.hasParts && size.rows >= 12 ? 4 : 3
    // Head, status, timeline, the lines of words, and the foot.
    let others = 1 + 1 + 1 + wordRows + 1 + stripRows + keyframeRows
    let free = max(0, size.rows - others)
    var waveRows = 0
    if content.hasSound, size.rows >= 10 {
      // Without video, levels get the space of the pictures.
      waveRows =
        showsPictures ? (size.rows >= 40 ? 3 : 1) : max(0, free - (content.hasReason ? 1 : 0))
    }
    let pictureRows = showsPictures || content.hasReason ? max(0, free - waveRows) : 0
    picture = 1..<1 + pictureRows
    status = picture.upperBound
    strip = status + 1..<status + 1 + stripRows
    wave = strip.upperBound..<strip.upperBound + waveRows
    timeline = wave.upperBound
    keyframes = timeline + 1..<timeline + 1 + keyframeRows
    words = keyframes.upperBound
  }

  /// Columns of the rows that show time, with one left blank on each side.
  var timeColumns: Range<Int> { 1..<max(2, size.columns - 1) }

  /// Whether a row shows time from left to right.
  func showsTime(row: Int) -> Bool { status < row && row < words }
}
