public import ExactTime

/// What an ordered edition of a Matroska file plays: parts of its media, in the edition's own order
/// (RFC 9559, 5.1.7.1.3).
public struct EditionFacts: Hashable, Sendable, Codable {
  /// A part of the media that is played without interruption.
  public struct Piece: Hashable, Sendable, Codable {
    /// The range of the media, by the file's timestamps.
    public var media: MediaTimeRange
    /// When it begins to be shown, on the file's own timeline.
    public var start: MediaTime

    /// Creates a piece; both times in seconds on the file's own timeline.
    public init(media: MediaTimeRange, start: MediaTime) {
      self.media = media
      self.start = start
    }
  }

  /// A chapter of the edition.
  public struct Chapter: Hashable, Sendable, Codable {
    /// The range of the media, by the file's timestamps.
    public var media: MediaTimeRange
    /// The chapter's name; `nil` where the file gives none.
    public var title: String?

    /// Creates a chapter; the range is by the file's timestamps.
    public init(media: MediaTimeRange, title: String?) {
      self.media = media
      self.title = title
    }
  }

  /// The pieces, in the order in which they are shown; never empty.
  public var pieces: [Piece]
  /// The chapters, in the same order.
  public var chapters: [Chapter]

  /// Lays chapters one after another.
  ///
  /// Those whose media continues become one piece.
  ///
  /// - Parameter start: when the first is shown, on the file's own timeline.
  /// - Returns: `nil` for none.
  /// - Throws: `ExactTimeError` where the times exceed 64 bits.
  public init?(_ chapters: [Chapter], from start: MediaTime) throws(ExactTimeError) {
    pieces = []
    self.chapters = chapters.filter { !$0.media.isEmpty }
    var next = start
    for range in self.chapters.map(\.media) {
      if let last = pieces.last, last.media.end == range.start,
        let whole = MediaTimeRange(from: last.media.start, to: range.end)
      {
        pieces[pieces.count - 1].media = whole
      } else {
        pieces.append(Piece(media: range, start: next))
      }
      next = try next.advanced(by: range.checkedLength())
    }
    if pieces.isEmpty { return nil }
  }

  /// When parts of the media are shown, in the order in which they are: a part of the media may be shown more
  /// than once, or not at all.
  ///
  /// - Parameter media: by the file's timestamps.
  /// - Returns: for each time that it is shown, what of it is, and when, on the file's own timeline.
  public func shown(_ media: MediaTimeRange) -> [(media: MediaTimeRange, shown: MediaTimeRange)] {
    pieces.compactMap { piece in
      guard let part = piece.media.intersection(media),
        let shown = try? MediaTimeRange(
          from: piece.start.advanced(by: part.start.distance(from: piece.media.start)),
          length: part.checkedLength())
      else { return nil }
      return (part, shown)
    }
  }

  /// Whether the pieces are in the order of their media, each shown once.
  public var isAscending: Bool {
    zip(pieces, pieces.dropFirst()).allSatisfy { $0.media.end <= $1.media.start }
  }

  /// The instant of the media that is shown at an instant, or would be before the first piece.
  ///
  /// - Parameter time: on the file's own timeline.
  /// - Throws: `ExactTimeError` where it exceeds 64 bits.
  public func media(at time: MediaTime) throws(ExactTimeError) -> MediaTime? {
    guard let piece = pieces.last(where: { $0.start <= time }) ?? pieces.first else { return nil }
    return try piece.media.start.advanced(by: time.distance(from: piece.start))
  }
}
