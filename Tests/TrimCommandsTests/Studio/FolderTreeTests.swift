import CommandLineKit
import Foundation
import Testing
import TrimStudio
import Trimming

@testable import TrimCommands

@Suite(.timeLimit(.minutes(1))) struct `Given folders that a studio was started with` {
  private let folder: TemporaryFolder
  private let root: String
  private let tree: FolderTree

  init() throws {
    folder = try TemporaryFolder()
    root = folder.path(of: "videos")
    let files = FileManager.default
    for path in ["videos/more/.hidden", "elsewhere"] {
      try files.createDirectory(atPath: folder.path(of: path), withIntermediateDirectories: true)
    }
    for path in [
      "videos/b.mp4", "videos/a.MKV", "videos/notes.txt", "videos/.secret.mp4",
      "videos/more/c.mov", "videos/more/.hidden/d.mp4", "elsewhere/e.mp4",
    ] { try Data([1]).write(to: URL(filePath: folder.path(of: path))) }
    for (link, target) in [
      ("videos/out", "elsewhere"), ("videos/out.mp4", "elsewhere/e.mp4"),
      ("videos/in.mp4", "videos/more/c.mov"), ("videos/hidden.mp4", "videos/.secret.mp4"),
    ] {
      try files.createSymbolicLink(
        atPath: folder.path(of: link), withDestinationPath: folder.path(of: target))
    }
    tree = FolderTree([Array(root.utf8), Array((root + "/more").utf8)])
  }

  private func number(_ path: String) -> Int? { tree.number(of: Array(folder.path(of: path).utf8)) }

  @Test
  func `then folders and media files are listed, without hidden ones and links that lead out`()
    throws
  {
    let listing = try tree.list(nil, withFiles: true)
    #expect(listing.folders.map(\.name) == ["more"])
    #expect(listing.files.map(\.name) == ["a.MKV", "b.mp4", "in.mp4"])
    #expect(listing.parent == nil)
    let inner = try tree.list(listing.folders[0].id, withFiles: true)
    #expect(inner.files.map(\.name) == ["c.mov"])
    #expect(inner.parent == listing.id)
    #expect(try tree.list(nil, withFiles: false).files.isEmpty)
  }

  @Test func `then nothing outside them has a number`() throws {
    for path in [
      "elsewhere/e.mp4", "videos/../elsewhere", "videos/out", "videos/.secret.mp4",
      "videos/more/.hidden/d.mp4", "videos/none.mp4", ".",
    ] { #expect(number(path) == nil, "\(path)") }
    #expect(number("videos/in.mp4") == number("videos/more/c.mov"))
    for unknown in [-1, 7, .max] {
      #expect(throws: VideoFailure.self) { try tree.place(unknown) }
      #expect(throws: VideoFailure.self) { try tree.list(unknown, withFiles: true) }
    }
  }

  @Test func `when a link takes the place of a listed file, then it is not followed`() throws {
    let path = folder.path(of: "videos/b.mp4")
    let known = try #require(number("videos/b.mp4"))
    #expect(try tree.place(known).bytes.suffix(5) == Array("b.mp4".utf8)[...])
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path(of: "elsewhere/e.mp4"))
    #expect(throws: VideoFailure.self) { try tree.place(known) }
  }

  @Test func `then a folder is made only with a plain name`() throws {
    let top = try #require(try tree.list(nil, withFiles: false).id)
    for name in ["", "..", "../up", "a/b", ".hidden", "-o", "a\\b", "a\u{202E}b", "b.mp4", "out"] {
      #expect(throws: VideoFailure.self, "\(name)") { try tree.make(in: top, named: name) }
    }
    let made = try tree.make(in: top, named: "results")
    #expect(try tree.make(in: top, named: "results") == made)
    #expect(try tree.place(made).bytes.suffix(8) == Array("/results".utf8)[...])
  }

  // MARK: Outputs

  private func outputs(remembers: Bool = true, root: String? = nil) -> OutputFolder {
    let environment = [
      "XDG_STATE_HOME": folder.path(of: "state"), "HOME": folder.path(of: "elsewhere"),
      "TMPDIR": folder.root,
    ]
    return OutputFolder(
      Array((root ?? self.root).utf8), environment: .fixed(environment), remembers: remembers)
  }

  @Test func `when an inner folder is chosen for outputs, then it is remembered`() async throws {
    let before = outputs()
    let inner = try await before.folders.list(nil).folders[0]
    try before.choose("\(inner.id)")
    #expect(before.path.suffix(6) == Array("/more/".utf8)[...])
    #expect(outputs().path == before.path)
    #expect(outputs(remembers: false).path != before.path)
    let kept = try FileManager.default.subpathsOfDirectory(atPath: folder.path(of: "state"))
    #expect(kept.allSatisfy { !$0.contains("videos") }, "no path is stored")
    let top = try #require(try await before.folders.list(nil).id)
    try before.choose("\(top)")
    #expect(outputs().path == before.path)
    for text in ["", "x", "99", "-9", "../x"] {
      #expect(throws: (any Error).self) { try before.choose(text) }
    }
  }

  @Test func `when the folder cannot be written to, then it is named, and others are offered`()
    throws
  {
    let missing = folder.path(of: "missing")
    let outputs = outputs(root: missing)
    let shown = outputs.shown
    #expect(shown.refusal == "The folder \(missing) cannot be written to: it does not exist.")
    #expect(shown.others.map(\.name) == [folder.path(of: "elsewhere"), folder.root].map(real))
    try outputs.choose("\(shown.others[0].id)")
    #expect(outputs.refusal == nil)
    #expect(
      String(decoding: outputs.path, as: UTF8.self) == real(folder.path(of: "elsewhere")) + "/")
    #expect(self.outputs().shown.others == [])
  }

  private func real(_ path: String) -> String {
    RealPath(Array(path.utf8)).map { String(decoding: $0.bytes, as: UTF8.self) } ?? path
  }
}
