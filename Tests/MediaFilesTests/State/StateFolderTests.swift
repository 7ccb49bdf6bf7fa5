import Glibc
import MediaFiles
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given a folder of small files in the state directory` {
  private let root: ScratchFolder
  private let folder: StateFolder

  init() throws {
    root = try ScratchFolder()
    folder = try #require(StateFolder("work", environment: ["XDG_STATE_HOME": root.path]))
  }

  private func mode(_ path: String) -> UInt32 {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func `when a file is written, then only the user can read it`() throws {
    try folder.write([1, 2, 3], to: "a")
    #expect(folder.path == root.path + "/trim/work")
    #expect(folder.read("a") == [1, 2, 3])
    #expect(mode(folder.path) == 0o700)
    #expect(mode(folder.path + "/a") == 0o600)
  }

  @Test func `when it is written again, then the newer content replaces the older`() throws {
    try folder.write([1], to: "a")
    try folder.write([2], to: "a")
    #expect(folder.read("a") == [2])
    folder.remove("a")
    #expect(folder.read("a") == nil)
  }

  @Test func `when a link or a folder is in its place, then nothing is read`() throws {
    try folder.write([1], to: "a")
    symlink(folder.path + "/a", folder.path + "/link")
    mkdir(folder.path + "/folder", 0o700)
    #expect(folder.read("link") == nil)
    #expect(folder.read("folder") == nil)
    #expect(folder.read("a", atMost: 0) == nil, "larger than anything that is written")
  }

  @Test func `when there are many, then the oldest and those beyond the count go`() throws {
    for number in 0..<5 {
      try folder.write([UInt8(number)], to: "\(number)")
      let old = timeval(tv_sec: 1_700_000_000 - number * 86_400 - (number > 0 ? 60 : 0), tv_usec: 0)
      utimes(folder.path + "/\(number)", [old, old])
    }
    folder.prune(olderThan: 4, keeping: 3)
    #expect((0..<5).filter { folder.read("\($0)") != nil } == [0, 1, 2])
    folder.prune(olderThan: 1, keeping: 3)
    #expect((0..<5).filter { folder.read("\($0)") != nil } == [0])
  }

  @Test func `when the environment names no directory, then there is no folder`() {
    #expect(StateFolder("work", environment: ["XDG_STATE_HOME": "relative"]) == nil)
  }
}
