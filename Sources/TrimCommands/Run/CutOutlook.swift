import CommandLineKit
package import ExactTime
package import MediaFacts
package import Trimming

/// What a cut would do, of all its files together: the figures of `trim cut -n`, for every front end.
package struct CutOutlook: Hashable, Sendable {
  /// The files that would be written.
  package var files = 1
  package var frames = 0
  package var encodedFrames = 0
  /// Runs of re-encoded frames beside copied ones.
  package var edges = 0
  /// The ranges of the sources whose frames are re-encoded.
  package var encoded: [MediaTimeRange] = []
  /// The index of the source of each of these ranges; empty where all are of the first.
  package var encodedSources: [Int] = []
  /// How the pictures of a source differ from those of the leading one, so that they are re-encoded.
  package var differences: [Int: String] = [:]
  /// The same, with the names of the files.
  private var misfits: [String] = []
  /// Audio tracks that are written, and of these the ones re-encoded in part or as a whole.
  package var audio = 0
  package var audioEdges = 0
  package var audioEncoded = 0
  /// The codecs that audio is converted to, by FFmpeg's names.
  package var audioCodecs: Set<Codec> = []
  /// The file sizes, estimated where something is encoded; `nil` if not known.
  package var bytes: Int64?
  /// How many bytes each part adds, in the order of the parts.
  package var partBytes: [Int64] = []
  /// The kinds of the tracks that are left out though nobody asked for that.
  package var lost: [TrackKind] = []

  package init() {}

  /// - Parameter plans: one for each file; they all have the same tracks.
  package init(_ plans: [CutPlan]) {
    files = plans.count
    for plan in plans {
      for track in plan.tracks where track.dropped == nil { add(track, of: plan) }
      for part in plan.parts {
        for case let difference? in part.tracks.map(\.difference) {
          differences[part.source] = differences[part.source] ?? difference
        }
      }
      bytes = (bytes ?? 0) + plan.estimatedBytes
      partBytes += plan.bytesOfParts
    }
    let tracks = plans.first?.tracks ?? []
    lost = tracks.filter { $0.isLeftOut }.map(\.kind)
    audio = tracks.count { $0.kind == .audio && $0.dropped == nil }
    audioEncoded = tracks.count { $0.kind == .audio && $0.dropped == nil && $0.isEncodedWhole }
    audioEdges = tracks.count {
      $0.kind == .audio && $0.dropped == nil && $0.encoded > 0 && !$0.isEncodedWhole
    }
  }

  /// The same for files of a screen.
  ///
  /// - Parameters:
  ///   - used: the index on the screen of each source.
  ///   - names: the name of each source.
  func named(_ used: [Int], _ names: [String]) -> CutOutlook {
    var named = self
    named.encodedSources = (encodedSources.isEmpty ? encoded.map { _ in 0 } : encodedSources)
      .map { used.indices.contains($0) ? used[$0] : 0 }
    named.misfits = differences.sorted { $0.key < $1.key }.map { source, difference in
      "\(names.indices.contains(source) ? names[source] : "a file"): its \(difference)"
    }
    return named
  }

  /// Together with that of files that are written after.
  func adding(_ other: CutOutlook) -> CutOutlook {
    var sum = self
    sum.files += other.files
    sum.frames += other.frames
    sum.encodedFrames += other.encodedFrames
    sum.edges += other.edges
    sum.encoded += other.encoded
    sum.encodedSources += other.encodedSources
    sum.misfits += other.misfits.filter { !misfits.contains($0) }
    (sum.audio, sum.audioEdges) = (max(audio, other.audio), max(audioEdges, other.audioEdges))
    sum.audioEncoded = max(audioEncoded, other.audioEncoded)
    sum.audioCodecs.formUnion(other.audioCodecs)
    sum.bytes = bytes.flatMap { own in other.bytes.map { own + $0 } }
    sum.partBytes += other.partBytes
    sum.lost = lost.count >= other.lost.count ? lost : other.lost
    return sum
  }

  private mutating func add(_ track: TrackPlan, of plan: CutPlan) {
    if track.kind == .audio, let codec = track.encodedAs { audioCodecs.insert(codec) }
    guard track.kind == .video, !track.isCover else { return }
    frames += track.packets
    encodedFrames += track.encoded
    let shown = track.segments.filter { $0.treatment != .hidden }
    let copied = Set(shown.filter { $0.treatment == .copied }.map(\.part))
    for segment in shown where segment.treatment == .encoded {
      encoded.append(segment.source)
      if plan.sources.count > 1, plan.parts.indices.contains(segment.part) {
        encodedSources.append(plan.parts[segment.part].source)
      }
      if copied.contains(segment.part) { edges += 1 }
    }
  }

  /// `2 edges, 47 frames re-encoded, 98.9 % copied, audio re-encoded, about 12.4 MB`.
  package var sentence: String { sentences.joined(separator: "; ") }

  /// Of joined files, then why each that does not fit is re-encoded.
  var sentences: [String] {
    let isExact = encodedFrames + audioEdges + audioEncoded == 0
    let size = bytes.map { (isExact ? "" : "about ") + ByteCount.text($0) }
    let figures = [files > 1 ? "\(files) files" : nil, pictures, sound, size, rest]
    return [figures.compactMap { $0 }.joined(separator: ", ")] + misfits
  }

  private var pictures: String? {
    guard frames > 0 else { return nil }
    guard encodedFrames > 0 else {
      return frames == 1 ? "1 frame copied" : "all \(frames) frames copied"
    }
    guard encodedFrames < frames else {
      return frames == 1 ? "1 frame re-encoded" : "all \(frames) frames re-encoded"
    }
    let copied = Rational(Int64(frames - encodedFrames) * 100, Int64(frames))
    let ends = edges > 0 ? CountText.of(edges, "edge") + ", " : ""
    return ends + CountText.of(encodedFrames, "frame") + " re-encoded, "
      + "\(DecimalText.fixed(copied, places: 1)) % copied"
  }

  /// Audio beside copied pictures is mentioned only if it is not copied.
  private var sound: String? {
    let codecs =
      audioCodecs.isEmpty
      ? "" : " as " + audioCodecs.map(\.rawValue).sorted().joined(separator: " and ")
    if audioEncoded > 0 {
      let share = audioEncoded < audio ? "\(audioEncoded) of \(audio) audio tracks" : "audio"
      return (frames == 0 && audioEncoded == audio ? "all " : "") + share + " re-encoded" + codecs
    }
    if audioEdges > 0 { return "edges of the audio re-encoded" + codecs }
    return frames == 0 && audio > 0 ? "all audio copied" : nil
  }

  private var rest: String? {
    guard let kind = lost.first else { return nil }
    if lost.count == 1 { return "\(kind.leftOut) left out" }
    return CountText.of(lost.count, "track") + " left out"
  }
}

