import ExactTime

/// A kind of text with times that moves along with a cut: subtitles, transcripts, chapters.
///
/// A cue is clipped to what is written of it, and goes on across a seam; one of which nothing is written
/// is dropped. Where parts are not in the source's order, or repeat some of it, the cues are written once
/// for each run of parts that is in order. Each time is the mapped time, rounded once to the format's
/// unit; a cue that is shorter than half a unit then is dropped too. Everything else stays as it is, byte
/// for byte, unless the retimer says otherwise.
public struct Retimer: Sendable {
  /// A text with the times of the output.
  public struct Retimed: Hashable, Sendable {
    /// The whole text; empty where the format cannot say that nothing is left.
    public var bytes: [UInt8] = []
    /// Cues that were written; one that is written twice counts twice.
    public var written = 0
    /// Cues of which nothing was written.
    public var dropped = 0
    /// Cues that were written without a part of them.
    public var clipped = 0
    /// What the text says and the new one does not, for a report.
    public var leftOut: [String] = []
  }

  /// The format of the text.
  public let format: EditListFormat
  let retime: @Sendable ([UInt8], TimeMap) throws(ListError) -> Retimed

  /// All of them.
  public static let all: [Retimer] = [
    .subRip, .webVTT, .subStation, .transcript, .ffmetadata, .listed(.matroska),
    .listed(.youTube, startsPer: 1), .listed(.cue, startsPer: 75), .listed(.audacity),
  ]

  /// The extensions of their files, without the dot.
  public static let extensions = Set(all.flatMap(\.format.extensions))

  /// The retimer of a text: by its extension for subtitles, which need not be UTF-8, else by its content.
  ///
  /// - Throws: ``ListError`` for text of another kind.
  public static func of(_ bytes: [UInt8], extension name: String) throws(ListError) -> Retimer {
    let name = name.lowercased()
    let subtitles = [Retimer.subRip, .webVTT, .subStation]
    if let own = subtitles.first(where: { $0.format.extensions.contains(name) }) { return own }
    let format = try EditListFormat.of(bytes)
    guard let own = all.first(where: { $0.format.id == format.id }) else {
      throw ListError(.list, "it is an edit list (\(format.name)), which does not move with a cut")
    }
    return own
  }

  /// The text as it belongs to the output.
  ///
  /// - Throws: ``ListError``, with the line or path, for text that is damaged, and for times out of range.
  public func callAsFunction(_ bytes: [UInt8], by map: TimeMap) throws(ListError) -> Retimed {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw ListError(.list, "it is UTF-16; save it as UTF-8")
    }
    return try retime(bytes, map)
  }
}

/// Counts cues, and gives their times in the output.
struct CueTally {
  private let map: TimeMap
  /// Units per second.
  private let unit: Rational
  /// What became of each cue: `nil` until it is written.
  private var isWhole: [Bool?]
  private(set) var written = 0

  init(_ map: TimeMap, unit: Rational, cues: Int) {
    self.map = map
    self.unit = unit
    isWhole = Array(repeating: nil, count: cues)
  }

  /// A cue's times in units; `nil` where nothing of it is written in a run.
  mutating func times(
    of cue: Int, _ range: MediaTimeRange, in pass: Range<Int>, at place: ListError.Place
  ) throws(ListError) -> (start: Int64, end: Int64)? {
    do throws(ExactTimeError) {
      guard let image = try map.image(of: range, in: pass) else { return nil }
      let start = try image.range.start.seconds.multiplied(by: unit).rounded(.nearest)
      let end = try image.range.end.seconds.multiplied(by: unit).rounded(.nearest)
      guard start < end || range.isEmpty else { return nil }
      isWhole[cue] = isWhole[cue] ?? true && image.isWhole
      written += 1
      return (start, end)
    } catch {
      throw ListError(place, "its times are out of range")
    }
  }

  /// A tally of the same times for what belongs to a cue.
  var uncounted: CueTally { CueTally(map, unit: unit, cues: 1) }

  func result(_ bytes: [UInt8]) -> Retimer.Retimed {
    Retimer.Retimed(
      bytes: bytes, written: written, dropped: isWhole.count { $0 == nil },
      clipped: isWhole.count { $0 == false })
  }
}
