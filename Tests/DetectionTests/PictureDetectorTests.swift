import Detection
import ExactTime
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given small pictures` {
  private static let columns = 64

  /// The time of a frame at 30000/1001 fps.
  private static func frame(_ number: Int) throws -> MediaTimeRange {
    try #require(
      MediaTimeRange(
        from: MediaTime(Int64(number) * 1001, 30_000),
        to: MediaTime(Int64(number + 1) * 1001, 30_000)))
  }

  private static func range(_ frames: Range<Int>) throws -> MediaTimeRange {
    try #require(
      MediaTimeRange(from: frame(frames.lowerBound).start, to: frame(frames.upperBound - 1).end))
  }

  private static func grid(_ cell: (_ column: Int, _ row: Int) -> Int) -> PictureGrid {
    PictureGrid(
      columns: columns,
      cells: (0..<columns * 36).map { UInt8(clamping: cell($0 % columns, $0 / columns)) })
  }

  /// A scene of its own, which moves from frame to frame.
  private static func scene(_ number: Int, at place: Int = 0) -> PictureGrid {
    grid { column, row in
      (column * (7 + number * 13) + row * (11 + number * 5) + place + number * 71) % 200 + 30
    }
  }

  private static let black = grid { _, _ in 2 }

  /// From one scene to another, in the frames from 20 to 40.
  private static func dissolve(_ number: Int) -> PictureGrid {
    let share = max(0, min(20, number - 20))
    let (a, b) = (scene(0), scene(1))
    return grid { column, row in
      let place = row * columns + column
      return (Int(a.cells[place]) * (20 - share) + Int(b.cells[place]) * share) / 20
    }
  }

  @Test func `when some are black then these are found, to the frame`() throws {
    var detector = BlackDetector(shortest: .zero)
    for number in 0..<40 {
      let isBlack = (10..<11).contains(number) || (20..<35).contains(number)
      detector.add(isBlack ? Self.black : Self.scene(1, at: number), try Self.frame(number))
    }
    #expect(detector.findings().map(\.range) == [try Self.range(10..<11), try Self.range(20..<35)])
  }

  @Test func `when bars are always dark then they do not make a dark picture black`() throws {
    var detector = BlackDetector(shortest: .zero)
    // Light in the middle, then little of it, then none.
    for number in 0..<30 {
      let grid = Self.grid { column, row in
        guard (12..<24).contains(row) else { return 0 }
        return number < 10 ? 100 : number < 20 && row == 12 && column < 20 ? 100 : 5
      }
      detector.add(grid, try Self.frame(number))
    }
    // 20 of 2304 areas are less than 2 %, but not 20 of the 768 between the bars.
    #expect(detector.findings().map(\.range) == [try Self.range(20..<30)])
  }

  @Test func `when all is black then all is found, and when too short then nothing`() throws {
    var (all, long) = (BlackDetector(shortest: .zero), BlackDetector(shortest: MediaDuration(1)))
    for number in 0..<20 {
      all.add(Self.black, try Self.frame(number))
      long.add(Self.black, try Self.frame(number))
    }
    #expect(all.findings().map(\.range) == [try Self.range(0..<20)])
    #expect(long.findings() == [])
  }

  @Test func `when a picture stands still then that is found, whatever noise it has`() throws {
    var detector = StillDetector(shortest: MediaDuration(1, 2))
    var numbers = SystemRandomNumberGenerator()
    for number in 0..<90 {
      let isStill = (30..<60).contains(number)
      let noise = Int.random(in: 0...1, using: &numbers)
      let grid = Self.grid { column, row in
        100 + (column * 3 + row) % 50 + (isStill ? (column + noise) % 2 : number * 8 % 90)
      }
      detector.add(grid, try Self.frame(number))
    }
    #expect(detector.findings().map(\.range) == [try Self.range(30..<60)])
  }

  @Test func `when it changes slowly then it does not stand still`() throws {
    var detector = StillDetector(shortest: MediaDuration(1))
    for number in 0..<200 {
      detector.add(Self.grid { _, _ in 20 + number }, try Self.frame(number))
    }
    #expect(detector.findings() == [])
  }

  @Test func `when scenes follow each other then each begins with its first frame`() throws {
    var detector = SceneDetector()
    for number in 0..<100 {
      detector.add(
        Self.scene(number < 31 ? 0 : number < 64 ? 1 : 2, at: number), try Self.frame(number))
    }
    #expect(
      detector.findings().map(\.range) == [
        try Self.range(0..<31), try Self.range(31..<64), try Self.range(64..<100),
      ])
  }

  @Test func `when there is a flash, a dissolve or a pan then there is no cut`() throws {
    let white = Self.grid { _, _ in 250 }
    let pictures: [String: (Int) -> PictureGrid] = [
      "flash": { $0 == 30 ? white : Self.scene(0, at: $0) },
      "long flash": { (30..<33).contains($0) ? white : Self.scene(0, at: $0) },
      "dissolve": Self.dissolve,
      "pan": { number in Self.grid { column, row in (column + number * 3) * 37 % 200 } },
      "still": { _ in Self.scene(0) },
    ]
    for (name, picture) in pictures {
      var detector = SceneDetector()
      for number in 0..<60 { detector.add(picture(number), try Self.frame(number)) }
      #expect(detector.findings().map(\.range) == [try Self.range(0..<60)], "\(name)")
    }
  }

  /// A scene of which so many of 20 parts are left, above a level.
  private static func faded(_ parts: Int, to level: Int = 0, at place: Int = 0) -> PictureGrid {
    let scene = scene(0, at: place)
    return grid { column, row in
      level + (Int(scene.cells[row * columns + column]) - level) * min(20, max(0, parts)) / 20
    }
  }

  private static func fades(_ picture: (Int) -> PictureGrid) throws -> [MediaTimeRange] {
    var detector = FadeDetector()
    for number in 0..<80 { detector.add(picture(number), try Self.frame(number)) }
    return detector.findings().map(\.range)
  }

  @Test(arguments: [0, 255])
  func `when a picture fades out and in then that is one fade`(_ level: Int) throws {
    // 19 parts in frame 20, none from 39 to 41, and all again in frame 61.
    let found = try Self.fades { number in
      Self.faded(number < 40 ? 39 - number : number - 41, to: level, at: number)
    }
    #expect(found.count == 1)
    let range = try #require(found.first)
    #expect(try range.start.distance(from: Self.frame(20).start).checkedMagnitude() <= Self.few)
    #expect(try range.end.distance(from: Self.frame(61).start).checkedMagnitude() <= Self.few)
  }
  /// Two frames.
  private static let few = MediaDuration(2 * 1001, 30_000)

  @Test func `when it fades at one end only then that is the fade`() throws {
    let out = try Self.fades { Self.faded(70 - $0) }
    #expect(out == [try Self.range(50..<70)], "from the last that is whole")
    #expect(try Self.fades { Self.faded($0) } == [try Self.range(1..<21)])
  }

  @Test func `when it cuts to black, flashes, dissolves or fades by half then there is no fade`()
    throws
  {
    let pictures: [String: (Int) -> PictureGrid] = [
      "cut": { (30..<50).contains($0) ? Self.black : Self.scene(0, at: $0) },
      "flash": { $0 == 30 ? Self.grid { _, _ in 250 } : Self.scene(0, at: $0) },
      "half": { Self.faded(max(10, 40 - $0)) },
      "gray": { number in Self.faded(abs(number - 40), to: 128) },
      "dissolve": Self.dissolve,
      "black": { _ in Self.black },
    ]
    for (name, picture) in pictures { #expect(try Self.fades(picture) == [], "\(name)") }
  }

  @Test func `when there are none then nothing is found`() {
    #expect(FadeDetector().findings() == [])
    #expect(SceneDetector().findings() == [])
    #expect(StillDetector(shortest: .zero).findings() == [])
    #expect(BlackDetector(shortest: .zero).findings() == [])
  }
}
