/// What the packets of a compressed audio track state about its format, and where that changes.
///
/// AAC with ADTS headers states it in every packet (ISO 14496-3, 1.A.2.2). Where a container, a decoder or an
/// encoder is configured once, one description has to fit all packets that are written.
public struct AudioDescriptions: Hashable, Sendable {
  /// What packets state from one packet on.
  public struct Run: Hashable, Sendable {
    /// The index of its first packet.
    public var place: Int
    /// The equivalent AudioSpecificConfig (ISO 14496-3, 1.6.2.1).
    public var configuration: [UInt8]
    /// The sample rate in Hz; `nil` where the codec assigns none to that index.
    public var sampleRate: Int?
    /// The channel configuration; 0 where it is stated in the frames themselves.
    public var channels: Int

    /// Creates a run of packets that starts at an index.
    public init(place: Int, configuration: [UInt8], sampleRate: Int?, channels: Int) {
      self.place = place
      self.configuration = configuration
      self.sampleRate = sampleRate
      self.channels = channels
    }
  }

  /// The packets that a part of the plan uses.
  public struct Piece {
    /// Their indices.
    public let packets: Range<Int>
    /// Whether they are decoded and encoded again.
    public let isEncoded: Bool

    /// Creates the packets that a part takes from the track.
    public init(_ packets: Range<Int>, isEncoded: Bool) {
      self.packets = packets
      self.isEncoded = isEncoded
    }
  }

  /// Why packets cannot be written as one track.
  public enum Obstacle: Hashable, Sendable {
    /// The description changes within a piece, at the packet with that index.
    case changesWithin(place: Int)
    /// Pieces have different descriptions.
    case differs
    /// The description differs from the one found at the beginning of the file.
    case unlikeBeginning
  }

  /// The runs in order; empty where nothing is known, a single one where nothing changes.
  public let runs: [Run]

  /// Creates the descriptions of a track.
  ///
  /// - Parameter runs: in order.
  public init(_ runs: [Run] = []) {
    self.runs = runs
  }

  /// The run that contains the packet at an index.
  public func run(at place: Int) -> Run? { runs.last { $0.place <= place } ?? runs.first }

  /// Why pieces, in order, cannot be written as one track; `nil` where they can.
  ///
  /// - Parameter keepsHeaders: each packet keeps its header in the output.
  public func obstacle(to pieces: [Piece], keepsHeaders: Bool) -> Obstacle? {
    guard runs.count > 1, let first = runs.first, let piece = pieces.first,
      let reported = run(at: piece.packets.lowerBound)
    else { return nil }
    if !keepsHeaders || pieces.contains(where: \.isEncoded) {
      for piece in pieces {
        if let run = runs.first(where: { piece.packets.dropFirst().contains($0.place) }) {
          return .changesWithin(place: run.place)
        }
      }
      let isOne = pieces.allSatisfy {
        run(at: $0.packets.lowerBound)?.configuration == reported.configuration
      }
      guard isOne else { return .differs }
      if reported.sampleRate != first.sampleRate { return .unlikeBeginning }
    }
    // Channels stated in the frames were determined only at the beginning.
    let isAsAtFirst = reported.configuration == first.configuration
    return isAsAtFirst || reported.channels > 0 && first.channels > 0 ? nil : .unlikeBeginning
  }
}
