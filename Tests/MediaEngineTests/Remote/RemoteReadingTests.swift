import Support
import Synchronization
import Testing

@testable import MediaFiles

@Suite(.timeLimit(.minutes(1))) struct `Given a file that is read by ranges` {
  private static let content: [UInt8] = {
    var generator = SeededGenerator(seed: 61)
    return generator.bytes(20 << 20)
  }()

  private static func read(_ file: RemoteFile, _ range: Range<Int>) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      filled = try file.read(
        into: UnsafeMutableRawBufferPointer(buffer), at: Int64(range.lowerBound)
      ).get()
    }
  }

  @Test func `then it reads what the file has, whatever the cache holds`() throws {
    let double = RemoteDouble(Self.content)
    let file = RemoteFile(double, name: [], cache: BlockCache(byteCount: 4 << 20))
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<60 {
      let start = Int.random(in: 0..<Self.content.count, using: &generator)
      let count = Int.random(in: 1...(300 << 10), using: &generator)
      let end = min(Self.content.count, start + count)
      #expect(try Self.read(file, start..<start + count) == Array(Self.content[start..<end]))
    }
    #expect(try Self.read(file, Self.content.count..<Self.content.count + 10).isEmpty)
  }

  @Test func `when a read was not announced then little is asked for, and nothing twice`() throws {
    let double = RemoteDouble(Self.content)
    let file = RemoteFile(double, name: [], cache: BlockCache())
    _ = try Self.read(file, 0..<(512 << 10))
    #expect(double.cost.requests == 1)
    for _ in 0..<3 { _ = try Self.read(file, 10_000_000..<10_000_100) }
    #expect(double.cost == RemoteCost(requests: 2, bytes: (512 + 64) << 10))
  }

  @Test func `when it is read in order then requests grow, and gaps are read through`() throws {
    let double = RemoteDouble(Self.content)
    let file = RemoteFile(double, name: [], cache: BlockCache())
    // Every second 100 KB.
    for place in stride(from: 0, to: Self.content.count - 100_000, by: 200_000) {
      _ = try Self.read(file, place..<place + 100_000)
    }
    #expect(double.cost.requests <= 9)
    #expect(double.cost.bytes <= Int64(Self.content.count))
  }

  @Test func `when a range was announced then it comes in one request`() throws {
    let double = RemoteDouble(Self.content)
    let file = RemoteFile(double, name: [], cache: BlockCache())
    file.expect(3_000_000..<9_000_000)
    _ = try Self.read(file, 5_000_000..<5_004_096)
    _ = try Self.read(file, 3_000_000..<9_000_000)
    #expect(double.cost.requests == 2)
    #expect(double.cost.bytes <= Int64(512 << 10) + 6_000_000 + 2 * Int64(16 << 10))
    #expect(file.isAtHand(3_000_000..<9_000_000))
    #expect(!file.isAtHand(12_000_000..<12_000_001))
  }

  @Test func `when a request fails then its reason is kept, and no other is sent`() throws {
    let double = RemoteDouble(Self.content)
    let file = RemoteFile(double, name: [], cache: BlockCache())
    double.fail(MediaError(.stalled, "the server sent nothing"))
    #expect(throws: (any Error).self) { try Self.read(file, 5_000_000..<5_000_010) }
    #expect(file.fault == MediaError(.stalled, "the server sent nothing"))
    #expect(throws: (any Error).self) { try Self.read(file, 7_000_000..<7_000_010) }
    #expect(double.cost.requests == 1)
  }

  @Test func `then another process reads it through a line, and nothing but it`() throws {
    let double = RemoteDouble(Self.content)
    let input = RemoteDoubles.input(double, at: "https://line.example/a.bin?key=secret")
    guard case .file(let name) = input else { return }
    let file = try InputFile(path: name)
    let handed = try file.handedOver()
    let line = RangeLine(descriptor: handed.descriptor)
    var bytes = [UInt8](repeating: 0, count: 3 << 20)
    let came = try bytes.withUnsafeMutableBytes { try line.read(into: $0, at: 18 << 20).get() }
    #expect(came == 2 << 20)
    #expect(bytes.prefix(came).elementsEqual(Self.content[(18 << 20)...]))
    line.expect(1_000_000..<2_000_000)
    #expect(line.isAtHand(19 << 20..<20 << 20))
    #expect(!line.isAtHand(10 << 20..<11 << 20))
    double.fail(MediaError(.stalled, "the server sent nothing"))
    let failed = bytes.withUnsafeMutableBytes { line.read(into: $0, at: 1 << 20) }
    #expect(throws: (any Error).self) { try failed.get() }
    #expect(file.remoteFault?.code == .stalled)
    #expect(!file.isUnchanged())
    // A request that is none ends the line.
    let words: [Int64] = [0, -5, 10]
    #expect(words.withUnsafeBytes { RangeLine.send($0, to: handed.descriptor) })
    let isThere = bytes.withUnsafeMutableBytes {
      RangeLine.receive(
        UnsafeMutableRawBufferPointer(rebasing: $0[..<8]), from: handed.descriptor)
    }
    #expect(!isThere)
  }

  @Test(arguments: [
    ("https://host/a/clip.mp4", "https://host/a/clip.mp4", "clip.mp4"),
    ("https://me:secret@host/clip.mp4?sig=secret", "https://host/clip.mp4?…", "clip.mp4"),
    ("HTTP://host:81/my%20clip.mov#t=1", "HTTP://host:81/my%20clip.mov", "my clip.mov"),
    ("https://host?sig=secret", "https://host?…", "media"),
    ("https://host/..%2F..%2Fpasswd", "https://host/..%2F..%2Fpasswd", "passwd"),
    ("https://host/a/..", "https://host/a/..", "media"),
  ])
  func `then it is shown without secrets, and named after its path`(
    _ address: String, _ shown: String, _ local: String
  ) {
    #expect(RemoteFiles.isAddress(Array(address.utf8)))
    #expect(String(decoding: RemoteFiles.shown(Array(address.utf8)), as: UTF8.self) == shown)
    let name = RemoteFiles.localName(of: Array(address.utf8))
    #expect(String(decoding: name, as: UTF8.self) == local)
  }

  @Test func `when two addresses would get the same name then they differ`() {
    let first = RemoteFiles.name(for: Array("https://twice.example/a.mp4?x=1".utf8))
    let second = RemoteFiles.name(for: Array("https://twice.example/a.mp4?x=2".utf8))
    #expect(first != second)
    #expect(RemoteFiles.name(for: Array("https://twice.example/a.mp4?x=1".utf8)) == first)
    #expect(!String(decoding: second, as: UTF8.self).contains("x="))
  }
}
