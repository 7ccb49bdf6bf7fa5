import Support
import Testing

/// Bytes that act on a terminal, hide, or are not text.
private let hostile: [(name: String, bytes: [UInt8])] = [
  ("a window title", Array("\u{1B}]0;owned\u{07}".utf8)),
  ("the clipboard", Array("\u{1B}]52;c;ZXZpbA==\u{07}".utf8)),
  ("a link", Array("\u{1B}]8;;http://evil\u{1B}\\x\u{1B}]8;;\u{1B}\\".utf8)),
  ("clearing the screen", Array("\u{1B}[2J\u{1B}7\u{1B}c".utf8)),
  ("C1 in eight bits", [0x9B, 0x32, 0x4A, 0x9D, 0x41]),
  ("C1 in UTF-8", [0xC2, 0x9B, 0x32, 0x4A, 0xC2, 0x85]),
  ("turned around", Array("\u{202E}4pm.exe\u{2066}\u{2029}".utf8)),
  ("no UTF-8", [0xFF, 0xFE, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80]),
  ("line ends", Array("a\nb\rc\u{0B}d\u{08}\u{08}\u{7F}".utf8)),
  ("unseen letters", Array("a\u{200B}\u{FEFF}\u{E0041}b".utf8)),
]

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given untrusted text` {
  @Suite struct `When it is the name of a file` {
    @Test(arguments: hostile.map(\.name), [[], ["--json"], ["--jsonl"]])
    func `then the file is found, and its name is shown and not interpreted`(
      _ name: String, _ options: [String]
    ) async throws {
      let folder = try ScratchFolder()
      let bytes = try #require(hostile.first { $0.name == name }).bytes.filter {
        $0 != 0x2F && $0 != 0
      }
      let path = try folder.write(SampleClips.bytes("under-limit.mp4"), to: bytes)
      let run = try await BuiltTool.run((["probe"] + options).map { Array($0.utf8) } + [path])
      expectHarmless(run, statuses: [0])
      let missing = try await BuiltTool.run([Array("probe".utf8), path + [0x78]])
      expectHarmless(missing, statuses: [66])
    }

    @Test func `then JSON keeps a name that is not valid text byte for byte`() async throws {
      let folder = try ScratchFolder()
      let path = try folder.write(SampleClips.bytes("under-limit.mp4"), to: [0x66, 0xFC, 0x72])
      let run = try await BuiltTool.run([Array("probe".utf8), Array("--json".utf8), path])
      expectHarmless(run, statuses: [0])
      #expect(run.outText.contains("\"path_b64\""))
    }
  }

  @Suite struct `When it is in the file` {
    /// A file with the text as title, comment, handler and chapter.
    private func mp4(_ text: [UInt8]) -> [UInt8] {
      func item(_ type: String) -> BoxBuilder {
        BoxBuilder(
          type, [BoxBuilder("data", fields: [.u32(1), .u32(0), .bytes(text)])])
      }
      var clip = ClipBuilder()
      let list = BoxBuilder("ilst", [item("©nam"), item("©cmt"), item("----")])
      let chapter = BoxBuilder(
        "chpl",
        fields: [
          .full(1), .u32(0), .u8(1), .u64(0), .u8(UInt8(text.count)), .bytes(text),
        ])
      clip.movieBoxes = [
        BoxBuilder("udta", [BoxBuilder("meta", fields: [.full()], [list]), chapter])
      ]
      clip.tracks[0].trackBoxes = [BoxBuilder("udta", [BoxBuilder("name", fields: [.bytes(text)])])]
      return clip.bytes
    }

    /// A file with the text as a track's language and name, and as a chapter's (RFC 9559, 5.1.4
    /// and 5.1.7).
    private func matroska(_ text: [UInt8]) -> [UInt8] {
      let display = EBMLBuilder.element(
        0x80, EBMLBuilder.element(0x85, text) + EBMLBuilder.element(0x437C, text))
      let chapter =
        EBMLBuilder.number(0x73C4, 1) + EBMLBuilder.number(0x91, 0)
        + EBMLBuilder.number(0x92, 1_000_000_000) + display
      let edition = EBMLBuilder.element(0x45B9, EBMLBuilder.element(0xB6, chapter))
      return EBMLBuilder.clip(
        tags: [],
        inTrack: EBMLBuilder.element(0x22_B59C, text) + EBMLBuilder.element(0x536E, text),
        inSegment: EBMLBuilder.element(0x1043_A770, edition))
    }

    private func run(_ clip: [UInt8], _ options: [String]) async throws -> ProgramRun {
      let folder = try ScratchFolder()
      let path = try folder.write(clip, to: "clip")
      return try await BuiltTool.run((["probe", "-v"] + options + [path]).map { Array($0.utf8) })
    }

    @Test(arguments: Sample.of(hostile.map(\.name), 4), [[], ["--json"], ["--plain"]])
    func `then none of its control characters are output`(
      _ name: String, _ options: [String]
    ) async throws {
      let text = try #require(hostile.first { $0.name == name }).bytes
      for clip in [
        mp4(text), EBMLBuilder.clip(tags: [("TITLE", text), ("COMMENT", text)]),
        EBMLBuilder.clip(tags: [], codec: "V_" + String(decoding: text, as: UTF8.self)),
        matroska(text),
      ] {
        expectHarmless(try await run(clip, options), statuses: [0, 65])
      }
    }

    @Test(
      .enabled(
        if: SystemAbility.succeeds("script", "-qec", "true", "/dev/null"),
        "script (bsdutils) is missing or not allowed here"),
      arguments: hostile.map(\.name))
    func `then a terminal gets none of its control characters either`(_ name: String) async throws {
      let text = try #require(hostile.first { $0.name == name }).bytes
      let folder = try ScratchFolder()
      _ = try folder.write(mp4(text), to: "clip")
      let tool = try #require(BuiltTool.path)
      let run = try await ProgramRun(
        ["script", "-qec", "\(tool) probe -v clip", "/dev/null"].map { Array($0.utf8) },
        environment: ["NO_COLOR": "1", "TERM": "xterm"], folder: folder.path)
      #expect(run.status == 0)
      // On a terminal, lines end with two characters.
      let seen = run.out.filter { $0 != 0x0D }
      #expect(!seen.isEmpty)
      #expect(seen.allSatisfy { $0 == 0x0A || $0 >= 0x20 && $0 != 0x7F })
      let shown = try #require(String(validating: seen, as: UTF8.self))
      #expect(shown.unicodeScalars.allSatisfy { !(0x80...0x9F).contains($0.value) })
    }

    @Test(arguments: [24, 80])
    func `then ten megabytes of it are truncated to the terminal's width`(_ columns: Int)
      async throws
    {
      let folder = try ScratchFolder()
      let text = Bombs.repeated(hostile.flatMap { $0.bytes + [0x00] }, count: 60_000)
      var clip = ClipBuilder()
      let item = BoxBuilder(
        "\u{A9}nam", [BoxBuilder("data", fields: [.u32(1), .u32(0), .bytes(text)])])
      let list = BoxBuilder("ilst", [item])
      clip.movieBoxes = [BoxBuilder("udta", [BoxBuilder("meta", fields: [.full()], [list])])]
      let path = try folder.write(clip.bytes, to: "clip")
      let terminal = try PseudoTerminal(columns: Int32(columns))
      let tool = try ChildProcess(
        "trim", arguments: ["probe", path],
        environment: ["NO_COLOR": "1", "TERM": "xterm", "LANG": "C.UTF-8"], on: terminal)
      #expect(try await tool.nextChange() == .exited(0))
      // A long scan shows its own progress line.
      let seen = try await terminal.remainingOutput().split(separator: "\r\u{1B}[K").last ?? ""
      let lines = seen.split(separator: "\r\n")
      #expect(lines.count < 100)
      #expect(lines.contains { $0.contains("title") })
      #expect(lines.dropFirst(2).allSatisfy { $0.count <= columns })
      #expect(
        seen.unicodeScalars.allSatisfy {
          $0 == "\r" || $0 == "\n" || ($0.value >= 0x20 && !(0x7F...0x9F).contains($0.value))
        })
    }

    @Test func `then FFmpeg's log lines about it are not output either`() async throws {
      var clip = EBMLBuilder.clip(tags: [])
      let own = try #require(clip.firstRange(of: Array("matroska".utf8)))
      clip.replaceSubrange(own, with: Array("\u{1B}]0;evil".utf8.prefix(8)))
      expectHarmless(try await run(clip, []), statuses: [0, 65])
    }
  }
}
