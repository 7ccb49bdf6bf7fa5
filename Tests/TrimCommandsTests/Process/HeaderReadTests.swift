import Support
import Testing

@Suite(
  .enabled(if: BuiltTool.path != nil, BuiltTool.absence),
  .enabled(if: SystemTrace.isPossible, Comment(rawValue: SystemTrace.absence)),
  .timeLimit(.minutes(1)))
struct `Given an MP4 with a large header at its end` {
  private let folder: ScratchFolder
  private let path: String
  private let header: Range<Int>

  init() throws {
    folder = try ScratchFolder()
    var bytes = try SampleClips.bytes("b-frames.mp4")
    let type = try #require(bytes.firstRange(of: Array("moov".utf8)))
    let size = bytes[type.lowerBound - 4..<type.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    let movie = Array(bytes[type.upperBound..<type.lowerBound - 4 + size])
    bytes.replaceSubrange(type, with: Array("free".utf8))
    let start = bytes.count
    let room = BoxBuilder("free", fields: [.bytes([UInt8](repeating: 0, count: 1 << 20))])
    bytes += BoxBuilder("moov", fields: [.bytes(movie), .bytes(room.bytes)]).bytes
    header = start..<bytes.count
    path = try folder.write(bytes, to: "large.mp4")
  }

  @Test func `when it is cut with an encoded edge, then each process reads the header once`()
    async throws
  {
    let trace = try await SystemTrace(
      ["cut", path, "--from", "0.6", "--to", "2.5", "-o", folder.path(of: "cut.mp4")]
        .map { Array($0.utf8) }, folder: folder, tracing: "pread64")
    #expect(trace.run.status == 0, Comment(rawValue: trace.run.errText))
    #expect(trace.run.outText.contains("re-encoded"))
    var read: [Substring: Int] = [:]
    for call in trace.calls where call.contains("large.mp4>") {
      // PID pread64(FILE, BYTES, COUNT, OFFSET) = RESULT
      let result = call.split(separator: " = ").last.flatMap { Int($0) }
      let offset = call.split(separator: ")").last.flatMap { _ in
        call.split(separator: ", ").last?.split(separator: ")").first.flatMap { Int($0) }
      }
      guard let result, let offset, let process = call.split(separator: " ").first else { continue }
      read[process, default: 0] += (offset..<offset + result).clamped(to: header).count
    }
    #expect(read.count == 2)
    // And some fields of it, which are looked at before it is.
    for count in read.values { #expect((header.count..<header.count * 5 / 4).contains(count)) }
  }
}
