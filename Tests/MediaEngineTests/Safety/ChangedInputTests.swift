import Glibc
import Support
import Testing

@testable import Cutting
@testable import MediaEngine
@testable import MediaFiles

@Suite(.timeLimit(.minutes(1))) struct `Given an input that is being read` {
  private let folder: ScratchFolder
  private let path: [UInt8]
  private let file: InputFile

  init() throws {
    folder = try ScratchFolder()
    let bytes = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    path = try folder.write(bytes, to: Array("clip".utf8))
    file = try InputFile(path: path)
  }

  private var name: [CChar] { path.map { CChar(bitPattern: $0) } + [0] }

  private func read(_ range: Range<Int>) throws {
    var buffer = [UInt8](repeating: 0, count: range.count)
    let count = try buffer.withUnsafeMutableBytes {
      try file.read(into: $0, at: Int64(range.lowerBound))
    }
    try #require(count == range.count)
  }

  /// Changes a byte and puts the times back, as some tools do.
  private func overwrite(at position: Int) throws {
    var status = stat()
    try #require(stat(name, &status) == 0)
    let descriptor = open(name, O_WRONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(pwrite(descriptor, [0xEE], 1, position) == 1)
    try #require(futimens(descriptor, [status.st_atim, status.st_mtim]) == 0)
  }

  private var code: MediaError.Code? {
    do throws(MediaError) {
      try file.checkUnchanged()
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `then changed bytes with unchanged file times are noticed`() throws {
    for start in stride(from: 0, to: 40_000, by: 1000) { try read(start..<start + 1000) }
    try overwrite(at: 12_345)
    #expect(code == .inputChanged)
  }

  @Test func `then changes to bytes that were not read do not matter`() throws {
    try read(0..<4096)
    try read(20_000..<30_000)
    try overwrite(at: 12_345)
    #expect(code == nil)
    try overwrite(at: 29_999)
    #expect(code == .inputChanged)
  }

  @Test func `then only a change of its content counts`() throws {
    try read(0..<40_000)
    #expect(chmod(name, 0o640) == 0)
    let other = folder.path(of: Array("other".utf8)).map { CChar(bitPattern: $0) } + [0]
    #expect(link(name, other) == 0)
    #expect(utimensat(AT_FDCWD, name, [timespec(tv_sec: 1, tv_nsec: 0), timespec()], 0) == 0)
    #expect(code == nil)
  }

  @Test func `then what is appended is no change, and is not read`() throws {
    try read(0..<100)
    #expect(truncate(name, 50_000) == 0)
    #expect(code == nil)
    var buffer = [UInt8](repeating: 0, count: 1000)
    let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: 39_500) }
    #expect(count == 500)
    try overwrite(at: 50)
    #expect(code == .inputChanged)
  }

  @Test func `then a file that became shorter has changed`() throws {
    try read(0..<100)
    #expect(truncate(name, 30_000) == 0)
    #expect(code == .inputChanged)
  }

  @Test func `then a process that it is handed to reads as much as there was`() throws {
    let descriptor = open(name, O_RDONLY)
    try #require(descriptor >= 0)
    let handed = try InputFile(
      descriptor: descriptor, isOwned: true, isSeekable: true, byteCount: 20_000)
    #expect(handed.byteCount == 20_000)
  }

  @Test func `then another file under its name is another input`() throws {
    let output = folder.path(of: Array("out".utf8))
    let files = try OpenedFiles(input: path, output: output, replacing: false)
    try folder.write(Array("another".utf8), to: Array("new".utf8))
    let new = folder.path(of: Array("new".utf8)).map { CChar(bitPattern: $0) } + [0]
    #expect(rename(new, name) == 0)
    let error = #expect(throws: MediaError.self) { try files.publish() }
    #expect(error?.code == .inputChanged)
    #expect(folder.names == [Array("clip".utf8)])
  }
}
