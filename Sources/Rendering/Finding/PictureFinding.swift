public import Detection
public import ExactTime
import Libav
public import MediaFiles

/// What to look for in pictures; `nil` for what is not looked for.
public struct PictureSearch: Sendable, Hashable {
  /// The shortest black range that is reported.
  public var black: MediaDuration?
  /// The shortest still range that is reported.
  public var still: MediaDuration?
  /// Whether hard cuts are looked for.
  public var findsScenes: Bool
  /// Whether fades are looked for.
  public var findsFades: Bool
  /// Whether hard cuts are only looked for where keyframes differ; every frame is decoded where anything else is
  /// looked for.
  public var isFast: Bool

  /// Creates a search.
  public init(
    black: MediaDuration?, still: MediaDuration?, findsScenes: Bool, findsFades: Bool = false,
    isFast: Bool = false
  ) {
    self.black = black
    self.still = still
    self.findsScenes = findsScenes
    self.findsFades = findsFades
    self.isFast = isFast
  }
}

/// What was found in a track.
public struct TrackFindings: Sendable, Hashable {
  /// In order of kind, then of time.
  public var findings: [Finding] = []
  /// Where nothing could be decoded.
  public var unseen: [MediaTimeRange] = []
  /// The level below which audio was quiet; `nil` for pictures.
  public var level: AudioLevel?
}

extension TrackFindings {
  /// Adds what could not be decoded, merged with a range that ends where it begins.
  mutating func miss(_ range: MediaTimeRange) {
    if let last = unseen.last, last.end == range.start {
      unseen[unseen.count - 1] = last.union(range)
    } else if range.start < range.end {
      unseen.append(range)
    }
  }
}

extension PictureTrack {
  /// Examines every frame that is shown in a range, once for everything that is looked for.
  ///
  /// Blocking.
  ///
  /// - Parameters:
  ///   - range: counted from the track's origin; frames that begin in it are looked at.
  ///   - threads: how many threads the decoder may use.
  ///   - progress: called often, with the position in the range.
  /// - Throws: ``MediaError``; `damaged` if no frame can be decoded.
  public func findings(
    in range: MediaTimeRange, _ search: PictureSearch, threads: Int,
    progress: (MediaTime) -> Void = { _ in }
  ) throws(MediaError) -> TrackFindings {
    if search.isFast, search.black == nil, search.still == nil, !search.findsFades,
      let scenes = try scenesFromKeyframes(in: range, threads: threads, progress: progress)
    {
      return TrackFindings(findings: scenes)
    }
    var black = search.black.map(BlackDetector.init)
    var still = search.still.map(StillDetector.init)
    var scenes = search.findsScenes ? SceneDetector() : nil
    var fades = search.findsFades ? FadeDetector() : nil
    var found = TrackFindings()
    // Hard cuts are far above what deblocking changes; the others compare with small levels.
    let isRough = search.black == nil && search.still == nil && !search.findsFades
    var reader = try GridReader(self, threads: threads, isRough: isRough)
    var isAnySeen = false
    let first = frame(at: range.start).number
    for number in first..<max(first, frameCount) {
      let frame = frame(number: number)
      if frame.end <= range.start { continue }
      guard frame.start < range.end else { break }
      guard let shown = MediaTimeRange(from: frame.start, to: frame.end)?.intersection(range) else {
        continue
      }
      guard let grid = try reader.grid(of: number, isLast: false) else {
        found.miss(shown)
        continue
      }
      isAnySeen = true
      black?.add(grid, shown)
      still?.add(grid, shown)
      scenes?.add(grid, shown)
      fades?.add(grid, shown)
      progress(shown.end)
    }
    guard isAnySeen || found.unseen.isEmpty else {
      throw MediaError(.damaged, "none of its frames can be decoded")
    }
    found.findings =
      (black?.findings() ?? []) + (still?.findings() ?? []) + (scenes?.findings() ?? [])
      + (fades?.findings() ?? [])
    return found
  }
}
