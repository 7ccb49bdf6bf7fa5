import Libav
import MediaFacts
import MediaFiles

/// Those that a format calls for, in the order in which they look.
struct PacketObservers {
  private var all: [any PacketObserver]

  /// - Parameters:
  ///   - misread: the packets of streams that are read natively.
  ///   - isComplete: the file is read from its first packet to the last.
  init(
    format: String, tracks: [TrackFacts], in file: InputFile, misread: Set<Int>, isComplete: Bool
  ) {
    let candidates: [(any PacketObserver)?] = [
      FLVEnd(format: format, file),
      MXFEnd(format: format, file),
      isComplete ? MatroskaGaps(format: format, streams: Set(tracks.map(\.index)), in: file) : nil,
      UnfinishedFrame(format: format, in: file),
      MarkedPackets(format: format, tracks: tracks, in: file),
      MisreadStreams(misread),
    ]
    all = candidates.compactMap { $0 }
  }

  mutating func see(_ packet: inout PacketFacts) -> PacketStanding {
    // Most formats call for none.
    guard !all.isEmpty else { return .counted }
    var standing = PacketStanding.counted
    for index in all.indices {
      switch all[index].see(&packet) {
      case .counted: break
      case .behindEnd: return .behindEnd
      case let other: standing = other
      }
    }
    return standing
  }

  mutating func finish() -> [PacketFindings] { all.indices.map { all[$0].finish() } }
}

/// Streams that FFmpeg makes of something it does not support, which is read natively.
private struct MisreadStreams: PacketObserver {
  private let streams: Set<Int>

  /// `nil` for none.
  init?(_ streams: Set<Int>) {
    guard !streams.isEmpty else { return nil }
    self.streams = streams
  }

  func see(_ packet: inout PacketFacts) -> PacketStanding {
    streams.contains(packet.stream) ? .leftOut : .counted
  }
}
