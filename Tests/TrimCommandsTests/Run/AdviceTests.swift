import CommandLineKit
import MediaEngine
import Support
import Testing

@testable import TrimCommands

@Suite(.timeLimit(.minutes(1))) struct `Given an error with advice` {
  @Test func `then probe does not refer to itself, and the others refer to it`() {
    let error = MediaError(.damaged, "it is damaged")
    #expect(error.adviceOfProbe?.contains("probe") == false)
    #expect(error.advice?.contains("'trim probe'") == true)
  }

  @Test func `then at the output only a name that is taken has general advice`() {
    let taken = MediaError(.outputExists, "the output already exists")
    #expect(taken.adviceOfOutput == "Use -f to replace it.")
    #expect(MediaError(.permissionDenied, "it may not be written").adviceOfOutput == nil)
  }

  @Test func `then the help of cut lists every status that a file can end in`() {
    let listed = Set(CommandTable.cut.exitStatuses.compactMap { Int32($0.prefix { $0 != " " }) })
    let codes: [MediaErrorCode] = [
      .notMedia, .damaged, .tooLong, .inputMissing, .permissionDenied, .readFailed, .writeFailed,
      .outOfMemory, .timedOut, .codecMissing, .outputExists, .verificationFailed,
    ]
    #expect(Set(codes.map(\.exitStatus.code)).subtracting(listed).isEmpty)
    #expect(listed.contains(77))
  }

  @Test func `then the help of a part mentions percent`() {
    #expect(OptionSpec.part[0].help.contains("25%"))
  }

  @Test(arguments: ["a\u{202E}4pm", "a\u{200F}b", "a\nb", "\u{1B}[1m"])
  func `then a name that does not read as it is stored is not honest`(_ name: String) {
    #expect(!ForeignText.isHonest(name))
  }

  @Test(arguments: ["clip.mp4", "Übung – 2", "می‌خواهم", "👩‍👧"])
  func `then a name in any script is`(_ name: String) {
    #expect(ForeignText.isHonest(name))
  }
}