extension CutPlan {
  /// The size of the file, divided among its parts by the packets that each of them adds to a track.
  fileprivate var bytesOfParts: [Int64] {
    var shares = [Int64](repeating: 0, count: max(1, parts.count))
    for track in tracks where track.dropped == nil {
      for (index, share) in track.bytes(among: shares.count).enumerated() { shares[index] += share }
    }
    return shares
  }
}

extension TrackPlan {
  fileprivate func bytes(among parts: Int) -> [Int64] {
    func shares(_ bytes: Int64, _ isOne: (Segment) -> Bool) -> [Int64] {
      var packets = [Int128](repeating: 0, count: parts)
      for segment in segments where isOne(segment) && packets.indices.contains(segment.part) {
        packets[segment.part] += Int128(segment.packets)
      }
      let all = packets.reduce(0, +)
      // Without segments, as for subtitles, parts are taken as equal.
      return packets.map {
        Int64(clamping: Int128(bytes) * (all > 0 ? $0 : 1) / (all > 0 ? all : Int128(parts)))
      }
    }
    return zip(
      shares(copiedBytes) { $0.treatment != .encoded },
      shares(estimatedBytes) { $0.treatment == .encoded }
    ).map { $0 + $1 }
  }

  /// Whether it is missing though it was not deselected.
  fileprivate var isLeftOut: Bool { dropped != nil && dropped != Self.notSelected }

  fileprivate var isEncodedWhole: Bool {
    encodedAs != nil || encoded > 0 && encoded == packets
  }
}

extension TrackKind {
  fileprivate var leftOut: String {
    switch self {
    case .video: "video"
    case .audio: "audio"
    case .subtitle: "subtitles"
    default: "1 track"
    }
  }
}
