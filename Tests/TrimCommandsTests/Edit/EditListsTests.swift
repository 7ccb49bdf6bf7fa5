import CommandLineKit
import EditLists
import ExactTime
import Support
import Testing
import Trimming

@testable import TrimCommands

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given trim edit and a list` {
  private func parts(_ stage: EditStage) -> [String] {
    stage.controller.presenter.list.parts.map(\.range).map {
      "\($0.start.seconds)..\($0.end.seconds)"
    }
  }

  private func imported(_ stage: EditStage, _ keys: String) async throws {
    stage.press(keys)
    try await stage.repaint { stage.controller.notice?.contains("Reading") != true }
  }

  @Test func `when I and a path are typed then its parts are there, and u undoes that`()
    async throws
  {
    let folder = try ScratchFolder()
    let list = try folder.write(Array("20,30,b\n12,14,a\n290,310,\n".utf8), to: "a.csv")
    let stage = try EditStage()
    stage.press("I")
    #expect(stage.text(100, 30).contains("import the list: "))
    try await imported(stage, list + "\r")
    #expect(parts(stage) == ["20..30", "12..14", "290..300"])
    let text = stage.text(120, 30)
    #expect(text.contains("Imported: 3 parts (CSV of LosslessCut). u undoes that."))
    #expect(text.contains("does not fit: parts[2]: it ends at 310 s, and walk.mp4 ends at 300 s"))
    stage.press("qu")
    #expect(parts(stage) == ["10..50"])
    try await imported(stage, "A\(list)\r")
    #expect(parts(stage) == ["10..50", "20..30", "12..14", "290..300"])
    stage.press("qu")
    #expect(parts(stage) == ["10..50"])
    #expect(!stage.controller.presenter.canUndo)
  }

  @Test func `when it cannot be read then a line says where, and nothing changes`() async throws {
    let folder = try ScratchFolder()
    let list = try folder.write(Array("1 2 0\n3 2 0\n".utf8), to: "bad.edl")
    let stage = try EditStage()
    try await imported(stage, "I\(list)\r")
    #expect(stage.controller.notice?.contains("line 2: ") == true)
    try await imported(stage, "I\(folder.path(of: "missing"))\r")
    #expect(stage.controller.notice?.contains("there is no such file") == true)
    #expect(parts(stage) == ["10..50"])
  }

  @Test func `when E and a name are typed then the list is written, and is replaced only after y`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "cuts.edl")
    let stage = try EditStage()
    stage.press("E\(path)")
    #expect(stage.text(160, 30).contains("Add ' as' and one of mpv, edl, cmx3600"))
    stage.press("\r")
    #expect(stage.text(160, 30).contains("export to: "), "a name without a format is kept")
    stage.press(" as mpv\r")
    try await stage.repaint { stage.controller.notice?.hasPrefix("Written: ") == true }
    let text = String(decoding: try fileBytes(path), as: UTF8.self)
    #expect(text.hasPrefix("# mpv EDL v0\n") && text.contains(",10,40"))
    stage.press("E\(path) as edl\r")
    #expect(stage.controller.question != nil)
    stage.press("n")
    #expect(String(decoding: try fileBytes(path), as: UTF8.self) == text)
    stage.press("E\(path) as edl\ry")
    try await stage.repaint { stage.controller.notice?.hasPrefix("Written: ") == true }
    let removed = try EditListFormat.edl.read(try fileBytes(path)).parts
    #expect(removed.map { !$0.isKept } == [true, true])
    #expect(removed.map(\.range.end) == [MediaTime(10), MediaTime(300)])
  }

  @Test func `then the keys are listed`() {
    let lines = EditKeys.lines.joined(separator: "\n")
    for words in ["import a list", "export the parts", "save the project"] {
      #expect(lines.contains(words))
    }
  }
}
