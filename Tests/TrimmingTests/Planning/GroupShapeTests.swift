import ExactTime
import MediaFacts
import Support
import Testing
import Trimming

/// Packets in decode order, written as their PTS; capitals of the pattern are keyframes.
private func clip(_ frames: [(pts: Int64, isKey: Bool)]) -> ContiguousArray<CodedPacket> {
  ContiguousArray(
    frames.enumerated().map { place, frame in
      CodedPacket(
        pts: frame.pts, dts: Int64(place), duration: 1, byteCount: 100, isKey: frame.isKey)
    })
}

/// GOPs of eight frames: I P B b b P B b b …, each closed or open.
private func gops(_ count: Int, isOpen: Bool) -> ContiguousArray<CodedPacket> {
  var frames: [(Int64, Bool)] = []
  for gop in 0..<Int64(count) {
    let start = gop * 8
    if isOpen, gop > 0 {
      // The keyframe comes first and is shown after three leading pictures.
      frames += [(start + 3, true), (start + 1, false), (start, false), (start + 2, false)]
      frames += [(start + 7, false), (start + 5, false), (start + 4, false), (start + 6, false)]
    } else {
      frames += [(start, true), (start + 4, false), (start + 2, false), (start + 1, false)]
      frames += [(start + 3, false), (start + 7, false), (start + 5, false), (start + 6, false)]
    }
  }
  return clip(frames)
}

private func planner(
  _ packets: ContiguousArray<CodedPacket>, _ leading: VideoPlanner.LeadingPictures = .inHead,
  key: RandomAccessKind = .idr
) -> VideoPlanner {
  VideoPlanner(packets, leadingPictures: leading) { packets[$0].isKey ? key : .flaggedOnly }
}

extension VideoCut {
  /// The PTS of all output frames.
  fileprivate func shown(_ packets: ContiguousArray<CodedPacket>) -> [Int64] {
    let left = Set(left)
    let places = head + replaced + copied.filter { !left.contains($0) } + tail
    return places.map { packets[$0].pts }
  }
}

@Suite struct `Given closed GOPs` {
  private let packets = gops(4, isOpen: false)

  @Suite struct `When the range goes from keyframe to keyframe` {
    private let packets = gops(4, isOpen: false)

    @Test func `then everything is copied`() {
      let cut = planner(packets).smart(8..<24)
      #expect(cut.copied == 8..<24)
      #expect(cut.encodedCount == 0)
      #expect(cut.entry == .closed)
    }
  }

  @Test func `then IN inside a GOP is encoded up to the next keyframe`() {
    let cut = planner(packets).smart(5..<24)
    #expect(cut.head.map { packets[$0].pts }.sorted() == [5, 6, 7])
    #expect(cut.copied == 8..<24)
    #expect(cut.tail.isEmpty)
    #expect(cut.headSource.lowerBound == 0)
  }

  @Test func `then OUT inside a GOP encodes only frames that need pictures past OUT`() {
    // In decode order: 8 12 10 9 11 15 13 14; the first frame past OUT is 15.
    let cut = planner(packets).smart(8..<14)
    #expect(cut.copied == 8..<13)
    #expect(cut.tail.map { packets[$0].pts }.sorted() == [13])
  }

  @Test func `then a range without a keyframe is encoded whole and says why`() {
    let cut = planner(packets).smart(9..<12)
    #expect(cut.copiedCount == 0)
    #expect(cut.tail.map { packets[$0].pts }.sorted() == [9, 10, 11])
    #expect(cut.reason == .noRandomAccessPoint)
  }

  @Test func `then a keyframe that is only flagged is not a random access point`() {
    let cut = planner(packets, key: .flaggedOnly).smart(8..<24)
    #expect(cut.copiedCount == 0)
    #expect(cut.reason == .noRandomAccessPoint)
  }

  @Test func `then an edit list can hide unwanted frames, and nothing is encoded`() {
    let cut = planner(packets).hiding(5..<14)
    #expect(cut.encodedCount == 0)
    #expect(cut.copied.lowerBound == 0)
    #expect(cut.shownCount == 9)
  }
}

