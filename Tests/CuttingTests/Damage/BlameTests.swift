import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

/// The unit lengths of one packet do not match its size.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(2)))
struct `Given a proof that fails on a damaged source` {
  private static let damaged = 40

  private func proof(
    of frames: Range<Int>, in folder: ScratchFolder,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) async throws -> CutProof {
    let path = try await EncodedClip.named("H.264, closed groups").make(in: folder)
    let intact = try `Given a file made by an encoder`.open(path)
    let table = try #require(intact.native).table(ofTrack: 0)
    var bytes = try fileBytes(path)
    let place = Int(try #require(table.offset(Self.damaged)))
    bytes.replaceSubrange(place..<place + 4, with: [0x7F, 0xFF, 0xFF, 0xFF])
    try folder.write(bytes, to: "damaged.mp4")
    let clip = try FileCutter(isCancelled: { false }).open(
      .file(path: Array(folder.path(of: "damaged.mp4").utf8)))
    let range = try `Given a file made by an encoder`.range(frames)
    return try clip.copyProof(of: range, in: .mp4, isCancelled: isCancelled)
  }

  @Test func `when the packet that differs is damaged then the source is blamed, with the place`()
    async throws
  {
    let folder = try ScratchFolder()
    let proof = try await proof(of: 0..<80, in: folder)
    let place = try #require(proof.tracks[0].packets.firstIndex { $0.place == Self.damaged })
    let error = proof.blamed(proof.failure("it differs", 0, place))
    #expect(error.code == .damaged)
    #expect(error.times != nil)
  }

  @Test func `when the search for the cause is cancelled then that is reported`() async throws {
    let folder = try ScratchFolder()
    let proof = try await proof(of: 0..<80, in: folder, isCancelled: { true })
    #expect(proof.blamed(proof.failure("it differs", 0)).code == .cancelled)
  }

  @Test func `when it differs before that then the program is blamed`() async throws {
    let folder = try ScratchFolder()
    let proof = try await proof(of: 0..<80, in: folder)
    let place = try #require(proof.tracks[0].packets.firstIndex { $0.place == Self.damaged - 10 })
    #expect(proof.blamed(proof.failure("it differs", 0, place)).code == .verificationFailed)
  }

  @Test func `when the damage is outside the part then the program is blamed`() async throws {
    let folder = try ScratchFolder()
    let proof = try await proof(of: 50..<80, in: folder)
    #expect(!proof.tracks[0].packets.contains { $0.place == Self.damaged })
    #expect(proof.blamed(proof.failure("it differs", 0)).code == .verificationFailed)
  }
}
