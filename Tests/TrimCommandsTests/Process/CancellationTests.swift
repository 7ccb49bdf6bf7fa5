import Support
import Testing

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given a probe that takes a long time` {
  @Test(arguments: [("INT", 130, "interrupted"), ("TERM", 143, "terminated")])
  func `then a signal ends it, and nothing is left`(
    _ signal: (name: String, status: Int32, word: String)
  ) async throws {
    let folder = try ScratchFolder()
    let tool = try #require(BuiltTool.path)
    // Its input is a pipe that stays open. More is written to it than it holds, so the tool is
    // reading when the signal is sent.
    let script = """
      mkfifo pipe
      env --default-signal "$0" probe - <pipe & process=$!
      exec 4>pipe
      head -c 300000 /dev/zero >&4
      kill -\(signal.name) $process
      wait $process; status=$?
      rm pipe
      exit $status
      """
    let run = try await ProgramRun(
      ["bash", "-c", script, tool].map { Array($0.utf8) }, folder: folder.path,
      limit: .seconds(60))
    expectHarmless(run, statuses: [signal.status])
    #expect(run.errText.contains(signal.word))
    #expect(run.out.isEmpty)
    #expect(folder.names.isEmpty)
  }

  /// Segment indexes, which take FFmpeg quadratic time in their number, in a single step.
  private static func indices(_ count: Int) throws -> [UInt8] {
    var bytes = try SampleClips.bytes("fragmented.mp4")
    let place = try #require(bytes.firstRange(of: Array("moof".utf8))).lowerBound - 4
    let segments: UInt32 = 60_000
    var all: [UInt8] = []
    func bigEndian(_ values: [UInt32]) -> [UInt8] {
      values.flatMap { value in withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    }
    func add(_ values: [UInt32]) { all += bigEndian(values) }
    let entry = bigEndian([100, 1, 0x9000_0000])
    let entries = Array(repeatElement(entry, count: Int(segments)).joined())
    for number in 0..<UInt32(count) {
      add([32 + 12 * segments])
      all += Array("sidx".utf8)
      let left = UInt32(count) - 1 - number
      add([0, 1, 1000, number * segments, left * 6_000_000, segments])
      all += entries
    }
    bytes.insert(contentsOf: all, at: place)
    return bytes
  }

  @Test(arguments: ["1", "2"])
  func `then its timeout ends it inside an endless step`(_ seconds: String) async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Self.indices(10), to: "indices.mp4")
    let run = try await BuiltTool.run(
      "probe", "--depth", "packets", "--timeout", seconds, path)
    expectHarmless(run, statuses: [75], peakBytes: 450 << 20)
    #expect(run.errText.contains("--timeout"))
  }

  @Test(arguments: ["packets", "frames"])
  func `then its timeout ends it`(_ depth: String) async throws {
    let run = try await BuiltTool.run(
      "probe", "--depth", depth, "--timeout", "0.001", SampleClips.path("broadcast.ts"))
    expectHarmless(run, statuses: [75], peakBytes: 450 << 20)
    #expect(run.errText.contains("--timeout"))
  }
}
