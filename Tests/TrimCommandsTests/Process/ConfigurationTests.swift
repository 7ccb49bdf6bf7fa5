import Glibc
import Support
import Testing

@Suite(
  .enabled(if: BuiltTool.path != nil, BuiltTool.absence),
  .enabled(if: SystemTrace.isPossible, Comment(rawValue: SystemTrace.absence)),
  .timeLimit(.minutes(2)))
struct `Given a settings folder filled by someone else` {
  /// Each creates something that could be taken for a settings file.
  enum Trap: String, CaseIterable, Sendable {
    case empty, notJSON, huge, circle, pipe, folder

    func set(at path: String, in folder: ScratchFolder) throws {
      switch self {
      case .empty: try folder.write([], to: "trim/config.json")
      case .notJSON: try folder.write(Array("{\"a\": 1, \"a\": [".utf8), to: "trim/config.json")
      case .huge:
        try folder.write([], to: "trim/config.json")
        #expect(truncate(path, 1 << 30) == 0)
      case .circle: #expect(symlink("config.json", path) == 0)
      case .pipe: #expect(mkfifo(path, 0o600) == 0)
      case .folder: #expect(mkdir(path, 0o700) == 0)
      }
    }
  }

  @Test(arguments: Trap.allCases)
  func `then nothing in it is opened, since trim has no settings but its options`(
    _ trap: Trap
  ) async throws {
    let home = try ScratchFolder()
    #expect(mkdir(home.path(of: "trim"), 0o700) == 0)
    try trap.set(at: home.path(of: "trim/config.json"), in: home)
    let trace = try await SystemTrace(
      ["probe", SampleClips.path("chapters.mkv"), "--json"].map { Array($0.utf8) },
      environment: ["XDG_CONFIG_HOME": home.path, "HOME": home.path], folder: ScratchFolder())
    #expect(trace.run.status == 0)
    #expect(trace.openings(of: "config.json").isEmpty)
    #expect(trace.openings(of: home.path).allSatisfy { !$0.contains("trim/") })
  }
}
