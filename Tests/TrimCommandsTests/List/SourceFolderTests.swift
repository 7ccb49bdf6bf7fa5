import CommandLineKit
import Foundation
import Support
import Testing

@testable import TrimCommands

@Suite struct `Given the folder of the files that a list names` {
  private let outer: ScratchFolder
  private let folder: SourceFolder

  /// `in/a.mp4`, `in/sub/b c.mp4`, `out.mp4` beside the folder, and links to the last two.
  init() throws {
    outer = try ScratchFolder()
    let inner = outer.path(of: "in")
    try FileManager.default.createDirectory(
      atPath: inner + "/sub", withIntermediateDirectories: true)
    for name in ["in/a.mp4", "in/sub/b c.mp4", "out.mp4"] {
      _ = try outer.write([1], to: name)
    }
    for (link, target) in ["leads-out.mp4": "../out.mp4", "leads-in.mp4": "sub/b c.mp4"] {
      try FileManager.default.createSymbolicLink(
        atPath: inner + "/" + link, withDestinationPath: target)
    }
    folder = try SourceFolder(Array(inner.utf8))
  }

  private func found(_ hint: String) throws(PlayedMedia.Failure) -> String {
    let root = RealPath(Array(outer.path(of: "in").utf8))?.bytes ?? []
    return String(decoding: try folder.file(hint).dropFirst(root.count + 1), as: UTF8.self)
  }

  @Test(arguments: [
    ("a.mp4", "a.mp4"), ("./a.mp4", "a.mp4"), ("sub/b c.mp4", "sub/b c.mp4"),
    ("leads-in.mp4", "sub/b c.mp4"), ("/media/disk 7/a.mp4", "a.mp4"),
    ("file:///media/a.mp4", "a.mp4"), ("file:sub/b%20c.mp4", "sub/b c.mp4"),
    ("C:\\video\\a.mp4", "a.mp4"),
  ])
  func `then a file in it is found, and of a path elsewhere the name counts`(
    _ hint: String, _ path: String
  ) throws { #expect(try found(hint) == path) }

  @Test(arguments: [
    ("../out.mp4", "'..'"), ("sub/../a.mp4", "'..'"), ("..\\out.mp4", "'..'"),
    ("file:///x/%2e%2e/out.mp4", "'..'"), ("leads-out.mp4", "a link that leads out"),
    ("/x/leads-out.mp4", "a link that leads out"), ("missing.mp4", "there is no 'missing.mp4'"),
    ("out.mp4", "there is no"), ("", "names no file"), (".", "there is no"), ("a\0.mp4", "names no file"),
  ])
  func `then nothing else is opened, with a sentence`(_ hint: String, _ words: String) {
    do throws(PlayedMedia.Failure) {
      Issue.record("\(hint) is \(try found(hint))")
    } catch {
      #expect(error.message.contains(words), "\(hint): \(error.message)")
      #expect(error.status == .noInput)
    }
  }

  @Test func `when an absolute path is below it, then it is that file`() throws {
    #expect(try found(outer.path(of: "in/sub/b c.mp4")) == "sub/b c.mp4")
    #expect(throws: PlayedMedia.Failure.self) { try found(outer.path(of: "out.mp4")) }
  }

  @Test func `then a list below which a file is names it from there`() {
    #expect(folder.hint(of: Array(outer.path(of: "in/sub/b c.mp4").utf8)) == "sub/b c.mp4")
    #expect(folder.hint(of: Array(outer.path(of: "out.mp4").utf8)) == "out.mp4")
  }
}

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(1)))
struct `Given a list that names its files` {
  private let room: ScratchFolder

  init() throws {
    room = try ScratchFolder()
    for name in ["a.mp4", "b.mp4"] {
      _ = try room.write(try SampleClips.bytes("b-frames.mp4"), to: name)
    }
  }

  private func list(_ text: String) throws -> String {
    try room.write(Array("# mpv EDL v0\n\(text)".utf8), to: "list.edl")
  }

  @Test func `when it is given alone, then cut and join open what lies beside it`() throws {
    let one = try list("a.mp4,1,1\n%5%a.mp4,2.5,0.5\n")
    let cut = try BuiltTool.run(["cut", "-n", "--json", "--cuts", one])
    #expect(cut.status == 0, "\(cut.err)")
    #expect(cut.out.contains("/a.mp4") && cut.out.contains("\"7/2\"") == false)
    let two = try list("b.mp4,1,1\na.mp4,0,2\n")
    let refused = try BuiltTool.run(["cut", "-n", "--cuts", two])
    #expect(refused.status == 65 && refused.err.contains("2 files, and one is cut"))
    let output = room.path(of: "all.mp4")
    let joined = try BuiltTool.run(["join", "--cuts", two, "-o", output])
    #expect(joined.status == 0, "\(joined.err)")
    let shown = try BuiltTool.run(["probe", "--json", output])
    #expect(shown.out.contains("\"seconds\": 3"), "\(shown.out.prefix(2000))")
  }

  @Test func `when a file is not below the folder, then it is refused, and nothing is written`() throws {
    let outside = try list("../a.mp4,1,1\n")
    for words in [["cut", "-n"], ["join", "-o", room.path(of: "x.mp4")]] {
      let run = try BuiltTool.run(words + ["--cuts", outside])
      #expect(run.status == 66 && run.err.contains("'..'"), "\(run.err)")
    }
    let elsewhere = try ScratchFolder()
    let inside = try list("a.mp4,1,1\n")
    let run = try BuiltTool.run(["cut", "-n", "--cuts", inside, "--sources", elsewhere.path])
    #expect(run.status == 66 && run.err.contains("there is no 'a.mp4' below"))
  }

  @Test func `when it is shown with a folder, then it is checked against the files there`() throws {
    let late = try list("a.mp4,1,1\nb.mp4,3,2\n")
    let run = try BuiltTool.run(["list", "show", "--sources", room.path, late])
    #expect(run.status == 1)
    #expect(run.out.contains("does not fit: parts[1]: it ends at 5 s, and b.mp4 ends at 4 s"))
  }
}
