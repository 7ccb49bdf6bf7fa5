import Bitstreams
import ExactTime
import ISOMedia
import MediaFacts
import MediaFiles
import Trimming

extension ISOCutSource {
  /// How long before a range its sound is read, and how long behind it: what a decoder has to hear before.
  private static let lead = MediaDuration(1, 4)

  /// How many sections of fragments are read in addition, in front of those that a range is expected in, and
  /// behind them.
  private typealias More = (front: Int, behind: Int)

  /// A fragmented file at an address of which both ends and the fragments around some ranges are read, where an
  /// index and these show what the rest is.
  ///
  /// - Parameters:
  ///   - ranges: on the file's own clock.
  ///   - opened: the same file, of which parts were read already; not needed without ranges.
  /// - Returns: `nil` where all of it has to be read.
  static func inParts(
    _ file: InputFile, showing ranges: [MediaTimeRange], opened: ISOCutSource?, limits: Limits,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> ISOCutSource? {
    guard file.isReadSparingly, ISOMovie.looksLikeISO(firstBytes: file.head) else { return nil }
    var more: More = (0, 0)
    for _ in 0..<2 {
      guard let parts = ranges.isEmpty ? [] : opened?.parts(showing: ranges, more) else {
        return nil
      }
      let found: ISOCutSource?
      do throws(MediaError) {
        found = try ISOCutSource(file, reading: parts, limits: limits, isCancelled: isCancelled)
      } catch {
        // What is wrong with it is for the whole file to say.
        guard error.code == .cancelled else { return nil }
        throw error
      }
      guard let found, try found.isRegular, ranges.isEmpty || found.showsReordering else {
        return nil
      }
      guard let missing = found.missing(for: ranges) else { return found }
      more = missing
    }
    return nil
  }

  /// Whether parts of it are not read, since they follow from what is.
  var isInParts: Bool { movie.tracks.contains { $0.assumed != nil } }

  /// - Throws: ``MediaError`` for a container whose header states what only all packets show, such as a bit rate or
  ///   how many pictures are held back, where not all were read.
  func framed(for rules: ContainerRules, in spool: PayloadSpool) throws(MediaError) -> FramedSource?
  {
    let needsAll =
      !rules.isISO && !rules.isMatroska && ![.mpegts, .m2ts].contains(rules.container)
    guard isInParts, needsAll else { return nil }
    isIncomplete = true
    throw MediaError(.internalError, "all packets are needed, and not all were read")
  }

  /// The beginning of the file, up to where the first fragment's media are: FFmpeg looks for all fragments when it
  /// opens a file, and only has to know what the headers say.
  var front: SlicedInput? {
    guard isInParts, let first = movie.topLevel.first(where: { $0.type == "moof" }) else {
      return nil
    }
    let (end, isBeyond) = (first.offset + first.size).addingReportingOverflow(Self.mostOfMedia)
    return SlicedInput(
      file, 0..<(isBeyond ? bytes.byteCount : min(bytes.byteCount, end)), hasAllEntries: true)
  }

  /// How much of them: in the first request.
  private static let mostOfMedia: Int64 = 256 << 10

  /// Whether it shows no sign of more in what was not read than there is in what was.
  private var isRegular: Bool {
    get throws(MediaError) {
      guard isInParts, movie.isComplete, movie.problems.isEmpty, facts.damage.isEmpty,
        tracks.indices.allSatisfy({
          tracks[$0].strays.isEmpty && !table(ofTrack: $0).isOrderedByPictures
        }), try editPieces().count < 2,
        // Messages and private data differ from fragment to fragment.
        let walk = try? ISOPartWalk(reading: bytes, of: movie)
      else { return false }
      return walk.trailing == nil && !walk.parts.contains { $0.part.isOfFragment }
        && movie.holdsOnlyFragmentsBehindFirst
    }
  }

  /// Whether what was read shows that pictures are reordered, where the headers do not rule that out: it decides
  /// how edges are encoded.
  private var showsReordering: Bool {
    for (index, track) in tracks.enumerated() where track.facts.kind == .video {
      let header = VideoHeader(codec: track.facts.codec, configuration: track.configuration)
      let isOrdered = track.facts.codec.isOne(of: .vp8, .vp9, .av1)
      guard let most = isOrdered ? 0 : header?.maxReorderFrames else { return false }
      let packets = track.coded.packets
      let isSeen = packets.indices.contains { place in
        packets[place].pts > packets[place].dts && !isAssumed(place, ofTrack: index)
      }
      guard most == 0 || isSeen else { return false }
    }
    return true
  }

  private func isAssumed(_ place: Int, ofTrack track: Int) -> Bool {
    movie.tracks[track].assumed?.contains(sample(ofTrack: track, place)) == true
  }

  /// The fragments that ranges need, as far as the keyframes tell.
  private func parts(showing ranges: [MediaTimeRange], _ more: More) -> [ISOFragmentPart]? {
    let lead = tracks.contains { $0.facts.kind == .audio } ? Self.lead : .zero
    var found: [ISOFragmentPart] = []
    for range in ranges {
      for (index, track) in movie.tracks.enumerated() where track.isVideo {
        guard let assumed = track.assumed, let ticks = ticks(of: range, ofTrack: index, lead: lead),
          let part = assumed.part(showing: ticks, more: more)
        else { return nil }
        found.append(part)
      }
    }
    found.sort { $0.start < $1.start }
    return found.reduce(into: []) { parts, next in
      guard let last = parts.last, next.start <= last.end else { return parts.append(next) }
      parts[parts.count - 1].end = max(last.end, next.end)
      parts[parts.count - 1].mediaEnd = max(last.mediaEnd, next.mediaEnd)
    }
  }

  /// A range of the file's own clock in ticks of a track.
  private func ticks(
    of range: MediaTimeRange, ofTrack track: Int, lead: MediaDuration
  ) -> Range<Int64>? {
    let coded = tracks[track].coded
    do throws(ExactTimeError) {
      let ahead = try zero.distance(from: .zero)
      let start = try range.start.moved(back: ahead).moved(back: lead)
      let end = try range.end.moved(back: ahead)
      let from = try coded.grid.ticks(of: start.distance(from: coded.origin), rounding: .down)
      let to = try coded.grid.ticks(of: end.distance(from: coded.origin), rounding: .up)
      return from < to ? from..<to : nil
    } catch {
      return nil
    }
  }

  /// Where more has to be read for some ranges; `nil` where all is there.
  private func missing(for ranges: [MediaTimeRange]) -> More? {
    var (front, behind) = (0, 0)
    for range in ranges {
      for index in tracks.indices {
        let isVideo = tracks[index].facts.kind == .video
        let packets = tracks[index].coded.packets
        guard var ticks = ticks(of: range, ofTrack: index, lead: isVideo ? .zero : Self.lead),
          let samples = movie.tracks[index].assumed?.samples, !packets.isEmpty
        else { return (1, 1) }
        if !isVideo, let late = try? tracks[index].coded.grid.ticks(of: Self.lead, rounding: .up) {
          ticks = ticks.lowerBound..<ticks.upperBound &+ late
        }
        let first = packets.lastIndex { $0.isKey && $0.pts <= ticks.lowerBound } ?? 0
        let last = packets.firstIndex { $0.isKey && $0.pts >= ticks.upperBound }
        let (from, to) = (
          sample(ofTrack: index, first), sample(ofTrack: index, last ?? packets.count - 1)
        )
        // Keyframes that are not shown in the order in which they are stored.
        guard from <= to else { return (1, 1) }
        let needed = from...to
        for gap in samples where gap.overlaps(needed) {
          let (isFirst, isLast) = (
            gap.contains(needed.lowerBound), gap.contains(needed.upperBound)
          )
          if isFirst || !isLast { front = 1 }
          if isLast || !isFirst { behind = 1 }
        }
      }
    }
    return front + behind > 0 ? (front, behind) : nil
  }
}

extension ISOPartWalk.Part {
  fileprivate var isOfFragment: Bool { place.hasPrefix("moof") }
}

extension ISOMovie {
  fileprivate var holdsOnlyFragmentsBehindFirst: Bool {
    let structure: Set<FourCC> = ["moof", "mdat", "styp", "sidx", "ssix", "free", "skip", "mfra"]
    return topLevel.drop { $0.type != "moof" }.allSatisfy { structure.contains($0.type) }
  }
}
