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
    noun = "another link of the chain, with its own headers,"
  }

  /// `nil` where every edit list has one segment, or where segments cannot be cut one by one.
  init?(edits source: ISOCutSource) throws(CutError) {
    let shown = try source.editPieces()
    guard (2...Self.mostEdits).contains(shown.count) else { return nil }
    facts = source.facts
    noun = "another edit of the edit list"
    for range in shown {
      pieces.append(Piece(source: try source.piece(range), shown: range))
    }
  }

  var first: any CutSource { pieces[0].source }

  /// The piece that contains a request.
  ///
  /// - Throws: ``CutError`` of code `notCuttable` for a request that spans several.
  func source(for request: CutRequest) throws(CutError) -> any CutSource {
    let ranges = request.parts.map(\.range)
    guard let from = ranges.map(\.start).min(), let to = ranges.map(\.end).max() else {
      return first
    }
    let holder = pieces.last { $0.shown.start <= from } ?? pieces[0]
    guard to > holder.shown.end, holder.shown.end < pieces[pieces.count - 1].shown.end else {
      return holder.source
    }
    let end = SecondsText.text(holder.shown.end.seconds)
    let position = ranges.count > 1 ? "and the parts span that point" : "inside the range"
    throw CutError(
      .notCuttable, "\(noun) begins at \(end) s, \(position)",
      hint: "Cut the file before and after that point separately.")
  }
}
