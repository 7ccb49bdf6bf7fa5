import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Probing
import Trimming

/// A file that shows several pieces one after another, each of which is cut like a file of its own:
/// the links of chained Ogg (RFC 3533, 4), with headers of their own, the edits of MP4 and
/// QuickTime (ISO/IEC 14496-12, 8.6.6), or parts of one Matroska file in the order of an edition
/// (RFC 9559, 5.1.7.1.3).
struct PiecedSource {
  private struct Piece {
    var source: any CutSource
    /// When it is shown, counted from the first presented sample of the file.
    var shown: MediaTimeRange
    /// How far its source counts ahead of that.
    var lead: MediaDuration = .zero

    /// A range as its source counts it.
    func media(_ range: MediaTimeRange) throws(MediaError) -> MediaTimeRange {
      do throws(ExactTimeError) {
        return try MediaTimeRange(
          from: range.start.advanced(by: lead), length: range.checkedLength())
      } catch {
        throw MediaError.beyondNumbers
      }
    }
  }

  private var pieces: [Piece] = []
  /// The facts of the whole file.
  private(set) var facts: MediaFacts
  /// What a piece is called.
  private let noun: String
  /// Whether the pieces are parts of one source, which counts along its media.
  private let isEdition: Bool

  /// Files with more links are read as FFmpeg presents them.
  private static let mostLinks = 200
  /// More edits than a person makes.
  private static let mostEdits = 5000
  private static let mostJoined = 500
  private static let mostPackets = 5_000_000

  /// `nil` for files that are not chained Ogg.
  init?(
    chain file: InputFile, limits: Limits, isCancelled: @escaping @Sendable () -> Bool
  ) throws(MediaError) {
    guard let chain = OggChain(file), (2...Self.mostLinks).contains(chain.links.count) else {
      return nil
    }
    var facts: MediaFacts?
    var begin = MediaTime.zero
    for link in chain.links {
      let source = try PacketCutSource(
        file, reading: SlicedInput(file, link.range), of: link.moved, startingAt: begin,
        limits: limits, isCancelled: isCancelled, progress: { _ in !isCancelled() })
      guard let length = source.facts.durations.presented?.length else { continue }
      do throws(ExactTimeError) {
        let shown = try MediaTimeRange(from: begin, length: length)
        pieces.append(Piece(source: source, shown: shown))
        begin = shown.end
      } catch {
        throw MediaError.beyondNumbers
      }
      if var whole = facts {
        ChainedFacts.append(source.facts, to: &whole)
        facts = whole
      } else {
        facts = source.facts
      }
    }
    guard let facts, !pieces.isEmpty else {
      throw MediaError(.notCuttable, "none of its streams presents anything")
    }
    self.facts = facts
    noun = "link"
    isEdition = false
  }

  /// `nil` where every edit list has one segment, or where segments cannot be cut one by one.
  init?(edits source: ISOCutSource) throws(MediaError) {
    let shown = try source.editPieces()
    guard (2...Self.mostEdits).contains(shown.count) else { return nil }
    facts = source.facts
    noun = "edit"
    isEdition = false
    for range in shown {
      if source.isCancelled() { throw MediaError.cancelled }
      pieces.append(Piece(source: try source.piece(range), shown: range))
    }
  }

