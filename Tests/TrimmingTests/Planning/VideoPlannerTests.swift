import MediaFacts
import Support
import Testing
import Trimming

@Suite struct `Given the video of a file to cut` {
  struct Shape: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var clip: String
    var range: Range<Int64>
    var leading = VideoPlanner.LeadingPictures.inHead
    /// Encoded head, `|`, copied pictures with replacements in brackets, `|`, encoded tail.
    var plan: String

    static let closed = "I0 P3 B1 B2 P6 B4 B5 I7 P10 B8 B9 P13 B11 B12 I14 P15"
    static let open = "I0 P3 B1 B2 C6 B4 B5 P9 B7 B8 C12 B10 B11 P15 B13 B14"
    static let pyramid = "I0 P4 B2 B1 B3 P8 B6 B5 B7 I9 P13 B11 B10 B12"

    static let all = [
      Shape(
        testDescription: "key to key of closed groups: all copied", clip: closed, range: 7..<14,
        plan: "|7 10 8 9 13 11 12|"),
      Shape(
        testDescription: "one frame after a key: up to the next one encoded", clip: closed,
        range: 1..<14, plan: "1 2 3 4 5 6|7 10 8 9 13 11 12|"),
      Shape(
        testDescription: "OUT between an anchor and those shown before it", clip: closed,
        range: 7..<12, plan: "|7 10 8 9|11"),
      Shape(
        testDescription: "OUT right behind an anchor: copied with all that precede it",
        clip: closed, range: 7..<11, plan: "|7 10 8 9|"),
      Shape(
        testDescription: "inside one group, without a point of entry", clip: closed, range: 1..<6,
        plan: "||1 2 3 4 5"),
      Shape(
        testDescription: "one frame that is a key", clip: closed, range: 7..<8, plan: "|7|"),
      Shape(testDescription: "one frame that is none", clip: closed, range: 8..<9, plan: "||8"),
      Shape(
        testDescription: "before all keys up to the first frame of one", clip: closed,
        range: 5..<8, plan: "5 6|7|"),
      Shape(
        testDescription: "the whole clip", clip: closed, range: -5..<99,
        plan: "|0 3 1 2 6 4 5 7 10 8 9 13 11 12 14 15|"),
      Shape(testDescription: "nothing of it", clip: closed, range: 90..<99, plan: "||"),
      Shape(testDescription: "an empty range", clip: closed, range: 7..<7, plan: "||"),
      Shape(
        testDescription: "an open group with a head: its leading pictures with it", clip: open,
        range: 3..<12, plan: "3 4 5|6 9 7 8|10 11"),
      Shape(
        testDescription: "an open group with a head: its leading pictures at their places",
        clip: open, range: 3..<12, leading: .inPlace, plan: "3|6 [4] [5] 9 7 8|10 11"),
      Shape(
        testDescription: "from an open group's key: its leading pictures are not in the range",
        clip: open, range: 6..<10, leading: .inPlace, plan: "|6 9 7 8|"),
      Shape(
        testDescription: "from a leading picture: no head to go on from", clip: open,
        range: 5..<10, leading: .inPlace, plan: "5|6 9 7 8|"),
      Shape(
        testDescription: "open groups behind the first key stay as they are", clip: open,
        range: 0..<15, plan: "|0 3 1 2 6 4 5 9 7 8 12 10 11|13 14"),
      Shape(
        testDescription: "OUT right behind an open group's key: it is copied, and what is shown "
          + "before it too",
        clip: open, range: 0..<7, plan: "|0 3 1 2 6 4 5|"),
      Shape(
        testDescription: "OUT at a leading picture: no more than the group before", clip: open,
        range: 0..<5, plan: "|0 3 1 2|4"),
      Shape(
        testDescription: "a pyramid cut between its levels", clip: pyramid, range: 0..<3,
        plan: "|0|1 2"),
      Shape(
        testDescription: "a pyramid cut behind its middle", clip: pyramid, range: 0..<4,
        plan: "|0|1 2 3"),
      Shape(
        testDescription: "a pyramid cut behind its anchor", clip: pyramid, range: 0..<5,
        plan: "|0 4 2 1 3|"),
      Shape(
        testDescription: "a flag without a point of entry is passed over",
        clip: "I0 P1 K2 P3 I4 P5", range: 1..<6, plan: "1 2 3|4 5|"),
      Shape(
        testDescription: "only flags", clip: "K0 P1 K2 P3", range: 0..<4, plan: "||0 1 2 3"),
      Shape(
        testDescription: "a frame shown after the key and decoded before it",
        clip: "I0 P1 P5 I4 P6 I7 P8", range: 1..<9, plan: "1 4 5 6|7 8|"),
    ]
  }

  @Test(arguments: Shape.all)
  func `when a part is cut then no more is encoded than necessary`(
    _ shape: Shape
  ) {
    let clip = DrawnClip(shape.clip)
    let cut = clip.planner(shape.leading).smart(shape.range)
    #expect(clip.drawing(of: cut) == shape.plan)
  }

  @Test func `when nothing can be copied then the plan says why`() {
    let clip = DrawnClip(Shape.closed)
    let planner = clip.planner(.inHead)
    #expect(planner.smart(1..<6).reason == .noRandomAccessPoint)
    #expect(planner.smart(1..<9).reason == nil)
    #expect(planner.encoded(0..<9, because: .askedFor).reason == .askedFor)
  }

  @Test func `when the copied run begins then the plan states how a decoder can start there`() {
    let closed = DrawnClip(Shape.closed).planner(.inPlace)
    #expect(closed.smart(5..<14).entry == .closed)
    let open = DrawnClip(Shape.open).planner(.inPlace)
    #expect(open.smart(3..<12).entry == .open)
    #expect(open.smart(7..<9).entry == .none)
  }

  @Test func `when frames are encoded then decoding starts at an entry point not shown after them`()
  {
    let clip = DrawnClip(Shape.closed)
    let cut = clip.planner(.inHead).smart(9..<16)
    #expect(clip.shown(cut.head) == [9, 10, 11, 12, 13])
    #expect(cut.headSource.lowerBound == 7)
    #expect(cut.headSource.contains(8), "the picture that is decoded before those it follows")
  }

  private static let seeds = Array(UInt64(1)...300)

  private static func clip(
    _ seed: UInt64
  ) -> (DrawnClip, Range<Int64>, VideoPlanner.LeadingPictures, SeededGenerator) {
    var generator = SeededGenerator(seed: seed)
    let clip = DrawnClip.random(groups: 6, using: &generator)
    let start = Int64.random(in: clip.ticks, using: &generator)
    let end = Int64.random(in: start...clip.ticks.upperBound, using: &generator)
    return (clip, start..<end, Bool.random(using: &generator) ? .inPlace : .inHead, generator)
  }

  @Test(arguments: seeds)
  func `then every frame of the range is there once, and no others`(_ seed: UInt64) {
    let (clip, range, leading, generator) = Self.clip(seed)
    let cut = clip.planner(leading).smart(range)
    let left = Set(cut.left)
    let copied = cut.copied.filter { !left.contains($0) }
    let all = clip.ticks(cut.head + cut.replaced + copied + cut.tail)
    #expect(all.sorted() == Array(range), "\(generator): \(clip)")
    #expect(all.count == cut.frameCount)
    #expect(cut.encodedCount + cut.copiedCount == cut.frameCount)
  }

  @Test(arguments: seeds)
  func `then head, copied run and tail are shown in sequence`(_ seed: UInt64) {
    let (clip, range, leading, generator) = Self.clip(seed)
    let cut = clip.planner(leading).smart(range)
    let left = Set(cut.left).subtracting(cut.replaced)
    let run = clip.ticks(cut.copied.filter { !left.contains($0) })
    let parts = clip.shown(cut.head) + run.sorted() + clip.shown(cut.tail)
    #expect(parts == parts.sorted(), "\(generator): \(clip)")
  }

  @Test(arguments: seeds)
  func `then a decoder can start at the copied run, and what it drops is shown before`(
    _ seed: UInt64
  ) {
    let (clip, range, leading, generator) = Self.clip(seed)
    let cut = clip.planner(leading).smart(range)
    guard let first = cut.copied.first else { return }
    #expect(clip.packets[first].isKey, "\(generator): \(clip)")
    let entry = clip.packets[first].pts
    #expect(
      cut.left == cut.copied.filter { clip.packets[$0].pts < entry }, "\(generator): \(clip)")
    #expect(Set(cut.replaced).isSubset(of: cut.left))
    if !cut.replaced.isEmpty {
      #expect(cut.replaced == cut.left, "all or none: \(generator): \(clip)")
    }
  }

  @Test(arguments: seeds)
  func `then the copied run is as long as it can be`(_ seed: UInt64) {
    let (clip, range, leading, generator) = Self.clip(seed)
    let cut = clip.planner(leading).smart(range)
    guard let first = cut.copied.first else { return }
    let entry = clip.packets[first].pts
    // The longest run of frames before OUT that are all shown before frames decoded later.
    let longest = (first + 1...clip.packets.count).last { end in
      let run = clip.packets[first..<end].map(\.pts)
      let later = clip.packets[end...].map(\.pts).filter { range.contains($0) && $0 > entry }
      return run.allSatisfy { $0 < range.upperBound }
        && (run.max() ?? .min) < (later.min() ?? .max)
    }
    #expect(cut.copied.upperBound == longest, "\(generator): \(clip)")
  }

  @Test(arguments: seeds)
  func `then decoding for the edges begins where a decoder can start`(_ seed: UInt64) {
    let (clip, range, leading, generator) = Self.clip(seed)
    let cut = clip.planner(leading).smart(range)
    for (places, source) in [
      (cut.head + cut.replaced, cut.headSource), (cut.tail, cut.tailSource),
    ] where !places.isEmpty {
      #expect(clip.packets[source.lowerBound].isKey, "\(generator): \(clip)")
      #expect(places.allSatisfy { source.contains($0) }, "\(generator): \(clip)")
      let earliest = clip.ticks(places).min() ?? 0
      #expect(clip.packets[source.lowerBound].pts <= earliest, "\(generator): \(clip)")
    }
  }

  @Test(arguments: seeds)
  func `when it is split then no frame is lost or duplicated`(_ seed: UInt64) {
    var (clip, _, leading, generator) = Self.clip(seed)
    var ends = (0..<4).map { _ in Int64.random(in: clip.ticks, using: &generator) }.sorted()
    ends = [0] + ends + [clip.ticks.upperBound]
    var shown: [Int64] = []
    for (start, end) in zip(ends, ends.dropFirst()) {
      let cut = clip.planner(leading).smart(start..<end)
      let left = Set(cut.left)
      let run = cut.copied.filter { !left.contains($0) }
      shown += clip.ticks(cut.head + cut.replaced + run + cut.tail).sorted()
    }
    #expect(shown == Array(clip.ticks), "\(generator): \(clip)")
  }
}
