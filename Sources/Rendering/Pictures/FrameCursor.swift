import ExactTime
package import Libav
package import MediaFiles

/// A decoder for one track, which seeks to pictures and continues from one to the next.
package struct FrameCursor: ~Copyable {
  package let track: PictureTrack
  /// The picture that was shown last.
  package private(set) var picture: DecodedPicture
  private var spare: DecodedPicture
  private var packets: PacketCursor
  private let decoder: Decoder

  private var state = State.decoding
  /// Positions of pictures that were completely sent to the decoder but not yet output.
  private var pending: Set<Int>
  /// The position of the picture that was shown last.
  private var shownPlace: Int?
  /// The pictures for which deblocking was skipped most recently.
  private var rough = Decoder.Skip.nothing

  private enum State {
    case decoding
    /// No more output until a new start.
    case drained
  }

  /// How to seek to a picture.
  package struct Options {
    /// Whether to skip unreferenced pictures before it.
    package var skips = true
    /// Whether no later picture will be requested without seeking first.
    package var isLast = false
    /// The pictures for which deblocking may be skipped.
    package var rough = Decoder.Skip.nothing
  }

  package init(_ track: PictureTrack, threads: Int) throws(MediaError) {
    let packets = try PacketCursor(track)
    let decoder = try Self.decoder(packets, threads: threads)
    let picture = try Self.picture()
    let spare = try Self.picture()
    self.track = track
    self.decoder = decoder
    self.picture = picture
    self.spare = spare
    self.packets = packets
    // Not as a default value, which Swift 6.2 would destroy twice where the above fails.
    pending = []
  }

  private static func decoder(
    _ packets: borrowing PacketCursor, threads: Int
  ) throws(MediaError) -> Decoder {
    guard packets.demuxer.tracks[packets.stream].isDecodable else {
      throw MediaError(
        .notDecoded, "its video is \(packets.track.codec), which is not decoded here")
    }
    do throws(LibavError) {
      return try packets.demuxer.decoder(
        forStream: packets.stream, threads: Int32(clamping: threads),
        limits: packets.track.bounds.limits.demuxer)
    } catch {
      throw MediaError(error)
    }
  }

  private static func picture() throws(MediaError) -> DecodedPicture {
    do throws(LibavError) {
      return try DecodedPicture()
    } catch {
      throw MediaError(error)
    }
  }

  private var table: FrameTable { track.table }

  /// Seeks to the picture at a position.
  ///
  /// - Returns: the position of the picture reached: a different one only where the requested
  ///   picture cannot be decoded; `nil` where none can.
  package mutating func show(_ place: Int, _ options: Options) throws(MediaError) -> Int? {
    let isTooRough = rough != .nothing && options.rough == .nothing
    if shownPlace == place, picture.isFilled, !isTooRough { return place }
    if !packets.hasBegun { try packets.begin() }
    decoder.skipSmoothing(options.rough)
    rough = options.rough
    let goal = Goal(place: place, index: Int(table.order[place]), pts: table.pts(atPlace: place))
    if !isTooRough, canGoOn(to: goal), try run(to: goal, options) == .reached { return place }
    let key = table.key(forPlace: place)
    // A picture that is not output may need earlier GOPs, as with gradual decoder refresh:
    // recovery is counted in reference frames (ITU-T H.264, D.2.8), and may take several GOPs.
    var careful = options
    careful.skips = false
    careful.isLast = false
    let attempts = [(0, options)] + [0, 1, 2, 4, 8].map { ($0, careful) }
    for (back, options) in attempts where back == 0 || back / 2 < key ?? 0 {
      guard try enter(atKey: key.map { max(0, $0 - back) }) else { continue }
      if try run(to: goal, options) == .reached { return place }
    }
    // Otherwise the nearest picture.
    guard try enter(atKey: key) else { return nil }
    _ = try run(to: goal, careful)
    return picture.isFilled ? shownPlace : nil
  }

  private struct Goal {
    var place: Int
    var index: Int
    var pts: Int64
  }

  private enum Outcome {
    case reached
    /// A later picture was output, so this one will not be.
    case passed
    case ended
  }

  private func canGoOn(to goal: Goal) -> Bool {
    guard state == .decoding, packets.lastRead >= 0 else { return false }
    if pending.contains(goal.place) { return true }
    guard goal.index > (packets.held.map { $0 - 1 } ?? packets.lastRead) else { return false }
    guard let key = table.key(forPlace: goal.place) else { return true }
    return table.keys[key].index <= packets.lastRead + 1
  }

  private mutating func run(to goal: Goal, _ options: Options) throws(MediaError) -> Outcome {
    var failures = 0
    // A decoder that always fails must not block the loop.
    while failures < 1000 {
      try track.bounds.checkTime()
      switch decoder.receive(into: spare) {
      case .frame(let facts):
        swap(&picture, &spare)
        let place = place(of: facts, goal)
        shownPlace = place
        pending = pending.filter { $0 > place }
        if place == goal.place { return .reached }
        if place > goal.place { return .passed }
      case .needsInput: try feed(goal, options)
      case .ended:
        state = .drained
        return .ended
      case .failed: failures += 1
      }
    }
    return .ended
  }

  private func place(of facts: FrameFacts, _ goal: Goal) -> Int {
    guard let time = facts.time.map({ $0 &- packets.shift.pts }) else {
      return pending.min() ?? goal.place
    }
    let index = min(max(0, packets.lastRead), table.pts.count - 1)
    // Where the clock was reset, the last pictures before that are still to be output.
    if let clock = table.clocks.firstIndex(where: { $0.contains(index) }), clock > 0,
      let earlier = table.place(ofPTS: time, near: table.clocks[clock - 1].lowerBound),
      pending.contains(earlier)
    {
      return earlier
    }
    return table.place(ofTick: time, near: index)
  }

  private mutating func feed(_ goal: Goal, _ options: Options) throws(MediaError) {
    if options.isLast, packets.held == nil, packets.lastRead >= goal.index { return finish() }
    guard let index = try packets.hold() else { return finish() }
    let isKnown = packets.isPicture && index < table.pts.count
    let isBefore = isKnown && index < goal.index && table.pts[index] < goal.pts
    let skips = options.skips && isBefore
    decoder.skipFrames(skips ? .unreferenced : .nothing)
    switch packets.demuxer.send(to: decoder) {
    case .full: return
    case .accepted:
      if isKnown, !skips, let place = table.place(ofPTS: table.pts[index], near: index) {
        pending.insert(place)
      }
    case .refused: break
    }
    packets.take()
  }

  /// Flushes the decoder.
  private mutating func finish() {
    decoder.finish()
    state = .drained
  }

  /// Seeks to a random access point, or to the start if there is none.
  ///
  /// - Returns: false when it is not found.
  private mutating func enter(atKey key: Int?) throws(MediaError) -> Bool {
    let index = key.map { table.keys[$0].index } ?? 0
    let isFresh = state == .decoding && pending.isEmpty && shownPlace == nil
    if isFresh, packets.lastRead < 0 ? index == 0 : packets.held == index { return true }
    decoder.flush()
    state = .decoding
    pending = []
    shownPlace = nil
    return try packets.enter(atKey: key)
  }
}
