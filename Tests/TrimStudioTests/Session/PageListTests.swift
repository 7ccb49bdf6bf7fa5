import ExactTime
import SafeText
import Support
import Testing
import Trimming

@testable import TrimStudio

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given a page with a list` {
  private func visiting<Value: Sendable>(
    _ work: @escaping @Sendable (Visitor) throws -> Value
  ) async throws -> Value {
    let stage = try StudioStage()
    defer { stage.stop() }
    return try await BlockingWork.run { try work(Visitor(stage)) }
  }

  private nonisolated static func piece(
    _ text: String, first: Bool = true, last: Bool = true, adds: Bool = false, page: String = "a"
  ) -> String {
    "{\"page\":\"\(page)\",\"base64\":\"\(Base64.encode(Array(text.utf8)))\",\"is_first\":\(first),"
      + "\"is_last\":\(last),\"adds\":\(adds)}"
  }

  @Test func `when it arrives in pieces then its parts are one step for undo`() async throws {
    let (reply, heard) = try await visiting { visitor in
      let page = try visitor.listen()
      try visitor.post("/files/0/list", Self.piece("2 4\n5", last: false))
      let reply = try visitor.post("/files/0/list", Self.piece(" 6", first: false)).text
      let imported = page.read(until: "\"end\":\"6\"")
      try visitor.input("{\"type\":\"undo_did_tap\"}")
      return (reply, imported + page.read(until: "\"can_undo\":false"))
    }
    #expect(reply.contains("{\"sentence\":\"read 7 bytes\",\"notes\":[\"left out: nothing\"]}"))
    #expect(heard.contains("{\"start\":\"2\",\"end\":\"4\"}"))
  }

  @Test func `when it is refused then nothing changes`() async throws {
    let (replies, opening) = try await visiting { visitor in
      let replies = try [
        Self.piece("bad"), Self.piece("1 2", first: false), "{\"page\":\"a\"}",
        Self.piece("1 2").replacing("\"base64\":\"", with: "\"base64\":\"*"),
        Self.piece("1 2").replacing("\"adds\"", with: "\"path\":\"/etc/passwd\",\"adds\""),
      ].map { try visitor.post("/files/0/list", $0) }
      try visitor.post("/files/0/list", Self.piece("1 2", last: false))
      let other = try visitor.post("/files/0/list", Self.piece("3", first: false, page: "b"))
      return (replies + [other], try visitor.get("/files/0/opening").text)
    }
    #expect(replies.map(\.status) == [422, 409, 400, 400, 400, 409])
    #expect(replies[0].text.contains("line 1"))
    #expect(opening.contains("\"can_undo\":false"))
  }

  @Test func `when it is too long then it is refused before all of it has arrived`() async throws {
    let media = StudioMedia(type: "") { .init(descriptor: -1, size: 0) }
    let file = OpenFile(StudioStage.file("clip.mp4", 10, nil, media), limit: .standard)
    file.arriving = ArrivingList(
      page: "a", bytes: Array(repeating: 32, count: StudioLists.longest - 1))
    #expect(try file.append(Array("1".utf8), of: "a"))
    #expect(throws: VideoFailure.self) { try file.append(Array("2".utf8), of: "a") }
    #expect(file.arriving == nil)
  }

  @Test func `then the formats are told, and the parts are written in one`() async throws {
    let (opening, written, unknown) = try await visiting { visitor in
      (
        try visitor.get("/files/0/opening").text,
        try visitor.post("/files/0/list/written", "{\"format\":\"edl\"}").text,
        try visitor.post("/files/0/list/written", "{\"format\":\"none\"}").status
      )
    }
    #expect(opening.contains("\"lists\":[{\"id\":\"edl\",\"name\":\"EDL\",\"ending\":\"edl\"}]"))
    #expect(written.contains("{\"name\":\"clip.edl\",\"text\":\"0 10\",\"notes\":[]}"))
    #expect(unknown == 422)
  }

  @Test func `when the project is saved then the page is told where`() async throws {
    let reply = try await visiting { try $0.post("/files/0/project", "{}").text }
    #expect(reply.contains("{\"place\":\"/out/clip-trimmed.mp4 with 1 part\"}"))
  }
}
