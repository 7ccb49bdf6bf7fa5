import Dispatch
import Glibc
import MediaFiles
import Testing
import Trimming

/// A directory for one test, deleted with this object.
private final class Home: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/trim-state-XXXXXX".utf8CString)
    let made = mkdtemp(&template) != nil
    try #require(made)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { remove(path) }

  var entries: [String] { Self.entries(of: path) }

  var flag: FirstVisitFlag { .markerFile(environment: ["HOME": path]) }

  var marker: String { "\(path)/.local/state/trim/visited-trimming-screen" }

  static func entries(of path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private func remove(_ path: String) {
    for name in Self.entries(of: path) { remove("\(path)/\(name)") }
    if unlink(path) != 0 { rmdir(path) }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Given the flag of a first-time user` {
  @Suite struct `When it is claimed` {
    @Test func `then the first claim is the first and no later one is`() throws {
      let home = try Home()
      #expect(try !home.flag.isClaimed())
      #expect(try home.flag.claim())
      #expect(try !home.flag.claim())
      #expect(try home.flag.isClaimed())
    }

    @Test func `then asking claims nothing and creates nothing`() throws {
      let home = try Home()
      #expect(try !home.flag.isClaimed())
      #expect(home.entries == [])
      #expect(try home.flag.claim())
    }

    @Test func `then only the user can look into its directory`() throws {
      let home = try Home()
      _ = try home.flag.claim()
      var status = stat()
      #expect(stat("\(home.path)/.local/state/trim", &status) == 0)
      #expect(status.st_mode & 0o777 == 0o700)
      #expect(stat(home.marker, &status) == 0)
      #expect(status.st_mode & 0o077 == 0)
      #expect(status.st_size == 0)
    }

    @Test func `then of fifty processes at once exactly one is first`() async throws {
      let home = try Home()
      let path = home.path
      // Each process reports that it is ready and then waits at the gate, which opens for all.
      let gate = open("\(path)/gate", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
      defer { close(gate) }
      try #require(flock(gate, LOCK_EX) == 0)
      try #require(mkfifo("\(path)/arrivals", 0o600) == 0)
      let arrivals = open("\(path)/arrivals", O_RDWR | O_CLOEXEC)
      defer { close(arrivals) }
      DispatchQueue.global().async {
        var byte: UInt8 = 0
        for _ in 0..<50 { _ = read(arrivals, &byte, 1) }
        _ = flock(gate, LOCK_UN)
      }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask {
            await #expect(processExitsWith: .success) { [path = path as String] in
              let gate = open("\(path)/gate", O_RDWR | O_CLOEXEC)
              let arrivals = open("\(path)/arrivals", O_WRONLY | O_CLOEXEC)
              var byte: UInt8 = 1
              try #require(write(arrivals, &byte, 1) == 1)
              try #require(flock(gate, LOCK_SH) == 0)
              for round in 0..<200 {
                let home = "\(path)/home-\(round)"
                guard try FirstVisitFlag.markerFile(environment: ["HOME": home]).claim() else {
                  continue
                }
                close(open("\(home)/first-\(getpid())", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
              }
            }
          }
        }
      }
      // Two hundred homes, so that the processes really collide.
      for round in 0..<200 {
        let firsts = Home.entries(of: "\(path)/home-\(round)").filter { $0.hasPrefix("first-") }
        #expect(firsts.count == 1)
      }
    }
  }

  @Suite struct `When it is reset` {
    @Test func `then the next claim is the first again`() throws {
      let home = try Home()
      _ = try home.flag.claim()
      try home.flag.reset()
      #expect(try !home.flag.isClaimed())
      #expect(try home.flag.claim())
    }

    @Test func `then a missing marker is not an error`() throws {
      let home = try Home()
      try home.flag.reset()
      #expect(home.entries == [])
    }
  }
}

@Suite struct `Given a custom state directory` {
  @Test func `then the marker is created in it, with any missing directories`() throws {
    let home = try Home()
    let flag = FirstVisitFlag.markerFile(
      environment: ["XDG_STATE_HOME": "\(home.path)/a/b", "HOME": "/nowhere"])
    #expect(try flag.claim())
    #expect(access("\(home.path)/a/b/trim/visited-trimming-screen", F_OK) == 0)
  }

  @Test(arguments: ["", "relative/state"])
  func `then a name that is not absolute is ignored`(_ state: String) throws {
    let home = try Home()
    let flag = FirstVisitFlag.markerFile(
      environment: ["XDG_STATE_HOME": state, "HOME": home.path])
    #expect(try flag.claim())
    #expect(access(home.marker, F_OK) == 0)
  }
}

@Suite struct `Given a place where nothing can be stored` {
  private static func reason(of work: () throws -> Bool) -> String {
    do {
      return "no error, but \(try work())"
    } catch {
      return "\(error)"
    }
  }

  @Test func `then without a home the error says what to set`() {
    let flag = FirstVisitFlag.markerFile(environment: [String: String]())
    #expect(
      Self.reason(of: flag.claim)
        == "neither XDG_STATE_HOME nor HOME names a directory: set one of them")
    #expect(Self.reason(of: flag.isClaimed).hasPrefix("neither"))
  }

  @Test func `then a home that is a file is reported`() throws {
    let home = try Home()
    let file = "\(home.path)/file"
    close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    let flag = FirstVisitFlag.markerFile(environment: ["HOME": file])
    #expect(
      Self.reason(of: flag.claim) == "cannot create the directory \(file): Not a directory")
    #expect(try !flag.isClaimed())
    try flag.reset()
  }

  @Test func `then an unwritable file system is reported`() {
    let flag = FirstVisitFlag.markerFile(environment: ["HOME": "/proc"])
    #expect(Self.reason(of: flag.claim).hasPrefix("cannot create the directory /proc/.local: "))
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may write everywhere"))
  func `then a read-only home is reported`() throws {
    let home = try Home()
    chmod(home.path, 0o500)
    defer { chmod(home.path, 0o700) }
    #expect(Self.reason(of: home.flag.claim).hasSuffix("Permission denied"))
  }

  @Test func `then a directory in the marker's place is no marker, and is left alone`() throws {
    let home = try Home()
    _ = try home.flag.claim()
    unlink(home.marker)
    mkdir(home.marker, 0o700)
    let reason = "\(home.marker) is not a regular file: remove it"
    #expect(Self.reason(of: home.flag.claim) == reason)
    #expect(Self.reason(of: home.flag.isClaimed) == reason)
    #expect(throws: (any Error).self) { try home.flag.reset() }
    #expect(access(home.marker, F_OK) == 0)
  }

  @Test func `then a link in the marker's place is not followed`() throws {
    let home = try Home()
    _ = try home.flag.claim()
    unlink(home.marker)
    symlink("\(home.path)/elsewhere", home.marker)
    #expect(Self.reason(of: home.flag.claim).hasSuffix("is not a regular file: remove it"))
    #expect(!home.entries.contains("elsewhere"))
    try home.flag.reset()
    #expect(try home.flag.claim())
  }
}
