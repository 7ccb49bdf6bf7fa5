#if FFmpeg
  import ExactTime
  package import Libav
  package import MediaFiles
  /// One decoder on one track, which goes to pictures and from each on to the next.
  package struct FrameCursor: ~Copyable {
    package let track: PictureTrack
    /// The picture that was shown last.
    package private(set) var picture: DecodedPicture
    private var spare: DecodedPicture
    private var demuxer: Demuxer
    private var stream: Int
    private let decoder: Decoder

    /// The index of the packet that was read and not yet decoded.
    private var held: Int?
    /// The index of the last packet that was read; −1 before the first.
    private var lastRead = -1
    private var state = State.decoding
    /// Places of pictures that went in whole and have not come out.
    private var pending: Set<Int> = []
    /// The place of the picture that was shown last.
    private var shownPlace: Int?
    /// How far FFmpeg's ticks lie behind the sample table's: it moves those of files with negative
    /// composition offsets.
    private var shift: (pts: Int64, dts: Int64) = (0, 0)
    private var hasBegun = false
    /// What was left rough in the pictures that were decoded last.
    private var rough = Decoder.Skip.nothing

    private enum State {
      case decoding
      /// Nothing more comes out before a new start.
      case drained
    }

    /// How a picture is gone to.
    package struct Manner {
      /// Pictures before it to which none refers are left out.
      package var skips = true
      /// Nothing after it will be wanted without going somewhere else first.
      package var isLast = false
      /// Where the edges of blocks may stay visible.
      package var rough = Decoder.Skip.nothing
    }

    package init(_ track: PictureTrack, threads: Int) throws(ProbeError) {
      let opened = try track.openDemuxer()
      let decoder = try Self.decoder(opened, track, threads: threads)
      let picture = try Self.picture()
      let spare = try Self.picture()
      self.track = track
      self.decoder = decoder
      self.picture = picture
      self.spare = spare
      stream = opened.stream
      demuxer = opened.intoDemuxer()
    }

    /// Holds the first packet against the sample table, where there is one.
    private mutating func begin() throws(ProbeError) {
      hasBegun = true
      lastRead = -1
      held = nil
      guard track.isNative else { return }
      do throws(LibavError) {
        while let packet = try demuxer.nextPacket() {
          guard packet.stream == stream else { continue }
          if let tick = packet.pts { shift.pts = tick &- table.pts[0] }
          if let tick = packet.dts, let first = table.keys.first, first.index == 0,
            let dts = first.dts
          {
            shift.dts = tick &- dts
          }
          lastRead = 0
          held = 0
          return
        }
      } catch {
        throw ProbeError(error)
      }
    }

    /// A packet's time as the table has it.
    private func tick(of packet: PacketFacts) -> Int64? {
      packet.pts.map { $0 &- shift.pts } ?? packet.dts.map { $0 &- shift.dts }
    }

    private static func decoder(
      _ opened: borrowing OpenedStream, _ track: PictureTrack, threads: Int
    ) throws(ProbeError) -> Decoder {
      guard opened.demuxer.tracks[opened.stream].isDecodable else {
        throw ProbeError(
          .notDecoded, "its pictures are \(track.codec), which is not decoded here",
          hint: "'trim doctor' lists the codecs that are.")
      }
      do throws(LibavError) {
        return try opened.demuxer.decoder(
          forStream: opened.stream, threads: Int32(clamping: threads),
          limits: track.bounds.limits.demuxer)
      } catch {
        throw ProbeError(error)
      }
    }

    private static func picture() throws(ProbeError) -> DecodedPicture {
      do throws(LibavError) {
        return try DecodedPicture()
      } catch {
        throw ProbeError(error)
      }
    }

    private var table: FrameTable { track.table }

    /// Goes to the picture at a place.
    ///
    /// - Returns: the place whose picture it came to: another one only where that picture cannot be
    ///   decoded; `nil` where none can.
    package mutating func show(_ place: Int, _ manner: Manner) throws(ProbeError) -> Int? {
      let isTooRough = rough != .nothing && manner.rough == .nothing
      if shownPlace == place, picture.isFilled, !isTooRough { return place }
      if !hasBegun { try begin() }
      decoder.skipSmoothing(manner.rough)
      rough = manner.rough
      let goal = Goal(place: place, index: Int(table.order[place]), pts: table.pts(atPlace: place))
      if !isTooRough, canGoOn(to: goal), try run(to: goal, manner) == .reached { return place }
      let key = table.key(forPlace: place)
      // A picture that does not come out may need the GOP before, as where it refreshes slowly.
      var careful = manner
      careful.skips = false
      careful.isLast = false
      let attempts = [(key, manner), (key, careful), (key.map { $0 - 1 }, careful)]
      for (start, manner) in attempts where start ?? 0 >= 0 {
        guard try enter(atKey: start, goal) else { continue }
        if try run(to: goal, manner) == .reached { return place }
      }
      // What stands nearest then.
      guard try enter(atKey: key, goal) else { return nil }
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
      /// A later picture came out, so this one will not.
      case passed
      case ended
    }

    private func canGoOn(to goal: Goal) -> Bool {
      guard state == .decoding, lastRead >= 0 else { return false }
      if pending.contains(goal.place) { return true }
      guard goal.index > (held.map { $0 - 1 } ?? lastRead) else { return false }
      guard let key = table.key(forPlace: goal.place) else { return true }
      return table.keys[key].index <= lastRead + 1
    }

    private mutating func run(to goal: Goal, _ manner: Manner) throws(ProbeError) -> Outcome {
      var failures = 0
      // A decoder that only ever fails must not hold the loop.
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
        case .needsInput: try feed(goal, manner)
        case .ended:
          state = .drained
          return .ended
        case .failed: failures += 1
        }
      }
      return .ended
    }

    private func place(of facts: FrameFacts, _ goal: Goal) -> Int {
      guard let time = facts.time.map({ $0 &- shift.pts }) else {
        return pending.min() ?? goal.place
      }
      let index = min(max(0, lastRead), table.pts.count - 1)
      // Where the clock was reset, the last pictures before that are still to come.
      if let clock = table.clocks.firstIndex(where: { $0.contains(index) }), clock > 0,
        let earlier = table.place(ofPTS: time, near: table.clocks[clock - 1].lowerBound),
        pending.contains(earlier)
      {
        return earlier
      }
      return table.place(ofTick: time, near: index)
    }

    private mutating func feed(_ goal: Goal, _ manner: Manner) throws(ProbeError) {
      if manner.isLast, held == nil, lastRead >= goal.index { return finish() }
      if held == nil { held = try readPacket() }
      guard let index = held else { return finish() }
      let isKnown = index < table.pts.count
      let isBefore = isKnown && index < goal.index && table.pts[index] < goal.pts
      let skips = manner.skips && isBefore
      decoder.skipFrames(skips ? .unreferenced : .nothing)
      switch demuxer.send(to: decoder) {
      case .full: return
      case .accepted:
        if isKnown, !skips, let place = table.place(ofPTS: table.pts[index], near: index) {
          pending.insert(place)
        }
      case .refused: break
      }
      held = nil
    }

    /// Lets out what the decoder still holds.
    private mutating func finish() {
      decoder.finish()
      state = .drained
    }

    /// Reads the next packet of the track and tells its index; `nil` at the end.
    private mutating func readPacket() throws(ProbeError) -> Int? {
      while let packet = try nextPacket() {
        guard packet.stream == stream else { continue }
        count(packet)
        return lastRead
      }
      return nil
    }

    /// A packet is the next one, unless its time says that some were left out.
    private mutating func count(_ packet: PacketFacts) {
      lastRead += 1
      if let tick = tick(of: packet), lastRead < table.pts.count, table.pts[lastRead] != tick,
        let place = table.place(ofPTS: tick, near: lastRead)
      {
        lastRead = Int(table.order[place])
      }
    }
  }

  extension FrameCursor {
    /// Goes to an entry point, or to the start where there is none.
    ///
    /// - Returns: false when it is not found.
    private mutating func enter(atKey key: Int?, _ goal: Goal) throws(ProbeError) -> Bool {
      let index = key.map { table.keys[$0].index } ?? 0
      let isFresh = state == .decoding && pending.isEmpty && shownPlace == nil
      if isFresh, lastRead < 0 ? index == 0 : held == index { return true }
      restart()
      if let key {
        // An index that is coarse or wrong may lead behind: then a little before.
        for start in [key, key - 1, key - 4] where start >= 0 {
          if seek(toKey: start), try synchronize(with: index) { return true }
        }
      }
      // From the very start every packet is counted, so nothing can go wrong.
      let opened = try track.openDemuxer()
      stream = opened.stream
      demuxer = opened.intoDemuxer()
      try begin()
      while lastRead < index {
        try track.bounds.checkTime()
        guard let read = try readPacket() else { return false }
        held = read
      }
      return true
    }

    private mutating func restart() {
      decoder.flush()
      state = .decoding
      pending = []
      shownPlace = nil
      held = nil
    }

    private mutating func seek(toKey number: Int) -> Bool {
      let key = table.keys[number]
      if track.seeksByByte, let offset = key.byteOffset { return demuxer.seek(toByte: offset) }
      let tick = key.dts.map { $0 &+ shift.dts } ?? table.pts[key.index] &+ shift.pts
      return demuxer.seek(stream: stream, tick: tick)
    }

    /// Reads on to the packet with an index; false when it lies behind.
    private mutating func synchronize(with index: Int) throws(ProbeError) -> Bool {
      var isFirst = true
      while let packet = try nextPacket() {
        try track.bounds.checkTime()
        guard packet.stream == stream else { continue }
        if isFirst {
          guard let tick = tick(of: packet),
            let place = table.place(ofPTS: tick, near: index)
          else { continue }
          lastRead = Int(table.order[place])
          isFirst = false
        } else {
          count(packet)
        }
        if lastRead == index {
          held = index
          return true
        }
        if lastRead > index { return false }
      }
      return false
    }

    private mutating func nextPacket() throws(ProbeError) -> PacketFacts? {
      do throws(LibavError) {
        return try demuxer.nextPacket()
      } catch {
        throw ProbeError(error)
      }
    }
  }
#endif
