import Glibc
import Libav
import Support
import Synchronization
import Testing

@testable import MediaFiles

@Suite struct `Given a file that is written without a name` {
  private let folder: ScratchFolder
  private let old = Array("what was there".utf8)
  private let new = Array("what is new".utf8)

  init() throws { folder = try ScratchFolder() }

  private var path: [UInt8] { folder.path(of: Array("out.mp4".utf8)) }
  private var names: Set<String> {
    Set(folder.names.map { String(decoding: $0, as: UTF8.self) })
  }
  private func content() throws -> [UInt8] { try fileBytes(folder.path(of: "out.mp4")) }

  private func pending(
    replacing: Bool = false, faults: @escaping PendingFile.FaultPort = { _ in nil }
  ) throws -> PendingFile {
    let pending = try PendingFile(at: path, replacing: replacing, faults: faults)
    try new.withUnsafeBytes { try pending.write($0, at: 0) }
    return pending
  }

  @Test func `then it is not visible before it is published`() throws {
    let pending = try pending()
    #expect(names.isEmpty)
    #expect(pending.byteCount == 11)
    try pending.publish()
    #expect(names == ["out.mp4"])
    #expect(try content() == new)
  }

  @Test func `then nothing is left of it when it is dropped`() throws {
    _ = try pending()
    #expect(names.isEmpty)
  }

  @Test func `then it replaces another file where that was requested`() throws {
    try folder.write(old, to: "out.mp4")
    try pending(replacing: true).publish()
    #expect(names == ["out.mp4"])
    #expect(try content() == new)
  }

  @Test func `then it can be kept under another name`() throws {
    try pending().keep(as: Array("out.mp4.failed".utf8))
    #expect(names == ["out.mp4.failed"])
  }

  @Test func `then a file that appeared in the meantime is never overwritten`() throws {
    let pending = try pending()
    try folder.write(old, to: "out.mp4")
    #expect(throws: MediaError.exists) { try pending.publish() }
    #expect(try content() == old)
    #expect(names == ["out.mp4"])
  }

  @Test(.timeLimit(.minutes(5)))
  func `then of several with one name exactly one wins`() async throws {
    for _ in 0..<50 {
      let racers = try (0..<4).map { _ in try pending() }
      let wins = await withTaskGroup(of: Bool.self) { group in
        for racer in racers { group.addTask { (try? racer.publish()) != nil } }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(wins == 1)
      #expect(names == ["out.mp4"])
      unlink(folder.path(of: "out.mp4"))
    }
  }

  @Suite struct `When the system fails at a step` {
    private let given: `Given a file that is written without a name`

    init() throws { given = try `Given a file that is written without a name`() }

    struct Fault: CustomTestStringConvertible, Sendable {
      var step: PendingFile.Step
      var replaces: Bool
      var number: Int32
      /// The name already exists by then, and the file is complete.
      var isTooLate = false
      var testDescription: String { "\(step), \(replaces ? "replacing" : "new"), \(number)" }
    }

    static let faults: [Fault] =
      [true, false].flatMap { replaces in
        [
          Fault(step: .sync, replaces: replaces, number: EIO),
          Fault(step: .sync, replaces: replaces, number: EDQUOT),
          Fault(step: .link, replaces: replaces, number: ENOSPC),
          Fault(step: .link, replaces: replaces, number: EACCES),
          Fault(step: .syncFolder, replaces: replaces, number: EIO, isTooLate: true),
        ]
      } + [Fault(step: .rename, replaces: true, number: ENOSPC)]

    @Test(arguments: faults)
    func `then the destination is unchanged, or complete`(_ fault: Fault) throws {
      if fault.replaces { try given.folder.write(given.old, to: "out.mp4") }
      do {
        let pending = try given.pending(replacing: fault.replaces) { step in
          step == fault.step ? fault.number : nil
        }
        #expect(throws: MediaError.self) { try pending.publish() }
      }
      if fault.isTooLate {
        #expect(try given.content() == given.new)
      } else if fault.replaces {
        #expect(try given.content() == given.old)
      }
      #expect(given.names == (fault.replaces || fault.isTooLate ? ["out.mp4"] : []))
    }

    @Test func `then a failed write is reported with its error number`() throws {
      let pending = try PendingFile(at: given.path, replacing: false) { step in
        step == .write ? ENOSPC : nil
      }
      #expect(throws: OutputFault(ENOSPC)) {
        try given.new.withUnsafeBytes { try pending.write($0, at: 0) }
      }
    }
  }
}

