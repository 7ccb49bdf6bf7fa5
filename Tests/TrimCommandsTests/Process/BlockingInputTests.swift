import Glibc
import Support
import Testing

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given an input that might never answer` {
  @Suite struct `When it is given by name` {
    @Test(arguments: [
      "/dev/zero", "/dev/null", "/dev/tty", "/dev/random", "/proc/self/mem", "/proc/cpuinfo",
      "/proc/kmsg", "/tmp",
    ])
    func `then what is not a regular file is refused at once`(_ path: String) async throws {
      let run = try await BuiltTool.run("probe", path)
      // A missing terminal or an unreadable log is also a refusal.
      expectHarmless(run, statuses: [66, 77])
      #expect(run.out.isEmpty)
    }

    @Test(arguments: [false, true])
    func `then a pipe without a writer or with a silent one is refused`(hasWriter: Bool)
      async throws
    {
      let folder = try ScratchFolder()
      let path = folder.path(of: "clip.mp4")
      try #require(mkfifo(path, 0o600) == 0)
      let writer = hasWriter ? open(path, O_RDWR | O_NONBLOCK) : -1
      defer { if writer >= 0 { close(writer) } }
      let run = try await BuiltTool.run("probe", path)
      expectHarmless(run, statuses: [66])
      #expect(run.errText.contains("a pipe, not a regular file"))
    }

    @Test func `then a socket is refused`() async throws {
      let folder = try ScratchFolder()
      let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(socket) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) {
        $0.copyBytes(from: folder.path(of: "clip.mp4").utf8)
      }
      let bound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(bound == 0)
      let run = try await BuiltTool.run("probe", folder.path(of: "clip.mp4"))
      expectHarmless(run, statuses: [66])
    }
  }

  @Suite struct `When it comes through standard input` {
    @Test func `then waiting for a silent writer times out`() async throws {
      let clip = try SampleClips.bytes("broadcast.ts")
      let run = try await BuiltTool.run(
        "probe", "--timeout", "1", "-", input: .stalling(Array(clip.prefix(1024))),
        limit: .seconds(60))
      expectHarmless(run, statuses: [75])
      #expect(run.errText.contains("1024 bytes"))
    }

    @Test(arguments: ["broadcast.ts", "chapters.mkv", "under-limit.mp4", "fragmented.mp4"])
    func `then a file sent byte by byte has the same facts as the file`(_ name: String) async throws
    {
      let bytes = try SampleClips.bytes(name)
      let piped = try await BuiltTool.run("probe", "--json", "-", input: .pieces(bytes, of: 1))
      let named = try await BuiltTool.run("probe", "--json", SampleClips.path(name))
      expectHarmless(piped, statuses: [0])
      func facts(_ run: ProgramRun) -> [Substring] {
        run.outText.split(separator: "\n").filter {
          !$0.contains("\"path") && !$0.contains("\"seekable\"")
        }
      }
      #expect(facts(piped) == facts(named))
      #expect(piped.outText.contains("\"seekable\": false"))
      #expect(named.outText.contains("\"seekable\": true"))
    }

    @Test func `then a regular file is read in place`() async throws {
      let run = try await BuiltTool.run(
        "probe", "--json", "-", input: .file(SampleClips.path("broadcast.ts")))
      expectHarmless(run, statuses: [0])
      #expect(run.outText.contains("\"seekable\": true"))
    }

    @Test(arguments: ["/dev/zero", "/tmp", "/dev/null"])
    func `then anything that is neither file nor pipe is refused`(_ path: String) async throws {
      let run = try await BuiltTool.run("probe", "-", input: .file(path))
      expectHarmless(run, statuses: [66])
    }

    @Test func `then empty input is not media`() async throws {
      let run = try await BuiltTool.run(
        "probe", "-", input: .pieces([], of: 1))
      expectHarmless(run, statuses: [65])
    }
  }
}
