/// What the packets of one track of coded sound say of it, and where that changes.
///
/// AAC with ADTS headers alone says it in every packet (ISO 14496-3, 1.A.2.2). Where a container, a decoder or an
/// encoder is told once, one description is for all packets that are written.
public struct SoundDescriptions: Hashable, Sendable {
  /// What packets say from one of them on.
  public struct Run: Hashable, Sendable {
    /// The place of its first packet.
    public var place: Int
    /// The AudioSpecificConfig that says the same (ISO 14496-3, 1.6.2.1).
    public var configuration: [UInt8]
    /// In Hz; `nil` where the codec has none of that number.
    public var sampleRate: Int?
    /// The channel configuration; 0 where the frames themselves tell it.
    public var channels: Int

    /// Creates what packets say from one place on.
    public init(place: Int, configuration: [UInt8], sampleRate: Int?, channels: Int) {
      self.place = place
      self.configuration = configuration
      self.sampleRate = sampleRate
      self.channels = channels
    }
  }

  /// The packets of a part of the plan.
  public struct Piece {
    /// Their places.
    public let packets: Range<Int>
    /// Whether they are decoded and encoded again.
    public let isEncoded: Bool

    /// Creates what a part takes of the track.
    public init(_ packets: Range<Int>, isEncoded: Bool) {
      self.packets = packets
      self.isEncoded = isEncoded
    }
  }

  /// Why packets cannot be written as one track.
  public enum Obstacle: Hashable, Sendable {
    /// What they say changes within a piece, at the packet of that place.
    case changesWithin(place: Int)
    /// Pieces differ.
    case differs
    /// What was found out at the beginning of the file is not so here.
    case unlikeBeginning
  }

  /// In the order of their places; empty where nothing is known, and one where nothing changes.
  public let runs: [Run]

  /// Creates what is known of a track.
  ///
  /// - Parameter runs: in the order of their places.
  public init(_ runs: [Run] = []) {
    self.runs = runs
  }

  /// What the packet of a place says.
  public func run(at place: Int) -> Run? { runs.last { $0.place <= place } ?? runs.first }

  /// Why pieces, in their order, cannot be written as one track; `nil` where they can.
  ///
  /// - Parameter keepsHeaders: each packet keeps what it says there.
  public func obstacle(to pieces: [Piece], keepsHeaders: Bool) -> Obstacle? {
    guard runs.count > 1, let first = runs.first, let piece = pieces.first,
      let told = run(at: piece.packets.lowerBound)
    else { return nil }
    if !keepsHeaders || pieces.contains(where: \.isEncoded) {
      for piece in pieces {
        if let run = runs.first(where: { piece.packets.dropFirst().contains($0.place) }) {
          return .changesWithin(place: run.place)
        }
      }
      let isOne = pieces.allSatisfy {
        run(at: $0.packets.lowerBound)?.configuration == told.configuration
      }
      guard isOne else { return .differs }
      if told.sampleRate != first.sampleRate { return .unlikeBeginning }
    }
    // The channels that frames tell were looked for at the beginning.
    let isAsAtFirst = told.configuration == first.configuration
    return isAsAtFirst || told.channels > 0 && first.channels > 0 ? nil : .unlikeBeginning
  }
}
