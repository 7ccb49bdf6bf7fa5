import ExactTime
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a cut that was written` {
  /// What goes wrong between the plan and the file.
  enum Fault: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case none, droppedPacket, doubledPacket, swappedTimes, movedTime, changedByte
    case changedEdgeByte, otherPacket

    var testDescription: String {
      switch self {
      case .none: "nothing"
      case .droppedPacket: "a packet is missing"
      case .doubledPacket: "a packet is there twice"
      case .swappedTimes: "two packets have each other's times"
      case .movedTime: "a packet is shown one tick late"
      case .changedByte: "one bit of a copied packet differs"
      case .changedEdgeByte: "one bit of an encoded packet differs"
      case .otherPacket: "a packet of another frame is in its place"
      }
    }

    /// Changes the planned tracks into those that are written.
    func apply(to tracks: inout [OutputTrack]) {
      switch self {
      case .droppedPacket: tracks[0].packets.remove(at: 20)
      case .doubledPacket:
        var packet = tracks[0].packets[tracks[0].packets.count - 1]
        packet.pts += packet.duration
        packet.dts += packet.duration
        tracks[0].packets.append(packet)
      case .swappedTimes:
        let time = tracks[0].packets[20].pts
        tracks[0].packets[20].pts = tracks[0].packets[21].pts
        tracks[0].packets[21].pts = time
      case .movedTime: tracks[0].packets[20].pts += 1
      case .otherPacket: tracks[0].packets[20].payload = tracks[0].packets[21].payload
      case .none, .changedByte, .changedEdgeByte: break
      }
      if self == .otherPacket { tracks[0].packets[20].byteCount = tracks[0].packets[21].byteCount }
    }

    /// The packet in which one bit is flipped in the file.
    var changedPacket: Int? {
      switch self {
      case .changedByte: 20
      case .changedEdgeByte: 2
      default: nil
      }
    }
  }

  @Test(
    arguments: Fault.allCases,
    ["", " with a pyramid"].map { EncodedClip.named("H.264, closed groups" + $0) })
  func `when it is proven then the proof reports what differs from the plan`(
    _ fault: Fault, _ encoded: EncodedClip
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await encoded.make(in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let request = CutRequest(range: try `Given a file made by an encoder`.range(5..<80))
    let plan = try clip.plan(request, for: .mp4)
    let spool = PayloadSpool()
    let planned = try CutAssembly(
      source: clip.source, plan: plan, number: 0, spool: spool, limits: .standard,
      isCancelled: { false }
    ).tracks()
    var tracks = planned
    fault.apply(to: &tracks)
    var written = try WrittenTracks(
      tracks, of: clip.source, spool, to: folder.path(of: "cut.mp4"))
    if fault == .otherPacket {
      // What should have been written.
      written.fingerprints[0][20] &+= 1
    }
    if let place = fault.changedPacket {
      try Self.turnBit(inPacket: place, of: written.path, in: folder)
    }
    if fault == .none {
      try written.prove(planned)
    } else {
      let error = #expect(throws: MediaError.self) { try written.prove(planned) }
      #expect(error?.code == .verificationFailed)
      #expect(error?.message.isEmpty == false)
    }
  }

  /// Flips one bit in the middle of a packet.
  private static func turnBit(
    inPacket place: Int, of path: String, in folder: ScratchFolder
  ) throws {
    let written = try `Given a file made by an encoder`.open(path)
    try written.prepare([0: [place..<place + 1]])
    let packet = try written.bytes(ofTrack: 0, place)
    var file = try fileBytes(path)
    let start = try #require(file.firstRange(of: packet)?.lowerBound)
    file[start + packet.count / 2] ^= 0x10
    try folder.write(file, to: "cut.mp4")
  }
}
