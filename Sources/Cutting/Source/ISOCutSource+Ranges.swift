import ExactTime
import ISOMedia
import MediaFacts
import MediaFiles
import Trimming

extension ISOCutSource {
  /// Says that the media of a range will be read: from another machine, it then comes in few requests.
  ///
  /// From the keyframe at which decoding begins up to the end of the GOP in which a range ends.
  func expectMedia(of range: MediaTimeRange) {
    for (index, track) in tracks.enumerated() where track.facts.isPresented {
      let packets = track.coded.packets
      guard let ticks = try? track.coded.ticks(of: range), !ticks.isEmpty,
        let first = packets.firstIndex(where: { $0.pts &+ $0.duration > ticks.lowerBound }),
        let last = packets.lastIndex(where: { $0.pts < ticks.upperBound }), first <= last
      else { continue }
      let start = packets[...first].lastIndex(where: \.isKey) ?? first
      let end = packets[(last + 1)...].firstIndex(where: \.isKey) ?? packets.endIndex
      let table = table(ofTrack: index)
      var bytes: Range<Int64>?
      for place in start..<end {
        let sample = sample(ofTrack: index, place)
        guard let offset = table.offset(sample), offset >= 0, offset < self.bytes.byteCount else {
          continue
        }
        let (end, _) = offset.addingReportingOverflow(Int64(table.byteCount(sample)))
        bytes = min(offset, bytes?.lowerBound ?? offset)..<max(end, bytes?.upperBound ?? end)
      }
      if let bytes { file.announce(bytes) }
    }
  }
}
