import ExactTime

extension CodedTrack {
  /// How long a packet sounds before the next one begins: less than it lasts where a hole follows, which
  /// MP4 states as a part of it.
  ///
  /// Decoders leave out what is hidden in samples, and a hole has none.
  package func soundLength(of place: Int) -> Int64 {
    let packet = packets[place]
    guard place + 1 < packets.count else { return packet.duration }
    let next = packets[place + 1]
    let distance = next.pts &- packet.pts
    guard next.duration > 0, isHole(distance, next.duration) else { return packet.duration }
    // Packets whose container states their own length need not be as long as the next.
    return isHole(packet.duration, next.duration) ? next.duration : packet.duration
  }

  /// How far a packet that only leads in stands before the next: right there, whatever lies between.
  package func leadLength(of place: Int) -> Int64 {
    guard place + 1 < packets.count else { return packets[place].duration }
    let distance = packets[place + 1].pts &- packets[place].pts
    return isHole(distance, packets[place + 1].duration) ? soundLength(of: place) : distance
  }

  private func isHole(_ distance: Int64, _ usual: Int64) -> Bool {
    guard usual > 0, !SoundCodec.isUncompressed(codec) else { return false }
    let excess = distance &- usual
    if SoundCodec.hasEqualPackets(codec) || ["eac3", "dts"].contains(codec) {
      return excess > usual / 2
    }
    // Others have packets of different lengths: no longer than 0.12 s (RFC 6716, 2.1.4), or two blocks
    // of 8192 samples (Vorbis I, 4.2.2).
    guard let most = try? grid.ticks(of: MediaDuration(1, 5), rounding: .up) else { return false }
    return excess > max(usual, most)
  }
}
