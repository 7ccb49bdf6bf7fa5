import ExactTime
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(2)))
struct `Given re-encoded pictures that decode without errors` {
  /// Encoders; the coded size of both kinds is larger than what is shown.
  private static let encoders = [
    ["libx264", "-preset", "fast", "-x264-params", "keyint=25:min-keyint=25:scenecut=0"],
    [
      "libx265", "-preset", "fast", "-tag:v", "hvc1", "-x265-params",
      "log-level=none:keyint=25:min-keyint=25:scenecut=0:open-gop=0",
    ],
  ]

  private func open(
    _ picture: String, _ encoder: [String], _ name: String, in folder: ScratchFolder
  ) async throws -> OpenedFile {
    let path = folder.path(of: name)
    _ = try await EncodedClip.ffmpeg(
      [
        "-v", "error", "-f", "lavfi", "-i", "\(picture)size=174x142:rate=25,trim=end_frame=75",
        "-pix_fmt", "yuv420p", "-c:v",
      ] + encoder + [path])
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
  }

  /// The tracks of a cut from within the first GOP to within the last.
  private func tracks(of file: OpenedFile, _ spool: PayloadSpool) throws -> [OutputTrack] {
    let request = CutRequest(range: try `Given a file made by an encoder`.range(5..<70))
    return try CutAssembly(
      source: file.source, plan: try file.plan(request, for: .mp4), number: 0, spool: spool,
      limits: .standard, isCancelled: { false }
    ).tracks()
  }

  @Test(arguments: encoders, [false, true])
  func `when they are not the pictures that were encoded then the proof reports it`(
    _ encoder: [String], _ isWrong: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let file = try await open("testsrc2=", encoder, "clip.mp4", in: folder)
    let other = try await open("color=c=white:", encoder, "other.mp4", in: folder)
    let spool = PayloadSpool()
    var planned = try tracks(of: file, spool)
    if isWrong {
      for (place, packet) in try tracks(of: other, spool)[0].packets.enumerated()
      where packet.isMade {
        planned[0].packets[place].payload = packet.payload
        planned[0].packets[place].byteCount = packet.byteCount
      }
    }
    let written = try WrittenTracks(
      planned, of: file.source, spool, to: folder.path(of: "cut.mp4"))
    guard isWrong else {
      try written.prove(planned)
      return
    }
    let error = #expect(throws: MediaError.self) { try written.prove(planned) }
    #expect(error?.code == .verificationFailed)
    #expect(error?.message.contains("not the one that was encoded") == true)
  }
}