@Suite struct `Given an output that cannot be written` {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func code(
    _ path: String, replacing: Bool = true, sparing: [FileIdentity] = []
  ) -> MediaError.Code? {
    do throws(MediaError) {
      _ = try PendingFile(at: Array(path.utf8), replacing: replacing, sparing: sparing)
      return nil
    } catch {
      #expect(!error.message.isEmpty)
      return error.code
    }
  }

  @Test(arguments: ["direct", "a dot", "a symbolic link", "a hard link", "a chain of links"])
  func `then the input is never the output, under any name`(_ way: String) throws {
    let input = try folder.write(Array("precious".utf8), to: "in.mp4")
    let other = folder.path(of: "other.mp4")
    var name = input
    switch way {
    case "a dot": name = folder.path + "/./in.mp4"
    case "a symbolic link":
      #expect(symlink("in.mp4", other) == 0)
      name = other
    case "a hard link":
      #expect(link(input, other) == 0)
      name = other
    case "a chain of links":
      #expect(symlink("in.mp4", folder.path(of: "middle.mp4")) == 0)
      #expect(symlink("middle.mp4", other) == 0)
      name = other
    default: break
    }
    let identity = try InputFile(path: Array(input.utf8)).fileIdentity
    #expect(code(name, sparing: [identity]) == .sameFile)
    #expect(try fileBytes(input) == Array("precious".utf8))
  }

  @Test func `then each case has its own error code`() throws {
    try folder.write([1], to: "there.mp4")
    #expect(mkdir(folder.path(of: "folder"), 0o700) == 0)
    #expect(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
    #expect(symlink("nowhere", folder.path(of: "dangling")) == 0)
    defer { rmdir(folder.path(of: "folder")) }
    #expect(code(folder.path(of: "there.mp4"), replacing: false) == .outputExists)
    #expect(code(folder.path(of: "there.mp4")) == nil)
    #expect(code(folder.path(of: "folder")) == .cannotCreate)
    #expect(code(folder.path(of: "folder/")) == .cannotCreate)
    #expect(code(folder.path(of: "pipe")) == .cannotCreate)
    #expect(code(folder.path(of: "dangling")) == .cannotCreate)
    #expect(code(folder.path(of: "missing/out.mp4")) == .cannotCreate)
    #expect(code(folder.path(of: "there.mp4/out.mp4")) == .cannotCreate)
    #expect(code("/dev/full") == .cannotCreate)
    #expect(code("") == .cannotCreate)
    #expect(code(folder.path(of: String(repeating: "n", count: 256))) == .cannotCreate)
    #expect(code("/" + String(repeating: "n/", count: 2100) + "x") == .cannotCreate)
    #expect(code("/proc/out.mp4") != nil)
  }

  @Test func `then a name of 255 bytes is fine`() throws {
    #expect(code(folder.path(of: String(repeating: "n", count: 255))) == nil)
  }

  @Test func `then a link is followed only where replacing was requested`() throws {
    let target = try folder.write([1], to: "target.mp4")
    let link = folder.path(of: "link.mp4")
    #expect(symlink("target.mp4", link) == 0)
    #expect(code(link, replacing: false) == .outputExists)
    let pending = try PendingFile(at: Array(link.utf8), replacing: true)
    try [UInt8(2)].withUnsafeBytes { try pending.write($0, at: 0) }
    try pending.publish()
    #expect(try fileBytes(target) == [2])
    var status = stat()
    #expect(lstat(link, &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
  }
}

@Suite struct `Given hidden files next to an output` {
  @Test func `then only those of killed runs are removed`() throws {
    let folder = try ScratchFolder()
    let name = Array("out.mp4".utf8)
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    let living = try HiddenFiles.create(beside: name, in: descriptor)
    let dead = try HiddenFiles.create(beside: name, in: descriptor)
    close(dead.descriptor)
    let foreign: [String] = [
      ".out.mp4.trim-abc", ".other.mp4.trim-abcdefgh", "out.mp4.trim-abcdefgh",
    ]
    for name in foreign { try folder.write([1], to: name) }
    for _ in 0..<100 where folder.names.contains(dead.name) {
      HiddenFiles.sweep(beside: name, in: descriptor)
      if folder.names.contains(dead.name) { usleep(10_000) }
    }
    #expect(folder.names == Set(foreign.map { Array($0.utf8) } + [living.name]))
    close(living.descriptor)
    let left = Set(foreign.map { Array($0.utf8) })
    // A process started by another test holds all descriptors until its program is loaded.
    for _ in 0..<100 where folder.names != left {
      HiddenFiles.sweep(beside: name, in: descriptor)
      if folder.names != left { usleep(10_000) }
    }
    #expect(folder.names == left)
  }
}
