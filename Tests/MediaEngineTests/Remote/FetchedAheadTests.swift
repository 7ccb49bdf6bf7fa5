import Support
import Testing
import Threads

@testable import MediaFiles

@Suite(.timeLimit(.minutes(1))) struct `Given a remote file of which several ranges are announced` {
  private static let content: [UInt8] = {
    var generator = SeededGenerator(seed: 4)
    return generator.bytes(20 << 20)
  }()

  /// Ten ranges of 512 KiB, with gaps that are not read through.
  private static let ranges = (1...10).map {
    Int64($0) * 1_700_000..<Int64($0) * 1_700_000 + 524_288
  }

  private static func isRight(_ file: RemoteFile, _ range: Range<Int64>) throws -> Bool {
    let bytes = try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      filled = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)
        .get()
    }
    return ByteSearch.areEqual(bytes, content[Int(range.lowerBound)..<Int(range.upperBound)])
  }

  private static func file(_ double: RemoteDouble, cacheBytes: Int = 64 << 20) -> RemoteFile {
    let file = RemoteFile(double, name: [], cache: BlockCache(byteCount: cacheBytes))
    for range in ranges { file.announce(range) }
    return file
  }

  @Test func `then four requests are in flight, and nothing is asked for twice`() throws {
    let double = RemoteDouble(Self.content, delay: .milliseconds(20))
    let file = Self.file(double)
    for range in Self.ranges { #expect(try Self.isRight(file, range)) }
    #expect(double.mostInFlight == 4)
    #expect(double.cost.requests == 11)
    // At both ends of a range, a block is asked for as a whole.
    #expect(double.cost.bytes <= Int64(512 << 10) + 10 * (524_288 + 2 * (16 << 10)))
  }

  @Test func `when the cache is small then what was not read yet is kept`() throws {
    let double = RemoteDouble(Self.content, firstBytes: 64 << 10)
    let file = Self.file(double, cacheBytes: 4 << 20)
    for range in Self.ranges { #expect(try Self.isRight(file, range)) }
    #expect(double.cost.requests == 11)
  }

  @Test func `when all of it is announced then it comes in pieces, several at once`() throws {
    let double = RemoteDouble(Self.content, delay: .milliseconds(20))
    let file = RemoteFile(double, name: [], cache: BlockCache(byteCount: 16 << 20))
    file.announce(0..<file.byteCount)
    for place in stride(from: 0, to: file.byteCount, by: 1 << 18) {
      #expect(try Self.isRight(file, place..<min(place + 1 << 18, file.byteCount)))
    }
    #expect(double.mostInFlight > 1 && double.mostInFlight <= 4)
    #expect(double.cost.bytes == file.byteCount)
  }

  @Test func `when it may not be read at all then it is not fetched before`() throws {
    let double = RemoteDouble(Self.content)
    let file = RemoteFile(double, name: [], cache: BlockCache())
    for range in Self.ranges { file.expect(range) }
    #expect(try Self.isRight(file, Self.ranges[0]))
    #expect(double.cost.requests == 2)
  }

  @Test func `when what nobody reads fails then nothing else does`() throws {
    let double = RemoteDouble(Self.content)
    double.fail(at: Self.ranges[2].lowerBound)
    let file = Self.file(double)
    #expect(try Self.isRight(file, Self.ranges[0]))
    #expect(try Self.isRight(file, Self.ranges[4]))
    #expect(file.fault == nil)
    #expect(throws: (any Error).self) { try Self.isRight(file, Self.ranges[2]) }
    #expect(file.fault?.code == .stalled)
  }

  @Test func `when several read at once then each gets its bytes`() async throws {
    let double = RemoteDouble(Self.content, delay: .milliseconds(5))
    let file = Self.file(double)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for range in Self.ranges.reversed() + Self.ranges {
        group.addTask { try await WaitingThread.value { try Self.isRight(file, range) } }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(double.cost.bytes <= Int64(512 << 10) + 10 * (524_288 + 2 * (16 << 10)))
  }
}

@Suite struct `Given addresses of a list that has no end` {
  private static func address(_ number: Int) -> [UInt8] {
    Array("https://many.example/\(number).mp4?key=secret\(number)".utf8)
  }

  @Test func `then a bounded number of names is kept, and the newest lead to their addresses`() {
    var names = RemoteNames()
    let pinned = names.name(
      for: Self.address(-1), shown: RemoteFiles.shown(Self.address(-1)), isListed: false
    ).name
    var last: [UInt8] = []
    for number in 0..<3 * RemoteNames.mostListed {
      let address = Self.address(number)
      let before = last
      let (name, forgotten) = names.name(
        for: address, shown: RemoteFiles.shown(address), isListed: true)
      last = name
      #expect((forgotten == nil) == (number < RemoteNames.mostListed) && forgotten != before)
      #expect(names.address(of: last) == address)
    }
    #expect(names.count == RemoteNames.mostListed + 1)
    #expect(names.address(of: pinned) == Self.address(-1))
    #expect(String(decoding: last, as: UTF8.self).hasSuffix(".mp4?…"))
  }

  @Test func `then one with a password is not confused with one without`() {
    var names = RemoteNames()
    let (plain, own) = (Array("https://h/a.mp4".utf8), Array("https://me:secret@h/a.mp4".utf8))
    let first = names.name(for: plain, shown: RemoteFiles.shown(plain), isListed: true).name
    let second = names.name(for: own, shown: RemoteFiles.shown(own), isListed: true).name
    #expect(first == plain)
    #expect(second != plain)
    #expect(names.address(of: second) == own)
  }
}
