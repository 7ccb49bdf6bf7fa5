import Bitstreams
import MediaFacts
import MediaFiles
import Trimming

/// A source as the output of a plan gets it: times and packets as the container requires them, and tracks
/// described by the packets that the plan takes.
struct OutputView {
  let source: any CutSource
  /// The video formats at the entry points of each part, by track; empty for MP4 and QuickTime sources.
  private(set) var formats: [[Int: EntryFormats]]
  /// Of each source, the video tracks whose parameter sets stay in the samples.
  private(set) var keptSets: [Set<Int>]

  init(_ whole: any CutSource, _ plan: CutPlan) throws(MediaError) {
    let pieces = whole.pieces
    let spool = PayloadSpool()
    let framed = try pieces.map { (piece) throws(MediaError) in
      try piece.unmatched.framed(for: plan.container.rules, in: spool)
    }
    formats = plan.parts.map { _ in [:] }
    keptSets = pieces.map { _ in [] }
    for (number, framed) in framed.enumerated() {
      guard let framed else { continue }
      let settling = Settling(plan, number, pieces[number], framed)
      settling.settleDescriptions()
      try settling.settleFormats(&formats)
      keptSets[number] = try settling.settledSets(formats)
    }
    let own = zip(framed, pieces).map { $0 ?? $1.unmatched }
    source = whole.joined.map { JoinedSource($0, over: own) } ?? own[0]
  }
}

/// Determines how the tracks of one source are described, for all of its parts.
private struct Settling {
  /// A video track of a part, and its number in the file itself.
  private typealias Video = (part: Int, track: Int, own: Int, cut: VideoCut)

  private let plan: CutPlan
  /// The number of the source in the plan.
  private let number: Int
  private let piece: any CutSource
  private let framed: FramedSource
  /// The numbers of its parts.
  private let parts: [Int]
  private var videos: [Video] = []

  init(_ plan: CutPlan, _ number: Int, _ piece: any CutSource, _ framed: FramedSource) {
    (self.plan, self.number, self.piece, self.framed) = (plan, number, piece, framed)
    parts = plan.parts.indices.filter { plan.parts[$0].source == number }
    for part in parts {
      for track in plan.parts[part].tracks {
        if let cut = track.video, let own = own(track.source) {
          videos.append((part, track.source, own, cut))
        }
      }
    }
  }

  /// The number of a track in the file itself; `nil` where its pictures are re-encoded to the format of
  /// another source, or it has no such track.
  private func own(_ track: Int) -> Int? {
    guard let refitted = piece.refitted else { return track }
    return piece.isRefitted(track) ? nil : refitted.place(ofTrack: track)
  }

  /// AAC frames lose the headers that describe them: those of the first part then apply to all.
  func settleDescriptions() {
    for track in Set(parts.flatMap { plan.parts[$0].tracks.map(\.source) }) {
      let descriptions = piece.tracks[track].descriptions
      guard descriptions.runs.count > 1, let own = own(track),
        let first = plan.pieces(ofTrack: track, source: number).first,
        let run = descriptions.run(at: first.packets.lowerBound)
      else { continue }
      framed.describe(own, as: run)
    }
  }

  /// Reads the video format at the entry points of every part.
  ///
  /// The format at the start of the first part is the one the output states.
  func settleFormats(_ all: inout [[Int: EntryFormats]]) throws(MediaError) {
    // Read all parts in one pass over the file.
    let needed: [Int: [Range<Int>]] = parts.reduce(into: [:]) {
      $0.merge(plan.parts[$1].needed(of: piece), uniquingKeysWith: +)
    }
    try framed.prepare(piece.refitted?.own(needed) ?? needed)
    for (part, track, own, cut) in videos {
      var formats = try EntryFormats(cut, of: framed, track: own)
      if plan.container.isISO, !framed.tracks[own].isReframed {
        try formats.checkCopied(cut, of: framed, track: own)
      }
      all[part][track] = formats
      if plan.container.rules.pictures.hasFixedFrameRate { try checkSlots(cut, formats, own) }
      if part != parts[0] {
        try checkFormats(formats, behind: all[parts[0]][track], own)
      } else if let format = formats.main, let place = formats.place,
        let stated = try CodedFormat(ofFirst: own, of: framed), stated != format
      {
        try framed.describe(own, as: format, at: place)
      }
    }
  }

  /// Refuses format changes in containers without timestamps (AVI).
  ///
  /// There, timing follows from the number of decoded pictures. An edge with its own SPS may have
  /// a different reordering delay, and FFmpeg's MPEG-2 decoder drops the picture it holds at a
  /// change, so that all later ones are early.
  private func checkSlots(
    _ cut: VideoCut, _ formats: EntryFormats, _ track: Int
  ) throws(MediaError) {
    var changes = formats.isHeadSeparate || formats.isTailSeparate
    if framed.tracks[track].facts.codec.isMPEG12,
      try CodedFormat.change(in: cut.copied, of: framed, track: track) != nil
    {
      changes = true
    }
    guard changes else { return }
    throw MediaError(
      .notCuttable,
      "\(plan.container.rules.ending) cannot hold video that changes its size, aspect ratio or pixel format",
      hint: "Write .mkv, or choose a range without the change.")
  }

  private func checkFormats(
    _ formats: EntryFormats, behind first: EntryFormats?, _ track: Int
  ) throws(MediaError) {
    guard framed.tracks[track].facts.codec.usesNALUnits,
      let format = formats.main, let other = first?.main, format != other
    else { return }
    throw MediaError(
      .notCuttable,
      "the parts differ in size, aspect ratio or pixel format",
      hint: "Cut them into separate files.")
  }

  /// Video tracks whose parameter sets stay in the samples.
  func settledSets(_ all: [[Int: EntryFormats]]) throws(MediaError) -> Set<Int> {
    guard plan.container.isISO else { return [] }
    var copied: [Int: [Range<Int>]] = [:]
    for video in videos where !video.cut.copied.isEmpty {
      copied[video.own, default: []].append(video.cut.copied)
    }
    // If everything is re-encoded, the decoder is set up with the sets at the first packet.
    for video in videos where video.part == parts[0] && copied[video.own] == nil {
      copied[video.own] = all[video.part][video.track]?.place.map { [$0..<$0 + 1] }
    }
    let changing = videos.filter { all[$0.part][$0.track]?.changes == true }.map(\.own)
    let kept = try framed.settleSets(copying: copied, changing: Set(changing))
    // Files for Apple's players must not contain what these do not support.
    guard kept.isEmpty || plan.container == .mp4 else {
      throw MediaError(
        .notCuttable,
        "\(plan.container.rules.ending) cannot hold parameter sets that change mid-stream",
        hint: "Write .mp4 or .mkv, or re-encode all of the video.")
    }
    return Set(videos.filter { kept.contains($0.own) }.map(\.track))
  }
}
