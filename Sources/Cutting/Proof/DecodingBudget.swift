import MediaFacts

/// How much of what was copied a proof decodes.
///
/// A short cut is decoded whole: that costs less than anyone notices. Of a longer one, one group of
/// pictures in n is, with an n that grows with the length, until only the edges are left: the bytes
/// of all packets are looked through in any case.
struct DecodingBudget: Hashable {
  /// What a cut may have to be decoded whole, in pixels; a sample of sound counts as five of them,
  /// which is what both cost.
  static let whole: Int64 = 260_000_000
  private static let pixelsPerSample: Int64 = 5
  /// About what a packet of sound holds, of most codecs.
  private static let samplesPerPacket: Int64 = 1024

  /// Of all tracks.
  private let total: Int64
  private let isFull: Bool

  init(total: Int64, isFull: Bool) {
    self.total = total
    self.isFull = isFull
  }

  /// For some packets of each of some tracks.
  init(_ tracks: some Sequence<(facts: TrackFacts, packets: Int)>, isFull: Bool) {
    let total = tracks.reduce(Int64(0)) { sum, track in
      min(.max / 8, sum + Self.cost(of: track.facts, packets: track.packets))
    }
    self.init(total: total, isFull: isFull)
  }

  var coversAll: Bool { isFull || total <= Self.whole }

  /// Of so many groups in a row, those to decode: evenly spread, none where not even one fits.
  func groups(of count: Int) -> [Int] {
    guard count > 0 else { return [] }
    if coversAll { return Array(0..<count) }
    // The share falls with the square of the length.
    let (square, overflow) = total.multipliedReportingOverflow(by: total)
    guard !overflow else { return [] }
    let spacing = square / (Self.whole * Self.whole) + 1
    guard spacing <= count else { return [] }
    let step = Int(spacing)
    return Array(stride(from: step / 2, to: count, by: step))
  }

  /// What it costs to decode some packets of a track.
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
