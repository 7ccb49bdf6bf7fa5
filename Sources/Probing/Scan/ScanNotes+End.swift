package import Libav
package import MediaFacts

extension ScanNotes {
  /// The most bytes after the last packet that are not worth a note.
  private static let longestTail: Int64 = 64 << 10

  /// Notes which tracks of a transport stream are scrambled, by their PIDs.
  static func addScrambling(_ pids: Set<Int>, to facts: inout MediaFacts) {
    for position in facts.tracks.indices where pids.contains(facts.tracks[position].id) {
      facts.tracks[position].isEncrypted = true
      facts.notes.append(
        Note(
          .scrambled, track: facts.tracks[position].id,
          "Its packets are scrambled (ISO/IEC 13818-1, 2.4.3.3); only the unscrambled "
            + "parts are read."))
    }
  }

  /// Notes how a scan ended, where it ended before the end of the file.
  package static func add(endOf demuxer: borrowing Demuxer, to facts: inout MediaFacts) {
    switch demuxer.earlyEnd {
    case .barren(let start):
      facts.damage.append(
        Damage(
          .garbage, at: start,
          "No packet was found in a long stretch from byte \(start) on; what follows it was "
            + "not read."))
    case .idle(let place):
      facts.damage.append(
        Damage(
          .invalidStructure, at: place,
          "FFmpeg keeps returning packets at byte \(place) without reading on; what follows was "
            + "not read."))
    case .refused(let place, let reason):
      // Nearly every truncated file ends like this; its own structures show it.
      guard let size = facts.byteCount, size - place > longestTail else { break }
      facts.damage.append(
        Damage(
          .garbage, at: place,
          "None of the last \(size - place) bytes, from byte \(place) on, could be read: "
            + "\(reason)."))
    case nil: break
    }
    if let refusal = demuxer.refusal {
      facts.damage.append(
        Damage(
          .invalidStructure, at: refusal.place, count: refusal.count,
          "FFmpeg rejects "
            + (refusal.count == 1
              ? "a page or packet at byte \(refusal.place)"
              : "\(refusal.count) pages or packets from byte \(refusal.place) on")
            + " (\(refusal.reason)); what follows is read."))
    }
    if !demuxer.lateStreams.isEmpty {
      facts.notes.append(
        Note(
          .lateStream,
          demuxer.lateStreams.count == 1
            ? "One stream begins too late to be recognized; it is left out."
            : "\(demuxer.lateStreams.count) streams begin too late to be recognized; they are left "
              + "out."))
    }
  }
}
