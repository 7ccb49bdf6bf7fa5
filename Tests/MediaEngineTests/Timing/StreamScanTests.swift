import ExactTime
import Support
import Testing

@testable import MediaEngine

/// A scan of packets adds up one stream; its clock may be set anew.
@Suite struct `Given the packets of a stream` {
  private static let grid = TickGrid(ticksPerSecond: 1000)

  private static func video(mayJump: Bool = false) -> StreamScan {
    StreamScan(isVideo: true, grid: grid, sampleRate: nil, mayJump: mayJump)
  }

  private static func audio(mayJump: Bool = false) -> StreamScan {
    StreamScan(isVideo: false, grid: grid, sampleRate: 48000, mayJump: mayJump)
  }

  private static func range(_ from: MediaTime, _ to: MediaTime) -> MediaTimeRange? {
    MediaTimeRange(from: from, to: to)
  }

  @Test func `when frames are reordered, then the last to be shown ends the stream`() {
    var scan = Self.video()
    for (dts, pts) in [(0, 40), (40, 160), (80, 80), (120, 120)] as [(Int64, Int64)] {
      scan.add(PacketStamp(pts: pts, dts: dts, duration: 40))
    }
    #expect(scan.presentedRanges() == [Self.range(MediaTime(4, 100), MediaTime(2, 10))])
    #expect(scan.epochs[0].isReordered)
  }

  @Test func `when the last frame has no duration, then it lasts as long as the one before`() {
    var scan = Self.video()
    for pts in [0, 40, 140] as [Int64] { scan.add(PacketStamp(pts: pts, dts: nil, duration: 0)) }
    #expect(scan.presentedRanges() == [Self.range(.zero, MediaTime(24, 100))])
  }

  @Test func `when packets have no PTS, then each follows the one before`() {
    var scan = Self.audio()
    for _ in 0..<3 {
      var packet = PacketStamp(pts: nil, dts: nil, duration: 20)
      packet.sampleCount = 960
      scan.add(packet)
    }
    #expect(scan.presentedRanges() == [Self.range(.zero, MediaTime(6, 100))])
    #expect(scan.untimedCount == 3)
  }

  @Test func `when sound has priming and padding, then it is exact to the sample`() {
    var scan = Self.audio()
    for index in 0..<3 {
      var packet = PacketStamp(pts: Int64(index * 20), dts: nil, duration: 20)
      packet.sampleCount = 960
      packet.skippedAtStart = index == 0 ? 312 : 0
      packet.skippedAtEnd = index == 2 ? 100 : 0
      scan.add(packet)
    }
    #expect(
      scan.presentedRanges() == [Self.range(MediaTime(312, 48000), MediaTime(2880 - 100, 48000))])
  }

  @Test func `when the clock jumps ahead by more than ten seconds, then a new stretch begins`() {
    var scan = Self.video(mayJump: true)
    for pts in [0, 40, 11_000, 11_040] as [Int64] {
      scan.add(PacketStamp(pts: pts, dts: pts, duration: 40))
    }
    #expect(scan.epochs.count == 2)
  }

  @Test func `when the container's clock cannot jump, then it is a pause`() {
    var scan = Self.video(mayJump: false)
    for pts in [0, 40, 11_000] as [Int64] {
      scan.add(PacketStamp(pts: pts, dts: pts, duration: 40))
    }
    #expect(scan.presentedRanges() == [Self.range(.zero, MediaTime(11_040, 1000))])
  }

  @Test func `when the clock starts again, then what follows is a stretch of its own`() {
    var scan = Self.video(mayJump: true)
    for pts in [0, 1000, 2000, 0, 1000] as [Int64] {
      scan.add(PacketStamp(pts: pts, dts: pts, duration: 1000))
    }
    #expect(
      scan.presentedRanges() == [
        Self.range(.zero, MediaTime(3)), Self.range(.zero, MediaTime(2)),
      ])
  }

  @Test func `when a packet is silent by its own header, then it is not there`() {
    var scan = Self.audio()
    var header = PacketStamp(pts: 0, dts: 0, duration: 500)
    header.isSilent = true
    scan.add(header)
    #expect(scan.packetCount == 0)
    #expect(scan.presentedRanges().isEmpty)
  }

  @Test func `when ticks are hostile, then they are counted and left out`() {
    var scan = Self.video(mayJump: true)
    for pts in [.min, .max, -1, 1 << 61] as [Int64] {
      scan.add(PacketStamp(pts: pts, dts: .max, duration: .max))
    }
    #expect(scan.overflowCount == 4)
  }

  @Test func `when only the DTS is hostile, then the PTS still holds`() {
    var scan = Self.video(mayJump: true)
    for (pts, dts) in [(0, .min), (40, .max), (80, .min)] as [(Int64, Int64)] {
      scan.add(PacketStamp(pts: pts, dts: dts, duration: 40))
    }
    #expect(scan.presentedRanges() == [Self.range(.zero, MediaTime(12, 100))])
  }

  @Test func `then any ticks end without a trap`() {
    var random = SeededGenerator(seed: 61)
    for _ in 0..<200 {
      var scan = Self.video(mayJump: Bool.random(using: &random))
      for _ in 0..<50 {
        let shift = Int64.random(in: 0...63, using: &random)
        scan.add(
          PacketStamp(
            pts: Int64.random(in: .min ... .max, using: &random) >> shift,
            dts: Int64.random(in: .min ... .max, using: &random) >> shift,
            duration: Int64.random(in: .min ... .max, using: &random) >> shift))
      }
      _ = scan.presentedRanges()
      #expect(scan.packetCount == 50, "\(random)")
    }
  }
}

/// A file presents the union of its tracks.
@Suite struct `Given what each track presents` {
  private static func track(_ id: Int, _ ranges: [(Int64, Int64)]) -> PresentedTrack {
    PresentedTrack(
      trackID: id,
      ranges: ranges.map { MediaTimeRange(from: MediaTime($0.0), to: MediaTime($0.1)) })
  }

  @Test func `then the file goes from the first start to the last end`() {
    let range = FileRange([Self.track(1, [(1, 10)]), Self.track(2, [(0, 9)])])
    #expect(range?.start == .zero)
    #expect(range?.length == MediaDuration(10))
    #expect(range?.trackID == 1)
  }

  @Test func `when all jump, then the stretches are shown one after another`() {
    let range = FileRange([
      Self.track(1, [(0, 10), (3600, 3610)]), Self.track(2, [(0, 10), (3600, 3611)]),
    ])
    #expect(range?.length == MediaDuration(21))
    #expect(range?.jumps == 1)
  }

  @Test func `when only one jumps ahead, then it is a pause of that one`() {
    let range = FileRange([Self.track(1, [(0, 60)]), Self.track(2, [(0, 10), (40, 50)])])
    #expect(range?.length == MediaDuration(60))
    #expect(range?.jumps == 0)
  }

  @Test func `when only one starts again, then its second stretch is shown as well`() {
    let range = FileRange([Self.track(1, [(0, 10), (0, 10)]), Self.track(2, [(0, 10)])])
    #expect(range?.length == MediaDuration(20))
  }

  @Test func `when nothing is presented, then there is no length`() {
    #expect(FileRange([]) == nil)
    #expect(FileRange([PresentedTrack(trackID: 1, ranges: [nil])]) == nil)
  }
}
