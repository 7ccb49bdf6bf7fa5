import ExactTime

/// Where packets of sound do not follow each other end to end.
///
/// Containers state a gap as a jump of the PTS, as the length of the packet before it, or as both.
extension CodedTrack {
  /// How long most packets last, in ticks: the median of those that say so; `nil` where none does.
  package func usualDuration(of places: some Sequence<Int>) -> Int64? {
    Self.usual(of: places.lazy.map { packets[$0].duration })
  }

  /// The median of the durations that say how long a packet lasts, in ticks; `nil` where none does.
  package static func usual(of durations: some Sequence<Int64>) -> Int64? {
    let stated = durations.filter { $0 > 0 }.sorted()
    return stated.isEmpty ? nil : stated[stated.count / 2]
  }

  /// How much later the packet behind a place begins than one of a length would end, in ticks; less
  /// than 0 where they overlap.
  package func gap(behind place: Int, lasting length: Int64) -> Int64 {
    packets[place + 1].pts &- packets[place].pts &- length
  }

  /// The first of two packets between which one is missing, but for what ticks round.
  package func firstMissing(in places: Range<Int>) -> Int? {
    let usual = SoundCodec.hasEqualPackets(codec) ? usualDuration(of: places) : nil
    return places.dropLast().first { place in
      // How long a block of WavPack is, Matroska need not say.
      let length = min(usual ?? .max, packets[place].duration)
      return length > 0
        && gap(behind: place, lasting: length) > max(2, length &- Self.rounding(of: length))
    }
  }

  /// The first of two packets that overlap by more than ticks and clocks are rounded by.
  package func firstOverlap(in places: Range<Int>) -> Int? {
    guard let usual = usualDuration(of: places) else { return nil }
    return places.dropLast().first {
      gap(behind: $0, lasting: usual) < -max(2, Self.rounding(of: usual))
    }
  }

  /// Whether packets follow each other, but for what ticks and clocks are rounded by.
  package func isContinuous(in places: Range<Int>) -> Bool {
    guard let usual = usualDuration(of: places) else { return true }
    return places.dropLast().allSatisfy {
      gap(behind: $0, lasting: usual).magnitude <= max(2, Self.rounding(of: usual)).magnitude
    }
  }

  private static func rounding(of length: Int64) -> Int64 { length / 8 }

  /// How long a packet sounds before the next one begins: less than it lasts where a gap follows, which
  /// MP4 states as a part of it.
  ///
  /// Decoders leave out what is hidden in samples, and a gap has none.
  package func soundLength(of place: Int) -> Int64 {
    let packet = packets[place]
    guard place + 1 < packets.count else { return packet.duration }
    let next = packets[place + 1]
    let distance = next.pts &- packet.pts
    guard next.duration > 0, isGap(distance, next.duration) else { return packet.duration }
    // Packets whose container states their own length need not be as long as the next.
    return isGap(packet.duration, next.duration) ? next.duration : packet.duration
  }

  /// How far a packet that only leads in stands before the next: right there, whatever lies between.
  package func leadLength(of place: Int) -> Int64 {
    guard place + 1 < packets.count else { return packets[place].duration }
    let distance = packets[place + 1].pts &- packets[place].pts
    return isGap(distance, packets[place + 1].duration) ? soundLength(of: place) : distance
  }

  private func isGap(_ distance: Int64, _ usual: Int64) -> Bool {
    guard usual > 0, !SoundCodec.isUncompressed(codec) else { return false }
    let excess = distance &- usual
    if SoundCodec.hasSimilarPackets(codec) { return excess > usual / 2 }
    // Others have packets of different lengths: no longer than 0.12 s (RFC 6716, 2.1.4), or two blocks
    // of 8192 samples (Vorbis I, 4.2.2).
    guard let most = try? grid.ticks(of: MediaDuration(1, 5), rounding: .up) else { return false }
    return excess > max(usual, most)
  }
}
