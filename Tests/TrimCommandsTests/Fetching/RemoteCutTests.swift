import Glibc
import Support
import Testing

/// A part of a film on a server of this machine, as a user cuts it: planned and written by a sealed process, which
/// asks for what it needs.
@Suite(
  .enabled(if: BatchRun.harness != nil, BatchRun.absence),
  .enabled(if: access("/usr/bin/ffmpeg", X_OK) == 0, "ffmpeg's command is not installed"),
  .timeLimit(.minutes(1)))
struct `Given a film on a server of which a part is cut` {
  private static func film(_ folder: ScratchFolder, _ name: String) async throws -> [UInt8] {
    // Where B-frames do not keep the depth of reordering that the header states, all of Matroska is read.
    let isMovie = name.hasSuffix(".mp4")
    let run = try await ProgramRun(
      ([
        "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
        "testsrc2=s=240x160:r=25:d=8,noise=alls=80:allf=t", "-f", "lavfi", "-i",
        "sine=f=440:r=48000:d=8", "-c:v", "libx264", "-preset", "ultrafast", "-bf",
        isMovie ? "2" : "0",
        "-g", "25", "-sc_threshold", "0", "-threads", "1", "-qp", "7", "-pix_fmt", "yuv420p",
        "-c:a", "aac",
      ] + (isMovie ? ["-movflags", "empty_moov+frag_keyframe"] : [])
        + [folder.path(of: name)]).map { Array($0.utf8) }, limit: .seconds(60))
    try #require(run.status == 0, "\(run.errText)")
    return try fileBytes(folder.path(of: name))
  }

  @Test(arguments: ["fragmented.mp4", "cues.mkv"])
  func `then it takes four requests and the bytes of its part`(
    _ name: String
  ) async throws {
    let folder = try ScratchFolder()
    let bytes = try await Self.film(folder, name)
    #expect(bytes.count > 9 << 20)
    let server = try ScriptedServer { _, request in
      let range = (request.range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
      let stated = "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
      return [
        .text(
          "HTTP/1.1 206 P\r\n\(stated)\r\nContent-Length: \(range.count)\r\nETag: \"a\"\r\n\r\n"),
        .send(Array(bytes[range])),
      ]
    }
    let harness = try #require(BatchRun.harness)
    func cut(_ source: String, to output: String) async throws -> [UInt8] {
      let run = try await ProgramRun(
        [
          harness, "cut", source, "--from", "3.3", "--to", "4.3", "--allow-private-network", "-o",
          output,
        ].map { Array($0.utf8) }, environment: ["LANG": "C.UTF-8"], folder: folder.path)
      #expect(run.status == 0, "\(run.errText)")
      return try fileBytes(folder.path(of: output))
    }
    let ending = name.suffix(4)
    let remote = try await cut("http://127.0.0.1:\(server.port)/\(name)", to: "remote" + ending)
    let requests = server.requests
    #expect(requests.count <= 4, "\(requests.map { $0.value("range") ?? "" })")
    #expect(requests.reduce(0) { $0 + ($1.range?.count ?? bytes.count) } < bytes.count * 3 / 4)
    #expect(try await remote == cut(folder.path(of: name), to: "local" + ending))
  }
}
