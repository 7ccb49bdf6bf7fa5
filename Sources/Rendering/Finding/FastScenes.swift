import Detection
import ExactTime
import Libav
import MediaFiles

extension PictureTrack {
  /// Finds hard cuts from keyframes: only where two of them differ, the frames between are decoded, and those
  /// before and after that a cut is compared with.
  ///
  /// Blocking. A scene between two similar keyframes is missed: one that is shorter than a GOP and between
  /// two of the same picture.
  ///
  /// - Returns: `nil` where every frame has to be decoded: there are too many or too few keyframes, or one
  ///   cannot be decoded.
  func scenesFromKeyframes(
    in range: MediaTimeRange, threads: Int, progress: (MediaTime) -> Void
  ) throws(MediaError) -> [Finding]? {
    guard let frames = frames(in: range), let anchors = anchors(in: frames) else { return nil }
    var reader = try GridReader(self, threads: threads, isRough: true)
    var last: (frame: Int, grid: PictureGrid)?
    var pieces: [ClosedRange<Int>] = []
    for anchor in anchors {
      guard let grid = try reader.grid(of: anchor, isLast: true) else { return nil }
      if let last, SceneDetector.Change(from: last.grid, to: grid).isCut(dividedBy: 2) {
        pieces.append(last.frame...anchor)
      }
      last = (anchor, grid)
    }
    // The change to a frame, by its number.
    var changes: [Int: SceneDetector.Change] = [:]
    func read(_ piece: ClosedRange<Int>) throws(MediaError) -> Bool {
      var last: PictureGrid?
      for frame in piece.clamped(to: frames) {
        guard let grid = try reader.grid(of: frame, isLast: false) else { return false }
        if let last { changes[frame] = SceneDetector.Change(from: last, to: grid) }
        last = grid
      }
      return true
    }
    let reach = SceneDetector.reach
    // Most of the work is where pieces are read.
    for piece in Self.united(pieces.map { $0.lowerBound...$0.upperBound + reach }) {
      guard try read(piece) else { return nil }
      let early = piece.lowerBound + 1...piece.lowerBound + reach
      if early.contains(where: { changes[$0]?.isCut() == true }) {
        guard try read(max(0, piece.lowerBound - reach)...piece.lowerBound) else { return nil }
      }
      progress(frame(number: min(piece.upperBound, frames.upperBound)).end)
    }
    var cuts: [(time: MediaTime, score: Double)] = []
    for number in Set(pieces.flatMap { $0.dropFirst() }).sorted() {
      let score = SceneDetector.ratio(
        at: number - frames.lowerBound - 1, of: frames.count - 1
      ) { place in changes[place + frames.lowerBound + 1] ?? .none }
      if let score { cuts.append((frame(number: number).start, score)) }
    }
    let (first, end) = (frame(number: frames.lowerBound), frame(number: frames.upperBound))
    return MediaTimeRange(
      from: max(range.start, first.start), to: min(range.end, end.end)
    ).map { SceneDetector.scenes(in: $0, cuts: cuts) }
  }

  /// The frames that are shown in a range; `nil` for none.
  private func frames(in range: MediaTimeRange) -> ClosedRange<Int>? {
    var first = frame(at: range.start).number
    while first < frameCount, frame(number: first).end <= range.start { first += 1 }
    var last = frame(at: range.end).number
    while last >= first, frame(number: last).start >= range.end { last -= 1 }
    return first < frameCount && first <= last ? first...last : nil
  }

  /// The frames that are decoded first: keyframes, and the first and last of all and of each stretch.
  private func anchors(in frames: ClosedRange<Int>) -> [Int]? {
    var anchors: Set<Int> = [frames.lowerBound, frames.upperBound]
    let keys = table.keys.compactMap { table.place(ofPTS: table.pts[$0.index], near: $0.index) }
      .sorted()
    var count = 0
    for stretch in table.stretches {
      anchors.insert(stretch.firstFrame)
      anchors.insert(stretch.firstFrame + stretch.places.count - 1)
      let from = keys.indices.partitionPoint { keys[$0] >= stretch.places.lowerBound }
      for place in keys[from...].prefix(while: { $0 < stretch.places.upperBound }) {
        anchors.insert(stretch.firstFrame + place - stretch.places.lowerBound)
        count += 1
      }
    }
    // A frame that is reached by seeking costs more than the next one.
    guard count > 0, anchors.count * 4 <= frames.count else { return nil }
    return anchors.filter(frames.contains).sorted()
  }

  private static func united(_ pieces: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    var united: [ClosedRange<Int>] = []
    for piece in pieces {
      if let last = united.last, piece.lowerBound <= last.upperBound {
        united[united.count - 1] = last.lowerBound...max(last.upperBound, piece.upperBound)
      } else {
        united.append(piece)
      }
    }
    return united
  }
}
