import CommandLineKit
import MediaEngine
import Testing
import Trimming

@testable import TrimCommands

@Suite struct `Given an output that is named as a GIF` {
  @Test func `then the refusal says what can be written instead`() {
    do {
      _ = try OutputContainer(output: Array("part.GIF".utf8), command: "cut")
      Issue.record("it is accepted")
    } catch {
      #expect(error.message.contains("GIF can be read but not written: 'part.GIF'"))
      #expect(error.message.contains(".mov") && error.message.contains(".mp4"))
    }
  }

  @Test func `when another ending is not known then all known ones are listed`() {
    #expect(throws: UsageError.self) {
      try OutputContainer(output: Array("part.gifs".utf8), command: "cut")
    }
  }
}
