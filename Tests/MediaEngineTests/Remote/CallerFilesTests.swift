import Glibc
import MediaEngine
import Synchronization
import Testing
import Threads

/// The other end of a line: a program that serves one file.
private final class Caller: Sendable {
  /// An answer: the file's size, and the bytes.
  typealias Answer = (size: Int64, bytes: [UInt8])

  let files: CallerFiles
  private let asked = Mutex<[String]>([])

  /// - Parameter answer: `nil` to hang up.
  init(_ answer: @escaping @Sendable (_ kind: Int64, _ range: Range<Int64>) -> Answer?) throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    files = try #require(CallerFiles(descriptors: [ends[0]]))
    let line = ends[1]
    let isServed = WaitingThread.run { [self] in serve(line, answer) }
    try #require(isServed)
  }

  private func serve(_ line: Int32, _ answer: (Int64, Range<Int64>) -> Answer?) {
    defer { close(line) }
    var words: [Int64] = [0, 0, 0, 0]
    while words.withUnsafeMutableBytes({ Self.receive($0, from: line) }) {
      var name = [UInt8](repeating: 0, count: Int(words[1]))
      guard name.withUnsafeMutableBytes({ Self.receive($0, from: line) }) else { return }
      let question =
        "\(words[0]) \(String(decoding: name, as: UTF8.self)) \(words[2])+\(words[3])"
      asked.withLock { $0.append(question) }
      guard let reported = answer(words[0], words[2]..<words[2] + words[3]) else { return }
      let counts = [reported.size, Int64(reported.bytes.count)]
      let bytes = counts.withUnsafeBytes { Array($0) } + reported.bytes
      _ = send(line, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }

  private static func receive(_ buffer: UnsafeMutableRawBufferPointer, from line: Int32) -> Bool {
    recv(line, buffer.baseAddress, buffer.count, Int32(MSG_WAITALL)) == buffer.count
  }

  var questions: [String] { asked.withLock { $0 } }

  static let content = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }

  static func whole(_ kind: Int64, _ range: Range<Int64>) -> Answer {
    let inside = range.clamped(to: 0..<Int64(content.count))
    return (
      Int64(content.count),
      kind == 2 ? [] : Array(content[Int(inside.lowerBound)..<Int(inside.upperBound)])
    )
  }

  static func failure(_ code: String) -> Answer { (-1, Array("\(code)\nit failed\ntry it".utf8)) }
}

@Suite(.timeLimit(.minutes(1))) struct `Given a file that the calling program serves` {
  private static let name = Array("s3://bucket/a.mp4".utf8)

  @Test func `then it is asked for the front, for ranges, and whether it is the same`() throws {
    let caller = try Caller(Caller.whole)
    let file = try caller.files.open(Self.name)
    #expect(file.byteCount == 1_000_000)
    #expect(file.head == Array(Caller.content[..<(512 << 10)]))
    try file.confirm()
    #expect(try file.bytes(in: 700_000..<700_003) == Array(Caller.content[700_000..<700_003]))
    try file.confirm()
    #expect(
      caller.questions == [
        "0 s3://bucket/a.mp4 0+524288", "1 s3://bucket/a.mp4 700000+3", "2 s3://bucket/a.mp4 0+0",
      ])
  }

  @Test func `when it fails then that is what its program said`() throws {
    let caller = try Caller { _, _ in Caller.failure("permissionDenied") }
    let error = #expect(throws: MediaError.self) { try caller.files.open(Self.name) }
    #expect(error?.code == .permissionDenied)
    #expect(error?.message == "it failed")
    #expect(error?.hint == "try it")
    #expect(throws: MediaError.self) { try caller.files.open(Self.name) }
    #expect(caller.questions.count == 2, "the line is still of use")
  }

  @Test(arguments: [999_999, 1_000_001])
  func `when it has another size by then then it has changed`(_ size: Int) throws {
    let caller = try Caller { kind, range in
      kind == 0 ? Caller.whole(kind, range) : (Int64(size), [1, 2, 3])
    }
    let file = try caller.files.open(Self.name)
    let error = #expect(throws: MediaError.self) { try file.bytes(in: 700_000..<700_003) }
    #expect(error?.code.rawValue == "inputChanged")
  }

  @Test(arguments: [
    ("too much", 1_000_000, 524_289), ("more than it has", 2, 3), ("no reason", -1, 3),
    ("nothing", 0, -1),
  ])
  func `when the answer contradicts the question then it is refused`(
    _ what: String, _ size: Int, _ count: Int
  ) throws {
    let caller = try Caller { _, _ in
      count < 0 ? nil : (Int64(size), [UInt8](repeating: 0x41, count: count))
    }
    let error = #expect(throws: MediaError.self) { try caller.files.open(Self.name) }
    #expect(error?.code == .storeFailed)
  }

  @Test func `when the program has ended then nobody waits for it`() throws {
    let caller = try Caller { _, _ in nil }
    for _ in 0..<3 {
      let error = #expect(throws: MediaError.self) { try caller.files.open(Self.name) }
      #expect(error?.code == .storeFailed)
    }
  }

  @Test func `when the descriptor is no socket then it is not taken`() {
    #expect(CallerFiles(descriptors: [0x7FFF]) == nil)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    #expect(CallerFiles(descriptors: [ends[0]]) == nil)
    for end in ends { close(end) }
  }
}
