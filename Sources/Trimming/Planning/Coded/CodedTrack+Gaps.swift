import ExactTime

/// Where audio packets do not follow each other end to end.
///
/// Containers state a gap as a jump of the PTS, as part of the previous packet's duration, or both.
extension CodedTrack {
  /// The usual packet duration in ticks: the median of the stated ones; `nil` if none is stated.
  package func usualDuration(of places: some Sequence<Int>) -> Int64? {
    Self.usual(of: places.lazy.map { packets[$0].duration })
  }

  /// The median of the stated packet durations, in ticks; `nil` if none is stated.
  package static func usual(of durations: some Sequence<Int64>) -> Int64? {
    let stated = durations.filter { $0 > 0 }.sorted()
    return stated.isEmpty ? nil : stated[stated.count / 2]
  }

  /// The gap in ticks between a packet of a given length and the next packet; negative where they
  /// overlap.
  package func gap(behind place: Int, lasting length: Int64) -> Int64 {
    packets[place + 1].pts &- packets[place].pts &- length
  }

  /// The first of two packets with a missing packet between them, allowing for tick rounding.
  package func firstMissing(in places: Range<Int>) -> Int? {
    let usual = AudioCodec.hasEqualPackets(codec) ? usualDuration(of: places) : nil
    return places.dropLast().first { place in
      // Matroska need not state the duration of a WavPack block.
      let length = min(usual ?? .max, packets[place].duration)
      return length > 0
        && gap(behind: place, lasting: length) > max(2, length &- Self.rounding(of: length))
    }
  }

  /// The first of two packets that overlap by more than tick and clock rounding.
  package func firstOverlap(in places: Range<Int>) -> Int? {
    guard let usual = usualDuration(of: places) else { return nil }
    return places.dropLast().first {
      gap(behind: $0, lasting: usual) < -max(2, Self.rounding(of: usual))
    }
  }

  /// Whether packets are contiguous, allowing for tick and clock rounding.
  package func isContinuous(in places: Range<Int>) -> Bool {
    guard let usual = usualDuration(of: places) else { return true }
    return places.dropLast().allSatisfy {
      gap(behind: $0, lasting: usual).magnitude <= max(2, Self.rounding(of: usual)).magnitude
    }
  }

  private static func rounding(of length: Int64) -> Int64 { length / 8 }

  /// How long a packet is heard before the next one begins: less than its stated duration where a gap
  /// follows, since MP4 includes the gap in that duration.
  ///
  /// What an edit list hides is skipped in decoded samples, and a gap has none.
  package func soundLength(of place: Int) -> Int64 {
    let packet = packets[place]
    guard place + 1 < packets.count else { return packet.duration }
    let next = packets[place + 1]
    let distance = next.pts &- packet.pts
    guard next.duration > 0, isGap(distance, next.duration) else { return packet.duration }
    // A duration without the gap is the packet's own length, which may differ from that of the next.
    return isGap(packet.duration, next.duration) ? next.duration : packet.duration
  }

  /// How far before the next packet a lead-in packet is placed: directly before it, whatever gap lies
  /// between.
  package func leadLength(of place: Int) -> Int64 {
    guard place + 1 < packets.count else { return packets[place].duration }
    let distance = packets[place + 1].pts &- packets[place].pts
    return isGap(distance, packets[place + 1].duration) ? soundLength(of: place) : distance
  }

  private func isGap(_ distance: Int64, _ usual: Int64) -> Bool {
    guard usual > 0, !AudioCodec.isUncompressed(codec) else { return false }
    let excess = distance &- usual
    if AudioCodec.hasSimilarPackets(codec) { return excess > usual / 2 }
    // Other codecs have packets of varying lengths: at most 0.12 s (RFC 6716, 2.1.4), or two blocks of 8192
    // samples (Vorbis I, 4.2.2).
    guard let most = try? grid.ticks(of: MediaDuration(1, 5), rounding: .up) else { return false }
    return excess > max(usual, most)
  }
}
