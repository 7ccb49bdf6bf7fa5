import Support
import Testing

/// However a cut is interrupted, the output is absent, unchanged or complete, and nothing else is
/// left.
@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(Sample.limit))
struct `Given a cut that is interrupted` {
  private static let clip = SampleClips.path("b-frames.mp4")
  static let canMount = SystemAbility.succeeds(
    "unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt")
  private static let cut = ["cut", clip, "--from", "0.4", "--to", "3.2"]

  /// Runs a script of bash in a folder; `$0` is the tool, the file's part follows, then the rest.
  private static func script(
    _ text: String, in folder: ScratchFolder, _ rest: [String] = []
  ) async throws -> ProgramRun {
    let tool = try #require(BuiltTool.path)
    return try await ProgramRun(
      (["bash", "-c", text, tool] + rest).map { Array($0.utf8) }, folder: folder.path,
      limit: .seconds(400))
  }

  /// What the cut writes when nothing disturbs it.
  private static func whole() async throws -> [UInt8] {
    let folder = try ScratchFolder()
    let output = folder.path(of: "whole.mp4")
    let run = try await BuiltTool.run((cut + ["-o", output]).map { Array($0.utf8) })
    try #require(run.status == 0, "\(run.errText)")
    return try fileBytes(output)
  }

  /// Instants up to about twice as long as the cut takes.
  private static func instants(_ count: Int) -> [String] {
    var random = Sample.generator(5)
    return (0..<count).map { _ in
      let milliseconds = Int.random(in: 1...250, using: &random)
      return "0.\(String(repeating: "0", count: 3 - "\(milliseconds)".count))\(milliseconds)"
    }
  }

  @Test(arguments: [("KILL", 137), ("TERM", 143), ("INT", 130)])
  func `when a signal ends it then the output is absent, unchanged or complete`(
    _ signal: (name: String, status: Int)
  ) async throws {
    let folder = try ScratchFolder()
    let whole = try await Self.whole()
    try folder.write(Array("mine".utf8), to: "old.mp4")
    try folder.write(whole, to: "whole.mp4")
    let text = """
      for instant in "$@"; do
        for name in new old; do
          timeout --foreground --preserve-status -s \(signal.name) "$instant" \
            "$0" \(Self.cut.map { "'\($0)'" }.joined(separator: " ")) -f -o $name.mp4 \
            >out 2>err
          status=$?
          [[ $status == 0 || $status == \(signal.status) ]] || { echo "status $status"; cat err; }
          [[ $name == old && $(<old.mp4) == mine ]] 2>err || [[ ! -e $name.mp4 ]] ||
            cmp $name.mp4 whole.mp4
          [[ $status == 0 ]] && cmp $name.mp4 whole.mp4
          rm -f new.mp4 out err
          printf mine >old.mp4
          # Killed between the two steps of replacing, it leaves the whole result under its hidden
          # name, which the next cut takes away.
          for left in .old.mp4.trim-*; do
            [[ $status == 137 ]] && cmp -s "$left" whole.mp4 && rm "$left"
          done
          [[ $(ls -A | tr '\\n' ' ') == 'old.mp4 whole.mp4 ' ]] || ls -A
        done
      done
      """
    let run = try await Self.script(
      text, in: folder,
      Self.instants(
        signal.name == "KILL" ? Sample.count(12, ofAll: 100) : Sample.count(4, ofAll: 20)))
    #expect(run.status != nil)
    #expect(run.outText.isEmpty, "\(run.outText)")
  }

  @Test(arguments: [1, 16, 40])
  func `when its file size is limited then the error says so, and nothing is left`(
    _ kibibytes: Int
  ) async throws {
    let folder = try ScratchFolder()
    let run = try await Self.script(
      "ulimit -f \(kibibytes); exec \"$0\" \"$@\" -o o.mp4", in: folder, Self.cut)
    #expect(run.status == 74, "\(run.errText)")
    #expect(run.errText.contains("o.mp4"))
    #expect(folder.names.isEmpty)
  }

  @Test(
    .enabled(if: Self.canMount, "no name space of one's own can be made here"),
    arguments: [(options: "size=32k", status: 74), (options: "ro", status: 77)])
  func `when its folder is full or read-only then the error says so, and nothing is left`(
    _ place: (options: String, status: Int32)
  ) async throws {
    let folder = try ScratchFolder()
    let text = """
      mkdir place
      unshare --user --map-root-user --mount bash -c '
        mount -t tmpfs -o \(place.options) none place || exit 99
        "$0" "$@" -o place/o.mp4; status=$?
        ls -A place
        exit $status' "$0" "$@"
      status=$?
      rmdir place
      exit $status
      """
    let run = try await Self.script(text, in: folder, Self.cut)
    #expect(run.status == place.status, "\(run.errText)")
    #expect(run.outText.isEmpty, "\(run.outText)")
    #expect(run.errText.contains("o.mp4"))
  }

  @Test func `when its standard output is full then the file is still whole`() async throws {
    let folder = try ScratchFolder()
    let run = try await Self.script(
      "\"$0\" \"$@\" -o o.mp4 >/dev/full", in: folder, Self.cut)
    #expect(run.status == 74)
    #expect(folder.names == [Array("o.mp4".utf8)])
    #expect(try await fileBytes(folder.path(of: "o.mp4")) == Self.whole())
  }
}
