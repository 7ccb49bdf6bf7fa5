import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Probing
import Trimming

/// The links of a chained Ogg file (RFC 3533, 4), shown one after another: each has its own
/// headers, so that a cut must be within one of them.
struct ChainedSource {
  private struct Link {
    var source: PacketCutSource
    /// When it is shown, counted from the first presented sample of the file.
    var shown: MediaTimeRange
  }

  private var links: [Link] = []
  /// The combined facts of all links.
  private(set) var facts: MediaFacts

  /// Files with more links are read as FFmpeg presents them.
  private static let mostLinks = 200

  /// `nil` for files that are not chained.
  init?(
    _ file: InputFile, limits: Limits, isCancelled: @escaping @Sendable () -> Bool
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
        links.append(Link(source: source, shown: shown))
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
    guard let facts, !links.isEmpty else {
      throw CutError(.notCuttable, "none of its streams presents anything")
    }
    self.facts = facts
  }

  var first: PacketCutSource { links[0].source }

  /// The link that contains a request.
  ///
  /// - Throws: ``CutError`` of code `notCuttable` for a request that spans several.
  func source(for request: CutRequest) throws(CutError) -> PacketCutSource {
    let ranges = request.parts.map(\.range)
    guard let from = ranges.map(\.start).min(), let to = ranges.map(\.end).max() else {
      return first
    }
    let holder = links.last { $0.shown.start <= from } ?? links[0]
    guard to > holder.shown.end, holder.shown.end < links[links.count - 1].shown.end else {
      return holder.source
    }
    let end = SecondsText.text(holder.shown.end.seconds)
    let position = ranges.count > 1 ? "and the parts span that point" : "inside the range"
    throw CutError(
      .notCuttable,
      "another link of the chain, with its own headers, begins at \(end) s, \(position)",
      hint: "Cut the file before and after that point separately.")
  }
}
