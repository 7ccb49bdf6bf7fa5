import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Probing
import Trimming

/// A file that shows several pieces one after another, each of which is cut like a file of its own:
/// the links of chained Ogg (RFC 3533, 4), with headers of their own, or the edits of MP4 and
/// QuickTime (ISO/IEC 14496-12, 8.6.6).
struct PiecedSource {
  private struct Piece {
    var source: any CutSource
    /// When it is shown, counted from the first presented sample of the file.
    var shown: MediaTimeRange
  }

  private var pieces: [Piece] = []
  /// The facts of the whole file.
  private(set) var facts: MediaFacts
  /// What a piece is called.
  private let noun: String

  /// Files with more links are read as FFmpeg presents them.
  private static let mostLinks = 200
  /// More edits than a person makes.
  private static let mostEdits = 5000
  private static let mostJoined = 500
  private static let mostPackets = 5_000_000

  /// `nil` for files that are not chained Ogg.
  init?(
    chain file: InputFile, limits: Limits, isCancelled: @escaping @Sendable () -> Bool
  ) throws(CutError) {
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
        throw CutError.beyondNumbers
      }
      if var whole = facts {
        ChainedFacts.append(source.facts, to: &whole)
        facts = whole
      } else {
        facts = source.facts
      }
    }
    guard let facts, !pieces.isEmpty else {
      throw CutError(.notCuttable, "none of its streams presents anything")
    }
    self.facts = facts
    noun = "link"
  }

  /// `nil` where every edit list has one segment, or where segments cannot be cut one by one.
  init?(edits source: ISOCutSource) throws(CutError) {
    let shown = try source.editPieces()
    guard (2...Self.mostEdits).contains(shown.count) else { return nil }
    facts = source.facts
    noun = "edit"
    for range in shown {
      if source.isCancelled() { throw CutError.cancelled }
      pieces.append(Piece(source: try source.piece(range), shown: range))
    }
  }

  var first: any CutSource { pieces[0].source }

  /// The pieces that a request needs, in the order in which it shows them, as one source.
  ///
  /// - Returns: the request in terms of that source: a part that shows several pieces becomes several parts.
  func source(
    for request: CutRequest
  ) throws(CutError) -> (source: any CutSource, request: CutRequest) {
    var (used, parts): ([Int], [CutRequest.Part]) = ([], [])
    for part in request.parts {
      for (number, piece) in pieces.enumerated() {
        // What lies beyond the last piece is for the planner to refuse.
        let end =
          number == pieces.count - 1 ? max(piece.shown.end, part.range.end) : piece.shown.end
        let start = number == 0 ? min(piece.shown.start, part.range.start) : piece.shown.start
        guard
          let range = MediaTimeRange(
            from: max(start, part.range.start), to: min(end, part.range.end)), !range.isEmpty
        else { continue }
        let source = used.firstIndex(of: number) ?? used.count
        if source == used.count { used.append(number) }
        var shown = part
        (shown.source, shown.range) = (source, range)
        parts.append(shown)
      }
    }
    guard used.count > 1 else {
      // A range that shows nothing is for the planner to refuse.
      let piece = pieces[used.first ?? 0]
      return (piece.source, request.showing(parts))
    }
    // Each piece is planned with all packets of its file.
    let packets = used.reduce(0) { sum, number in
      pieces[number].source.stated.reduce(sum) { $0 + $1.coded.packets.count }
    }
    guard used.count <= Self.mostJoined, packets <= Self.mostPackets else {
      throw CutError(
        .notCuttable, "the range shows \(used.count) pieces, too many to join at a time",
        hint: "Cut it in several steps.")
    }
    let names = used.map { "\(noun) \($0 + 1)" }
    return (
      try JoinedSource(used.map { pieces[$0].source }, names: names), request.showing(parts)
    )
  }

  /// Why pieces that a request shows cannot follow each other, with where the first two of them meet.
  func refusal(of request: CutRequest, because error: CutError) -> CutError {
    let ranges = request.parts.map(\.range)
    guard let from = ranges.map(\.start).min(),
      let holder = pieces.last(where: { $0.shown.start <= from })
    else { return error }
    let end = SecondsText.text(holder.shown.end.seconds)
    let position = ranges.count > 1 ? "and the parts span that point" : "inside the range"
    return CutError(
      .notCuttable, "another \(noun) begins at \(end) s, \(position): \(error.message)",
      hint: "Cut the file before and after that point separately.")
  }
}
