/// Assigns samples to fragments.
struct FragmentPlan {
  private let tracks: [ISOOutputTrack]
  /// The track whose sync samples start fragments.
  private let leader: Int

  /// Seconds after which a sync sample starts a new fragment, and after which any sample does.
  private static let least: Int64 = 1
  private static let most: Int64 = 60
  /// Bytes of the leading track after which any sample starts a new fragment.
  private static let mostBytes: Int64 = 256 << 20

  init(_ tracks: [ISOOutputTrack]) {
    self.tracks = tracks
    let filled = tracks.indices.filter { tracks[$0].samples.count > 0 }
    leader =
      filled.first { tracks[$0].boxes.handler == "vide" }
      ?? filled.first { tracks[$0].boxes.handler == "soun" } ?? filled.first ?? 0
  }

  func fragments() -> [ISOFragment] {
    var cursors = tracks.map { TrackCursor($0) }
    var fragments: [ISOFragment] = []
    while cursors.contains(where: { !$0.isAtEnd }) {
      let starts = cursors.map(\.next)
      var fragment = ISOFragment(samples: [], decodeTimes: cursors.map(\.time))
      fragment.mediaByteCount = cursors[leader].advance(within: Self.limits)
      let end = cursors[leader]
      for index in cursors.indices where index != leader {
        // After the leading track ends, everything that is left.
        let bytes =
          end.isAtEnd ? cursors[index].advanceToEnd() : cursors[index].advance(to: end)
        fragment.mediaByteCount += bytes
      }
      fragment.samples = zip(starts, cursors).map { $0..<$1.next }
      fragments.append(fragment)
    }
    return fragments
  }

  private static let limits = TrackCursor.Limits(
    least: least, most: most, mostBytes: mostBytes)
}

/// How far a track's samples have been assigned.
struct TrackCursor {
  private let samples: ISOOutputSamples
  private let timescale: Int64
  private(set) var next = 0
  /// Decoding time of the next sample, in track ticks.
  private(set) var time: Int64 = 0

  struct Limits {
    var least: Int64
    var most: Int64
    var mostBytes: Int64
  }

  init(_ track: ISOOutputTrack) {
    samples = track.samples
    timescale = Int64(track.boxes.timescale)
  }

  var isAtEnd: Bool { next >= samples.count }

  /// Takes samples up to the next cut.
  ///
  /// - Returns: their size in bytes.
  mutating func advance(within limits: Limits) -> Int64 {
    var bytes: Int64 = 0
    let start = time
    while !isAtEnd {
      let passed = time - start
      let isCut = samples.isSync(next) && passed >= limits.least * timescale
      if isCut || passed >= limits.most * timescale || bytes >= limits.mostBytes { break }
      bytes += take()
    }
    return bytes
  }

  /// Takes the samples that are decoded before another track's next one.
  mutating func advance(to other: TrackCursor) -> Int64 {
    var bytes: Int64 = 0
    let limit = Int128(other.time) * Int128(timescale)
    while !isAtEnd, Int128(time) * Int128(other.timescale) < limit { bytes += take() }
    return bytes
  }

  mutating func advanceToEnd() -> Int64 {
    var bytes: Int64 = 0
    while !isAtEnd { bytes += take() }
    return bytes
  }

  private mutating func take() -> Int64 {
    defer {
      time += Int64(samples.durations[next])
      next += 1
    }
    return Int64(samples.sizes[next])
  }
}
