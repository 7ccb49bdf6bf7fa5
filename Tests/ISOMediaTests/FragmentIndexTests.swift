import Support
import Synchronization
import Testing

@testable import ISOMedia

/// A file of which only the front was fetched; it counts what is read elsewhere.
private final class FetchedBytes: RandomAccessBytes, Sendable {
  private let bytes: InMemoryBytes
  private let front: Int64
  private let fetched = Mutex<[Range<Int64>]>([])

  init(_ bytes: [UInt8], front: Int64) {
    self.bytes = InMemoryBytes(bytes)
    self.front = front
  }

  var byteCount: Int64 { bytes.byteCount }
  /// Where it was read behind the front.
  var places: [Int64] { fetched.withLock { $0.map(\.lowerBound) } }

  func read(at offset: Int64, count: Int) -> [UInt8] {
    if offset >= front { fetched.withLock { $0.append(offset..<offset + Int64(count)) } }
    return bytes.read(at: offset, count: count)
  }

  func isAtHand(_ range: Range<Int64>) -> Bool { range.upperBound <= front }
}

@Suite(.timeLimit(.minutes(1))) struct `Given a fragmented file of which the front was fetched` {
  private static let count = 6
  private static let front: Int64 = 100_000

  /// Six fragments with a sync sample, two that precede it, and one more sync sample where requested.
  private static func fragments(isSyncTwice: Bool = false) -> [FragmentBuilder] {
    (0..<count).map { number in
      FragmentBuilder(
        [
          .init(size: 90_000, compositionOffset: 200), .init(size: 10, isSync: false),
          .init(size: 10, isSync: isSyncTwice, compositionOffset: 100),
        ], start: UInt64(number * 300))
    }
  }

  /// What all of a file says.
  private static func whole(_ fragments: [FragmentBuilder]) throws -> (
    movie: ISOMovie, places: [Int64]
  ) {
    let movie = try ClipBuilder.fragmented(fragments).read()
    return (movie, movie.topLevel.filter { $0.type == "moof" }.map(\.offset))
  }

  /// An index behind the file: a sync sample of each fragment, with its time.
  private static func randomAccess(_ times: [UInt64], _ places: [Int64]) -> [BoxBuilder] {
    let entries = zip(times, places).flatMap { time, place -> [BoxBuilder.Field] in
      [.u64(time), .u64(UInt64(place)), .u8(1), .u8(1), .u8(1)]
    }
    let table = BoxBuilder(
      "tfra", fields: [.full(1), .u32(1), .u32(0), .u32(UInt32(times.count))] + entries)
    let size = BoxBuilder("mfra", [table]).bytes.count + 16
    return [
      BoxBuilder("mfra", [table, BoxBuilder("mfro", fields: [.full(), .u32(UInt32(size))])])
    ]
  }

  private static func read(
    _ fragments: [FragmentBuilder], _ index: [BoxBuilder], keyframes: Bool = true
  ) throws -> (movie: ISOMovie, file: FetchedBytes) {
    let bytes = ClipBuilder.fragmented(fragments).bytes + index.flatMap(\.bytes)
    let file = FetchedBytes(bytes, front: front)
    return (try ISOMovie(reading: file, fragments: .indexed(keyframes: keyframes)), file)
  }

  private static let syncTimes = (0..<count).map { Int64($0 * 300 + 200) }

  @Test(arguments: [0, 200])
  func `when mfra names its fragments then those at both ends are read`(_ edit: UInt64) throws {
    let (whole, places) = try Self.whole(Self.fragments())
    // Some writers count from where the edit list begins, and write no time below zero.
    let times = (0..<Self.count).map { UInt64($0 * 300 + 200) - edit }
    let (movie, file) = try Self.read(Self.fragments(), Self.randomAccess(times, places))
    let track = movie.tracks[0]
    #expect(movie.unreadSectionCount == Self.count)
    #expect(track.unread?.syncTimes == Self.syncTimes)
    #expect(track.timing.totalDuration == whole.tracks[0].timing.totalDuration)
    let (table, all) = (try track.samples(), try whole.tracks[0].samples())
    #expect(table.count == 6 + 3 || table.count == 3 + 3)
    #expect(table.presentationEnd(table.count - 3) == all.presentationEnd(all.count - 3))
    #expect(table.offset(table.count - 1) == all.offset(all.count - 1))
    #expect(movie.problems.isEmpty)
    #expect(!file.places.contains { places[2..<5].contains($0) })
  }

  @Test func `when sidx names its fragments then those at both ends are read`() throws {
    let (whole, _) = try Self.whole(Self.fragments())
    let sizes = whole.topLevel.drop { $0.type != "moof" }.map(\.size)
    let references = (0..<Self.count).flatMap { number -> [BoxBuilder.Field] in
      [
        .u32(UInt32(sizes[number * 2] + sizes[number * 2 + 1])), .u32(300),
        .u32(0x9000_0000),
      ]
    }
    let index = BoxBuilder(
      "sidx",
      fields: [.full(), .u32(1), .u32(1000), .u32(200), .u32(0), .u16(0), .u16(UInt16(Self.count))]
        + references)
    let bytes = ClipBuilder.fragmented(Self.fragments()).bytes
    let start = Int(try #require(whole.topLevel.first { $0.type == "moof" }).offset)
    let file = FetchedBytes(
      bytes[..<start] + index.bytes + bytes[start...], front: Self.front)
    let movie = try ISOMovie(reading: file, fragments: .indexed(keyframes: true))
    #expect(movie.unreadSectionCount == Self.count)
    #expect(movie.tracks[0].unread?.syncTimes == Self.syncTimes)
    #expect(movie.movieFragmentCount < Self.count)
  }

  @Test func `when it is not asked for then all fragments are read`() throws {
    let (_, places) = try Self.whole(Self.fragments())
    let index = Self.randomAccess(Self.syncTimes.map(UInt64.init), places)
    let bytes = ClipBuilder.fragmented(Self.fragments()).bytes + index.flatMap(\.bytes)
    let movie = try ISOMovie(reading: FetchedBytes(bytes, front: Self.front))
    #expect(movie.unreadSectionCount == nil)
    #expect(movie.movieFragmentCount == Self.count)
  }

  @Test(arguments: ["time", "place", "count", "none", "start"])
  func `when the index does not fit then all fragments are read`(_ fault: String) throws {
    var fragments = Self.fragments(isSyncTwice: fault == "count")
    if fault == "start" { fragments[Self.count - 1].start = nil }
    let (whole, places) = try Self.whole(fragments)
    var times = Self.syncTimes.map(UInt64.init)
    var stated = places
    if fault == "time" { times[Self.count - 1] += 50 }
    if fault == "place" { stated[Self.count - 1] += 8 }
    let index = fault == "none" ? [] : Self.randomAccess(times, stated)
    let (movie, _) = try Self.read(fragments, index)
    #expect(movie.unreadSectionCount == nil)
    #expect(movie.movieFragmentCount == Self.count)
    #expect(
      try movie.tracks[0].samples().allPresentationTimes
        == whole.tracks[0].samples().allPresentationTimes)
  }

  @Test func `when the index names some keyframes only then it still shows the length`() throws {
    let fragments = Self.fragments(isSyncTwice: true)
    let (whole, places) = try Self.whole(fragments)
    let index = Self.randomAccess(Self.syncTimes.map(UInt64.init), places)
    let (movie, _) = try Self.read(fragments, index, keyframes: false)
    #expect(movie.unreadSectionCount == Self.count)
    #expect(movie.tracks[0].unread?.syncTimes == nil)
    #expect(movie.tracks[0].timing.totalDuration == whole.tracks[0].timing.totalDuration)
  }

  @Test func `when parts are asked for then the table has the times of those that were not read`()
    throws
  {
    let (whole, places) = try Self.whole(Self.fragments())
    let index = Self.randomAccess(Self.syncTimes.map(UInt64.init), places)
    let bytes = ClipBuilder.fragmented(Self.fragments()).bytes + index.flatMap(\.bytes)
    let part = ISOFragmentPart(start: places[3], mediaEnd: places[3], end: places[3])
    for parts in [[], [part]] {
      let file = FetchedBytes(bytes, front: Self.front)
      let movie = try #require(
        try ISOMovie(reading: file, limits: ISOLimits(), parts: parts))
      let (table, all) = (try movie.tracks[0].samples(), try whole.tracks[0].samples())
      #expect(table.count == all.count)
      #expect((0..<table.count).allSatisfy { table.decodeTime($0) == all.decodeTime($0) })
      #expect(table.allPresentationTimes.sorted() == all.allPresentationTimes.sorted())
      #expect((0..<table.count).count(where: table.isSync) == Self.count)
      #expect(movie.tracks[0].timing.totalDuration == whole.tracks[0].timing.totalDuration)
      #expect(file.places.contains(places[3]) == !parts.isEmpty)
      #expect(!file.places.contains(places[2]) && !file.places.contains(places[4]))
      let assumed = try #require(movie.tracks[0].assumed)
      #expect(assumed.sections.map(\.place) == places)
      #expect(
        (0..<table.count).allSatisfy { number in
          assumed.contains(number) || table.offset(number) == all.offset(number)
        })
    }
  }

  @Test func `when parts are asked for and lengths vary then nothing follows`() throws {
    var fragments = Self.fragments()
    fragments[3].samples[1].duration = 101
    let (_, places) = try Self.whole(fragments)
    let index = Self.randomAccess(Self.syncTimes.map(UInt64.init), places)
    let bytes = ClipBuilder.fragmented(fragments).bytes + index.flatMap(\.bytes)
    let part = ISOFragmentPart(start: places[3], mediaEnd: places[3], end: places[3])
    let file = FetchedBytes(bytes, front: Self.front)
    #expect(try ISOMovie(reading: file, limits: ISOLimits(), parts: [part]) == nil)
  }
}
