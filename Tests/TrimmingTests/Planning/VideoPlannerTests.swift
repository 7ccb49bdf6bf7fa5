import MediaFacts
import Support
import Testing
import Trimming

@Suite struct `Given the pictures of a file to cut` {
  struct Shape: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var film: String
    var range: Range<Int64>
    var leading = VideoPlanner.LeadingPictures.inHead
    /// Encoded head, `|`, copied pictures with replacements in brackets, `|`, encoded tail.
    var plan: String

    static let closed = "I0 P3 B1 B2 P6 B4 B5 I7 P10 B8 B9 P13 B11 B12 I14 P15"
    static let open = "I0 P3 B1 B2 C6 B4 B5 P9 B7 B8 C12 B10 B11 P15 B13 B14"
    static let pyramid = "I0 P4 B2 B1 B3 P8 B6 B5 B7 I9 P13 B11 B10 B12"

    static let all = [
      Shape(
        testDescription: "key to key of closed groups: all copied", film: closed, range: 7..<14,
        plan: "|7 10 8 9 13 11 12|"),
      Shape(
        testDescription: "one frame after a key: up to the next one encoded", film: closed,
        range: 1..<14, plan: "1 2 3 4 5 6|7 10 8 9 13 11 12|"),
      Shape(
        testDescription: "OUT between an anchor and those shown before it", film: closed,
        range: 7..<12, plan: "|7 10 8 9|11"),
      Shape(
        testDescription: "OUT right behind an anchor: copied with all that precede it",
        film: closed, range: 7..<11, plan: "|7 10 8 9|"),
      Shape(
        testDescription: "inside one group, without a point of entry", film: closed, range: 1..<6,
        plan: "||1 2 3 4 5"),
      Shape(
        testDescription: "one frame that is a key", film: closed, range: 7..<8, plan: "|7|"),
      Shape(testDescription: "one frame that is none", film: closed, range: 8..<9, plan: "||8"),
      Shape(
        testDescription: "before all keys up to the first frame of one", film: closed,
        range: 5..<8, plan: "5 6|7|"),
      Shape(
        testDescription: "the whole film", film: closed, range: -5..<99,
        plan: "|0 3 1 2 6 4 5 7 10 8 9 13 11 12 14 15|"),
      Shape(testDescription: "nothing of it", film: closed, range: 90..<99, plan: "||"),
      Shape(testDescription: "an empty range", film: closed, range: 7..<7, plan: "||"),
      Shape(
        testDescription: "an open group with a head: its leading pictures with it", film: open,
        range: 3..<12, plan: "3 4 5|6 9 7 8|10 11"),
      Shape(
        testDescription: "an open group with a head: its leading pictures at their places",
        film: open, range: 3..<12, leading: .inPlace, plan: "3|6 [4] [5] 9 7 8|10 11"),
      Shape(
        testDescription: "from an open group's key: its leading pictures are not in the range",
        film: open, range: 6..<10, leading: .inPlace, plan: "|6 9 7 8|"),
      Shape(
        testDescription: "from a leading picture: no head to go on from", film: open,
        range: 5..<10, leading: .inPlace, plan: "5|6 9 7 8|"),
      Shape(
        testDescription: "open groups behind the first key stay as they are", film: open,
        range: 0..<15, plan: "|0 3 1 2 6 4 5 9 7 8 12 10 11|13 14"),
      Shape(
        testDescription: "OUT right behind an open group's key: it is copied, and what is shown "
          + "before it too",
        film: open, range: 0..<7, plan: "|0 3 1 2 6 4 5|"),
      Shape(
        testDescription: "OUT at a leading picture: no more than the group before", film: open,
        range: 0..<5, plan: "|0 3 1 2|4"),
      Shape(
        testDescription: "a pyramid cut between its levels", film: pyramid, range: 0..<3,
        plan: "|0|1 2"),
      Shape(
        testDescription: "a pyramid cut behind its middle", film: pyramid, range: 0..<4,
        plan: "|0|1 2 3"),
      Shape(
        testDescription: "a pyramid cut behind its anchor", film: pyramid, range: 0..<5,
        plan: "|0 4 2 1 3|"),
      Shape(
        testDescription: "a flag without a point of entry is passed over",
        film: "I0 P1 K2 P3 I4 P5", range: 1..<6, plan: "1 2 3|4 5|"),
      Shape(
        testDescription: "only flags", film: "K0 P1 K2 P3", range: 0..<4, plan: "||0 1 2 3"),
      Shape(
        testDescription: "a frame shown after the key and decoded before it",
        film: "I0 P1 P5 I4 P6 I7 P8", range: 1..<9, plan: "1 4 5 6|7 8|"),
    ]
  }

  @Test(arguments: Shape.all)
  func `when a part is cut then no more is encoded than necessary`(
    _ shape: Shape
  ) {
    let film = DrawnFilm(shape.film)
    let cut = film.planner(shape.leading).smart(shape.range)
    #expect(film.drawing(of: cut) == shape.plan)
  }

  @Test func `when nothing can be copied then the plan says why`() {
    let film = DrawnFilm(Shape.closed)
    let planner = film.planner(.inHead)
    #expect(planner.smart(1..<6).reason == .noRandomAccess)
    #expect(planner.smart(1..<9).reason == nil)
    #expect(planner.encoded(0..<9, because: .asked).reason == .asked)
  }

  @Test func `when the copied run begins then the plan states how a decoder can start there`() {
    let closed = DrawnFilm(Shape.closed).planner(.inPlace)
    #expect(closed.smart(5..<14).entry == .closed)
    let open = DrawnFilm(Shape.open).planner(.inPlace)
    #expect(open.smart(3..<12).entry == .open)
    #expect(open.smart(7..<9).entry == .none)
  }

  @Test func `when frames are encoded then decoding starts at an entry point not shown after them`()
  {
    let film = DrawnFilm(Shape.closed)
    let cut = film.planner(.inHead).smart(9..<16)
    #expect(film.shown(cut.head) == [9, 10, 11, 12, 13])
    #expect(cut.headSource.lowerBound == 7)
    #expect(cut.headSource.contains(8), "the picture that is decoded before those it follows")
  }

  private static let seeds = Array(UInt64(1)...300)

  private static func film(
    _ seed: UInt64
  ) -> (DrawnFilm, Range<Int64>, VideoPlanner.LeadingPictures, SeededGenerator) {
    var generator = SeededGenerator(seed: seed)
    let film = DrawnFilm.random(groups: 6, using: &generator)
    let start = Int64.random(in: film.ticks, using: &generator)
    let end = Int64.random(in: start...film.ticks.upperBound, using: &generator)
    return (film, start..<end, Bool.random(using: &generator) ? .inPlace : .inHead, generator)
  }

  @Test(arguments: seeds)
  func `then every frame of the range is there once, and no others`(_ seed: UInt64) {
    let (film, range, leading, generator) = Self.film(seed)
    let cut = film.planner(leading).smart(range)
    let left = Set(cut.left)
    let copied = cut.copied.filter { !left.contains($0) }
    let all = film.ticks(cut.head + cut.replaced + copied + cut.tail)
    #expect(all.sorted() == Array(range), "\(generator): \(film)")
    #expect(all.count == cut.frameCount)
    #expect(cut.encodedCount + cut.copiedCount == cut.frameCount)
  }

  @Test(arguments: seeds)
  func `then head, copied run and tail are shown in sequence`(_ seed: UInt64) {
    let (film, range, leading, generator) = Self.film(seed)
    let cut = film.planner(leading).smart(range)
    let left = Set(cut.left).subtracting(cut.replaced)
    let run = film.ticks(cut.copied.filter { !left.contains($0) })
    let parts = film.shown(cut.head) + run.sorted() + film.shown(cut.tail)
    #expect(parts == parts.sorted(), "\(generator): \(film)")
  }

  @Test(arguments: seeds)
  func `then a decoder can start at the copied run, and what it drops is shown before`(
    _ seed: UInt64
  ) {
    let (film, range, leading, generator) = Self.film(seed)
    let cut = film.planner(leading).smart(range)
    guard let first = cut.copied.first else { return }
    #expect(film.packets[first].isKey, "\(generator): \(film)")
    let entry = film.packets[first].pts
    #expect(
      cut.left == cut.copied.filter { film.packets[$0].pts < entry }, "\(generator): \(film)")
    #expect(Set(cut.replaced).isSubset(of: cut.left))
    if !cut.replaced.isEmpty {
      #expect(cut.replaced == cut.left, "all or none: \(generator): \(film)")
    }
  }

  @Test(arguments: seeds)
  func `then the copied run is as long as it can be`(_ seed: UInt64) {
    let (film, range, leading, generator) = Self.film(seed)
    let cut = film.planner(leading).smart(range)
    guard let first = cut.copied.first else { return }
    let entry = film.packets[first].pts
    // The longest run of frames before OUT that are all shown before frames decoded later.
    let longest = (first + 1...film.packets.count).last { end in
      let run = film.packets[first..<end].map(\.pts)
      let later = film.packets[end...].map(\.pts).filter { range.contains($0) && $0 > entry }
      return run.allSatisfy { $0 < range.upperBound }
        && (run.max() ?? .min) < (later.min() ?? .max)
    }
    #expect(cut.copied.upperBound == longest, "\(generator): \(film)")
  }

  @Test(arguments: seeds)
  func `then decoding for the edges begins where a decoder can start`(_ seed: UInt64) {
    let (film, range, leading, generator) = Self.film(seed)
    let cut = film.planner(leading).smart(range)
    for (places, source) in [
      (cut.head + cut.replaced, cut.headSource), (cut.tail, cut.tailSource),
    ] where !places.isEmpty {
      #expect(film.packets[source.lowerBound].isKey, "\(generator): \(film)")
      #expect(places.allSatisfy { source.contains($0) }, "\(generator): \(film)")
      let earliest = film.ticks(places).min() ?? 0
      #expect(film.packets[source.lowerBound].pts <= earliest, "\(generator): \(film)")
    }
  }

  @Test(arguments: seeds)
  func `when it is split then no frame is lost or duplicated`(_ seed: UInt64) {
    var (film, _, leading, generator) = Self.film(seed)
    var ends = (0..<4).map { _ in Int64.random(in: film.ticks, using: &generator) }.sorted()
    ends = [0] + ends + [film.ticks.upperBound]
    var shown: [Int64] = []
    for (start, end) in zip(ends, ends.dropFirst()) {
      let cut = film.planner(leading).smart(start..<end)
      let left = Set(cut.left)
      let run = cut.copied.filter { !left.contains($0) }
      shown += film.ticks(cut.head + cut.replaced + run + cut.tail).sorted()
    }
    #expect(shown == Array(film.ticks), "\(generator): \(film)")
  }
}
