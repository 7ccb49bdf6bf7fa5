import Libav
import MediaFiles
import Testing

@Suite struct `Given a format that is read only under the complete sandbox` {
  private func error(_ seal: AllowList.Seal) -> MediaError {
    MediaError(LibavError(.formatNeedsSeal("NUT", seal), "its format is not supported"))
  }

  @Test func `when the sandbox lacks layers then one sentence names them`() {
    let error = error(.lacking(["landlock_files", "seccomp"]))
    #expect(error.code == .notMedia)
    #expect(
      error.message == "its format (NUT) is opened only when the sandbox is complete, and here it "
        + "lacks landlock_files, seccomp")
  }

  @Test func `when there is no sandbox then one sentence says so`() {
    #expect(error(.none).message.contains("complete, and this process has none"))
  }
}
