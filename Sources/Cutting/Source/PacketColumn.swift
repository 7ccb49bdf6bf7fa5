#if FFmpeg
  import Bitstreams
  import Trimming

  /// What a scan keeps of the packets of one stream.
  struct PacketColumn {
    var packets: ContiguousArray<CodedPacket> = []
    /// Of each packet of sound; zero where it does not tell.
    var samples: [Int32] = []
    /// Of Vorbis, once a packet of sound was read.
    var blocks: VorbisBlocks?
    /// Numbers of the packets that are the second field of a frame.
    var seconds: Set<Int> = []
    /// Numbers of packets that show nothing.
    var empties: Set<Int> = []
    /// Places of packets that the demuxer says are damaged.
    var corrupt: Set<Int> = []
    var number = 0
    /// The last frame is shown by no decoder, and so is its second field.
    var hasSkipped = false
    /// Places of packets without a PTS.
    var unstamped: [Int] = []
    var hasNoTime = false
    /// The last packets have no time, and were left out.
    var endsUntimed = false
    /// A time is so far from zero that sums of it leave 64 bits.
    var hasImpossibleTime = false
    /// Those that had no time got one.
    var isFilled = false
    var lastDTS: Int64?
    /// The end of the last packet of sound is not heard.
    var hidesEnd = false
    /// Where the last page of Ogg stands in the file, and the place of the first packet on it.
    var page: Int64?
    var pagePlace = 0
    /// Places of packets whose DTS lies before that of the one before.
    var backs: [Int] = []
    /// The file ends inside the last packet.
    var isCutShort = false
    /// Places of packets of sound before which others were left out, and how many those were.
    var overlaps: Set<Int> = []
    var leftOut = 0
    /// Places of packets of AAC whose ADTS headers describe it otherwise than the one before, the first packet among
    /// them, and those headers.
    var headerChanges: [(place: Int, header: ADTSHeader)] = []
    /// More segments of the screen that was begun last follow.
    var isScreenOpen = false
    /// Seconds for which what is on the screen may stay there, by places of packets, and of the last one.
    var screenLimits: [Int: Int] = [:]
    var longestScreen: Int?
    /// Places of packets that take subtitles off the screen.
    var clearings: Set<Int> = []

    /// - Parameter header: of the packet that comes next (ISO 14496-3, 1.A.2.2).
    mutating func noteHeader(_ header: [UInt8]) {
      guard let told = ADTSHeader(header) else { return }
      if headerChanges.last?.header.audioSpecificConfig != told.audioSpecificConfig {
        headerChanges.append((packets.count, told))
      }
    }

    /// No header has told the channels yet.
    var leavesChannelsToFrames: Bool {
      headerChanges.allSatisfy { $0.header.channels == 0 }
    }

    /// What headers say that lasts.
    ///
    /// A packet or two that tell otherwise in the middle are damaged. What the first one says was found out for the
    /// track.
    var descriptions: SoundDescriptions {
      let ends = headerChanges.dropFirst().map(\.place) + [packets.count]
      var lasting: [SoundDescriptions.Run] = []
      for (change, end) in zip(headerChanges, ends) {
        let isAtAnEnd = lasting.isEmpty || end == packets.count
        guard isAtAnEnd || end - change.place >= Self.fewestAlike else { continue }
        let run = SoundDescriptions.Run(place: change.place, change.header)
        if lasting.last?.configuration != run.configuration { lasting.append(run) }
      }
      return SoundDescriptions(lasting)
    }

    private static let fewestAlike = 4

    /// What stands before the first keyframe is not shown, and has only times that a demuxer guessed: it
    /// comes before.
    mutating func moveBack(by ticks: Int64) {
      for place in packets.indices {
        packets[place].pts &-= ticks
        packets[place].dts &-= ticks
      }
    }

    /// Ticks by which a muxer's sums of frame durations may be off.
    private static let rounding: Int64 = 2

    /// How many pictures a wrong DTS may be off.
    private static let reach = 3

    /// - Parameters:
    ///   - times: by number.
    ///   - guessesDTS: the demuxer made up DTS from the PTS that are put right.
    mutating func fill(_ times: [Int: Int64], guessesDTS: Bool) {
      var place = 0
      var given: Set<Int> = []
      var moved: Set<Int> = []
      for number in 0..<number where !empties.contains(number) && !seconds.contains(number) {
        if let time = times[number], packets.indices.contains(place) {
          packets[place].pts = time
          given.insert(place)
          moved.formUnion(place - Self.reach...place + Self.reach)
        }
        place += 1
      }
      unstamped.removeAll(where: given.contains)
      isFilled = unstamped.isEmpty
      if isFilled { hasNoTime = false }
      if isFilled, guessesDTS { backs.removeAll(where: moved.contains) }
    }

    /// Whether the PTS tell the order of decoding where DTS go back: by a rounding, or where a picture that needs
    /// no other is shown behind all before it and before all behind it.
    ///
    /// Of two streams put end to end, the second may be decoded before the first is over.
    var isOrderedByPTS: Bool {
      let seams = backs.filter { place in
        place == 0 || !packets.indices.contains(place)
          || packets[place - 1].dts &- packets[place].dts > Self.rounding
      }
      guard seams.allSatisfy({ packets.indices.contains($0) && packets[$0].isKey }) else {
        return false
      }
      var last = Int64.min
      var shown: [Int: Int64] = [:]
      let starts = Set(seams)
      for place in packets.indices {
        if starts.contains(place) { shown[place] = last }
        last = max(last, packets[place].pts)
      }
      var first = Int64.max
      for place in packets.indices.reversed() {
        first = min(first, packets[place].pts)
        if let before = shown[place], before >= first { return false }
      }
      return true
    }

    /// Takes away packets of sound that would be heard at the same time as what follows.
    ///
    /// - Parameter number: that of the packet that follows.
    mutating func leaveOut(notBefore dts: Int64, _ number: Int) {
      var number = number - 1
      while let last = packets.last, last.dts >= dts {
        packets.removeLast()
        samples.removeLast()
        corrupt.remove(packets.count)
        overlaps.remove(packets.count)
        if headerChanges.last?.place == packets.count { headerChanges.removeLast() }
        if unstamped.last == packets.count { unstamped.removeLast() }
        while empties.contains(number) { number -= 1 }
        empties.insert(number)
        leftOut += 1
      }
      overlaps.insert(packets.count)
      lastDTS = packets.last?.dts
    }
  }
#endif
