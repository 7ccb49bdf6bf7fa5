import Libav
import MediaFiles

/// A quirk of an input format that its packets show, one after another, in file order.
///
/// A new one gets a type of its own and a place in ``PacketObservers``.
protocol PacketObserver {
  /// Looks at a packet, whose times are already corrected; it may mark it as corrupt.
  mutating func see(_ packet: inout PacketFacts) -> PacketStanding
  /// Adds what was found, once all packets have been seen.
  mutating func finish(_ probe: inout PacketProbe)
}

extension PacketObserver {
  mutating func finish(_ probe: inout PacketProbe) {}
}

/// What a packet is to the scan.
enum PacketStanding {
  /// One of the stream's.
  case counted
  /// The same, but something may be missing in front of it.
  case behindGap
  /// Something else, misread by FFmpeg.
  case leftOut
  /// Behind the end of what is presented: nothing more is read.
  case behindEnd
}

/// Those that a format calls for, in the order in which they look.
struct PacketObservers {
  private var all: [any PacketObserver]

  /// - Parameters:
  ///   - misread: the packets of streams that are read natively.
  ///   - isComplete: the file is read from its first packet to the last.
  init(
    format: String, streams: Set<Int>, in file: InputFile, misread: Set<Int>, isComplete: Bool
  ) {
    let candidates: [(any PacketObserver)?] = [
      FLVEnd(format: format, file),
      MXFEnd(format: format, file),
      isComplete ? MatroskaGaps(format: format, streams: streams, in: file) : nil,
      UnfinishedFrame(format: format),
      MarkedPackets(format: format),
      MisreadStreams(misread),
    ]
    all = candidates.compactMap { $0 }
  }

  mutating func see(_ packet: inout PacketFacts) -> PacketStanding {
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

  mutating func finish(_ probe: inout PacketProbe) {
    for index in all.indices { all[index].finish(&probe) }
  }
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
