import Libav
import MediaFacts
import Trimming

extension CutProof {
  /// The stretches of a track to decode: for video, what was encoded with the first frames after
  /// each seam, and as much of what was copied as the budget allows, GOPs with a fault first.
  func stretches(
    of written: any CutSource, _ index: Int, _ budget: DecodingBudget,
    hasFault: (_ place: Int) -> Bool
  ) -> [DecodedStretch] {
    let packets = tracks[index].packets
    let track = tracks[index]
    guard !packets.isEmpty, track.made == nil, track.isMedia else {
      return []
    }
    if budget.coversAll { return [DecodedStretch(entry: 0, judged: packets.indices)] }
    guard track.video != nil else { return [] }
    let keys = packets.indices.filter { $0 == 0 || packets[$0].isKey }
    let groups = zip(keys, keys.dropFirst() + [packets.count]).map { $0..<$1 }
    let sampled =
      budget.groups(of: groups.count).map { groups[$0] }
      + groups.filter { $0.contains(where: hasFault) }.prefix(Self.suspectGroups)
    return Self.merged(edges(of: packets) + sampled).map {
      DecodedStretch(entry: entry(before: $0.lowerBound, written, index), judged: $0)
    }
  }

  /// Maximum number of GOPs with a fault that are decoded.
  private static let suspectGroups = 4

  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = result.last, last.upperBound >= range.lowerBound {
        result[result.count - 1] =
          last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// Runs of packets to judge: each begins at a keyframe.
  private func edges(of packets: ContiguousArray<OutputPacket>) -> [Range<Int>] {
    let behind = 8
    var edges: [Range<Int>] = []
    var place = 0
    while place < packets.count {
      guard packets[place].isMade else {
        place += 1
        continue
      }
      let start = keyframe(atOrBefore: place, packets)
      while place < packets.count, packets[place].isMade { place += 1 }
      edges.append(start..<min(packets.count, place + behind))
    }
    return edges
  }

  private func keyframe(atOrBefore place: Int, _ packets: ContiguousArray<OutputPacket>) -> Int {
    var place = place
    while place > 0, !packets[place].isKey { place -= 1 }
    return place
  }

  /// Leading pictures of an open GOP are only correct if the previous GOP was decoded.
  private func entry(before place: Int, _ written: any CutSource, _ index: Int) -> Int {
    guard place > 0 else { return place }
    switch written.access(ofTrack: index, place) {
    case .idr, .bla, .intra: return place
    case .cra, .recoveryPoint, .flaggedOnly, .unknown:
      return keyframe(atOrBefore: place - 1, tracks[index].packets)
    }
  }
}

extension OutputPacket {
  var isMade: Bool {
    if case .made = payload { return !isRenumbered }
    return false
  }
}
