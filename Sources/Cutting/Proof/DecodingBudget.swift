import MediaFacts

/// How much of the copied data verification decodes.
///
/// A short cut is decoded entirely: that is too fast to notice. Of a longer one, one GOP in n is
/// decoded, where n grows with the length, until only the edges are left: the bytes of all packets
/// are inspected in any case.
struct DecodingBudget: Hashable {
  /// Maximum size of a cut that is decoded entirely, in pixels; an audio sample counts as five, by
  /// relative cost.
  static let whole: Int64 = 260_000_000
  private static let pixelsPerSample: Int64 = 5
  /// Typical number of samples in an audio packet.
  private static let samplesPerPacket: Int64 = 1024

  /// The cost of all tracks.
  private let total: Int64
  private let isFull: Bool

  init(total: Int64, isFull: Bool) {
    self.total = total
    self.isFull = isFull
  }

  /// The budget for a number of packets of each track.
  init(_ tracks: some Sequence<(facts: TrackFacts, packets: Int)>, isFull: Bool) {
    let total = tracks.reduce(Int64(0)) { sum, track in
      min(.max / 8, sum + Self.cost(of: track.facts, packets: track.packets))
    }
    self.init(total: total, isFull: isFull)
  }

  var coversAll: Bool { isFull || total <= Self.whole }

  /// Of that many consecutive GOPs, those to decode: evenly spaced, none where not even one fits.
  func groups(of count: Int) -> [Int] {
    guard count > 0 else { return [] }
    if coversAll { return Array(0..<count) }
    // The share decreases with the square of the length.
    let (square, overflow) = total.multipliedReportingOverflow(by: total)
    guard !overflow else { return [] }
    let spacing = square / (Self.whole * Self.whole) + 1
    guard spacing <= count else { return [] }
    let step = Int(spacing)
    return Array(stride(from: step / 2, to: count, by: step))
  }

  /// The cost of decoding some packets of a track.
  private static func cost(of facts: TrackFacts, packets: Int) -> Int64 {
    let unit =
      if let video = facts.video {
        Int64(video.width) * Int64(video.height)
      } else {
        Int64(facts.audio?.channels ?? 2) * pixelsPerSample * samplesPerPacket
      }
    let (cost, overflow) = Int64(packets).multipliedReportingOverflow(by: unit)
    return overflow ? .max / 8 : min(.max / 8, max(0, cost))
  }
}