  /// `nil` where there is no ordered edition to follow.
  init?(edition source: PacketCutSource) throws(MediaError) {
    if source.facts.notes.contains(where: { $0.id == .orderedEdition }),
      MatroskaEditions(source.file)?.isLinked == true
    {
      throw MediaError(
        .notCuttable,
        "its ordered edition plays chapters of other files (ChapterSegmentUUID), which are not opened",
        hint: "Join the files in that order with mkvmerge first.")
    }
    guard let followed = source.followed, let edition = followed.edition else { return nil }
    facts = followed
    noun = "chapter"
    isEdition = true
    do throws(ExactTimeError) {
      let zero = try source.zero.distance(from: .zero)
      for piece in edition.pieces {
        let start = try piece.start.moved(back: zero)
        pieces.append(
          Piece(
            source: source,
            shown: try MediaTimeRange(from: start, length: piece.media.checkedLength()),
            lead: try piece.media.start.distance(from: piece.start)))
      }
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  var first: any CutSource { pieces[0].source }

  /// The pieces that a request needs, in the order in which it shows them, as one source.
  ///
  /// - Returns: the request in terms of that source: a part that shows several pieces becomes several parts.
  func source(
    for request: CutRequest
  ) throws(MediaError) -> (source: any CutSource, request: CutRequest) {
    if request.parts.contains(where: { $0.lead != nil }) { return (first, request) }
    var (used, parts): ([Int], [CutRequest.Part]) = ([], [])
    for part in request.parts {
      let known = parts.count
      for (number, piece) in pieces.enumerated() {
        // What lies beyond the last piece is for the planner to refuse, unless its media continues.
        let isLast = number == pieces.count - 1 && !isEdition
        let isFirst = number == 0 && !isEdition
        let end = isLast ? max(piece.shown.end, part.range.end) : piece.shown.end
        let start = isFirst ? min(piece.shown.start, part.range.start) : piece.shown.start
        guard
          let range = MediaTimeRange(
            from: max(start, part.range.start), to: min(end, part.range.end)), !range.isEmpty
        else { continue }
        let source =
          used.firstIndex { pieces[$0].source === piece.source } ?? used.count
        if source == used.count { used.append(number) }
        var shown = part
        (shown.source, shown.range) = (source, range)
        if isEdition { shown = shown.showing(try piece.media(range), lead: piece.lead) }
        parts.append(shown)
      }
      if isEdition, parts.count == known {
        throw MediaError(.emptyRange, "the edition that the file plays shows nothing in the range")
      }
      try reportEnd(of: part, &parts)
    }
    // What the request itself divides is not counted.
    let seams = parts.count - request.parts.count
    guard used.count > 1 || seams > Self.mostJoined else {
      // A range that shows nothing is for the planner to refuse.
      return (pieces[used.first ?? 0].source, request.showing(parts))
    }
    // Each piece is planned with all packets of its file.
    let packets = used.reduce(0) { sum, number in
      pieces[number].source.tracks.reduce(sum) { $0 + $1.coded.packets.count }
    }
    guard max(used.count, seams) <= Self.mostJoined, packets <= Self.mostPackets else {
      throw MediaError(
        .notCuttable,
        "the range shows \(max(used.count, seams)) pieces, too many to join at a time",
        hint: "Cut it in several steps.")
    }
    let names = used.map { "\(noun) \($0 + 1)" }
    let joined = try JoinedSource(used.map { pieces[$0].source }, names: names)
    return (joined, request.showing(parts))
  }

  /// Notes at the last piece of a part how far that was asked for beyond the edition's end, where media may
  /// continue that the edition does not show.
  private func reportEnd(
    of part: CutRequest.Part, _ parts: inout [CutRequest.Part]
  ) throws(MediaError) {
    guard isEdition, let end = pieces.last?.shown.end, part.range.start < end,
      end < part.range.end, !parts.isEmpty
    else { return }
    do throws(ExactTimeError) {
      parts[parts.count - 1].beyond = try part.range.end.distance(from: end)
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  /// Why pieces that a request shows cannot follow each other, with where the first two of them meet.
  func refusal(of request: CutRequest, because error: MediaError) -> MediaError {
    let ranges = request.parts.map(\.range)
    guard let from = ranges.map(\.start).min(),
      let holder = pieces.last(where: { $0.shown.start <= from })
    else { return error }
    let end = SecondsText.text(holder.shown.end.seconds)
    let position = ranges.count > 1 ? "and the parts span that point" : "inside the range"
    return MediaError(
      .notCuttable, "another \(noun) begins at \(end) s, \(position): \(error.message)",
      hint: "Cut the file before and after that point separately.")
  }
}
