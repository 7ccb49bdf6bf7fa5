import Bitstreams
import MediaFacts
import MediaFiles
import Trimming

extension CutSource {
  /// Where a decoder of an AAC track finds the header of the replicated band.
  func soundEntry(ofTrack index: Int, at place: Int) throws(MediaError) -> AudioEntry {
    let track = tracks[index]
    let count = track.coded.packets.count
    var known = AudioEntry(before: place, next: place)
    for reach in Self.reaches {
      let places = max(0, place - reach)..<min(count, place + reach)
      try prepare([index: [places]])
      var headers = SBRHeaders(channels: Self.codedChannels(track))
      for place in places { headers.add(try bytes(ofTrack: index, place), at: place) }
      let found = headers.places
      guard !found.isEmpty else { return known }
      known.before = found.last { $0 <= place } ?? 0
      known.next = found.first { $0 >= place }
      if found.contains(where: { $0 <= place }) { return known }
    }
    return known
  }

  /// Numbers of packets to search in both directions, in order: encoders send a header at least every
  /// second, which is 24 packets.
  private static var reaches: [Int] { [64, 1024] }

  /// Parametric stereo codes one channel; more than two channels are never changed.
  private static func codedChannels(_ track: SourceTrack) -> Int? { track.facts.audio?.channels }
}
