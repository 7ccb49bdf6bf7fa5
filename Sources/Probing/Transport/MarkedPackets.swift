import Libav
import MediaFacts
import MediaFiles

/// The packets of a transport stream that FFmpeg marks as corrupt, and their byte offsets.
struct MarkedPackets: PacketObserver {
  private struct Stream {
    var count = 0
    /// The byte offsets of the most recent packets.
    var recent: [Int64] = []
    /// Marked packets for which following packets are still to be recorded.
    var open: [(number: Int, from: Int64, left: Int)] = []
    var sections: [(number: Int, section: Range<Int64>)] = []
  }

  private var streams = PerStream<Stream>()
  private let file: InputFile
  private let tracks: [TrackFacts]

  /// A parser delays packets: the break may be before the marked packet or after the next one.
  private static let reach = 3
  /// The most marked packets: a file with more is damaged in any case.
  private static let most = 1000

  /// `nil` for other formats.
  init?(format: String, tracks: [TrackFacts], in file: InputFile) {
    guard SourceRules(format).isTransportStream else { return nil }
    (self.tracks, self.file) = (tracks, file)
  }

  mutating func see(_ packet: inout PacketFacts) -> PacketStanding {
    var stream = streams[packet.stream] ?? Stream()
    streams[packet.stream] = nil
    defer { streams[packet.stream] = stream }
    stream.count += 1
    if let offset = packet.byteOffset {
      for place in stream.open.indices { stream.open[place].left -= 1 }
      for window in stream.open where window.left == 0 && window.from < offset {
        stream.sections.append((window.number, window.from..<offset))
      }
      stream.open.removeAll { $0.left <= 0 }
      stream.recent.append(offset)
      if stream.recent.count > Self.reach { stream.recent.removeFirst() }
    }
    if packet.isCorrupt, stream.sections.count + stream.open.count < Self.most,
      let from = stream.recent.first
    {
      stream.open.append((stream.count - 1, from, Self.reach))
    }
    return .counted
  }

  func finish() -> PacketFindings {
    var findings = PacketFindings()
    for track in tracks {
      findings.whole[track.index] = whole(ofStream: track.index, pid: track.id)
    }
    return findings
  }

  /// The numbers, from 0 in a stream, of its marked packets that are complete.
  private func whole(ofStream index: Int, pid: Int) -> Set<Int> {
    guard let stream = streams[index], let end = file.byteCount else { return [] }
    let continuity = TransportContinuity(file)
    let sections =
      stream.sections
      + stream.open.filter { $0.from < end }.map { ($0.number, $0.from..<end) }
    return Set(
      sections.filter { continuity.breaksBetweenPackets(ofPID: pid, in: $0.section) }
        .map(\.number))
  }
}