@Suite struct `Given open GOPs` {
  private let packets = gops(4, isOpen: true)

  @Test func `then a first keyframe that is shown last in its GOP keeps its leading pictures`() {
    // VVC random access pictures: the first is shown after seven that refer to it.
    var late = ContiguousArray(packets.prefix(8))
    for place in late.indices { late[place].pts = place == 0 ? 7 : Int64(place) - 1 }
    let cut = planner(late).hiding(2..<6)
    #expect(cut.copied.lowerBound == 0)
    #expect(cut.left.isEmpty)
    #expect(cut.shownCount == 4)
  }

  @Test func `then leading pictures are encoded with the head`() {
    let cut = planner(packets, key: .cra).smart(6..<24)
    #expect(cut.head.map { packets[$0].pts }.sorted() == [6, 7, 8, 9, 10])
    #expect(cut.copied.lowerBound == 8)
    #expect(cut.left.map { packets[$0].pts } == [9, 8, 10])
    #expect(cut.replaced.isEmpty)
    #expect(cut.entry == .open)
  }

  @Test func `then a keyframe that shares its time with a leading picture is not used`() {
    // In decode order: 11 9 8 10 15 …; 10 is moved to 11.
    var twins = packets
    let moved = twins.firstIndex { $0.pts == 10 } ?? 0
    twins[moved].pts = 11
    let cut = planner(twins, key: .cra).smart(6..<24)
    #expect(cut.copied.lowerBound == 16)
    #expect(cut.head.filter { (11...12).contains(twins[$0].pts) }.count == 3)
    #expect(cut.headSource.lowerBound == 0)
    #expect(planner(twins, key: .recoveryPoint).smart(6..<24).copied.lowerBound == 8)
  }

  @Test func `then leading pictures keep their position if later ones depend on it`() {
    let cut = planner(packets, .inPlace, key: .recoveryPoint).smart(6..<24)
    #expect(cut.head.map { packets[$0].pts }.sorted() == [6, 7])
    #expect(cut.replaced.map { packets[$0].pts } == [9, 8, 10])
  }

  @Test func `then IN at the keyframe drops its leading pictures`() {
    let cut = planner(packets, .inPlace, key: .recoveryPoint).smart(11..<24)
    #expect(cut.head.isEmpty)
    #expect(cut.replaced.isEmpty)
    #expect(cut.left.count == 3)
  }

  @Test func `then IN among the leading pictures encodes them before the keyframe`() {
    let cut = planner(packets, .inPlace, key: .recoveryPoint).smart(10..<24)
    #expect(cut.head.map { packets[$0].pts }.sorted() == [10])
    #expect(cut.replaced.isEmpty)
  }
}

@Suite struct `Given any groups of pictures` {
  @Test(arguments: [false, true], 1...40)
  func `then splitting neither duplicates nor drops a frame`(isOpen: Bool, seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let packets = gops(5, isOpen: isOpen)
    var cuts = (0..<3).map { _ in Int64.random(in: 1..<40, using: &generator) }.sorted()
    cuts = [0] + cuts + [40]
    var shown: [Int64] = []
    for (from, to) in zip(cuts, cuts.dropFirst()) where from < to {
      for leading in [VideoPlanner.LeadingPictures.inHead, .inPlace] {
        let cut = planner(packets, leading, key: .recoveryPoint).smart(from..<to)
        #expect(cut.shown(packets).sorted() == Array(from..<to), "\(generator) \(from)..<\(to)")
        if leading == .inHead { shown += cut.shown(packets) }
        // The encoded tail is shown after the copied run.
        let copied = Set(cut.copied).subtracting(cut.left).map { packets[$0].pts }
        if let last = copied.max(), let first = cut.tail.map({ packets[$0].pts }).min() {
          #expect(last < first, "\(generator)")
        }
        #expect(cut.tail.count <= max(3, cut.copiedCount == 0 ? 40 : 3), "\(generator)")
      }
    }
    #expect(shown.sorted() == Array(0..<40), "\(generator)")
  }
}
