import ExactTime
import Support
import Testing

@testable import Probing

private let broadcast = TickGrid(ticksPerSecond: 90_000)

/// Pictures of 25 a second on the grid of MPEG-TS: 3,600 ticks each.
private func pictures(mayJump: Bool = true) -> StreamScan {
  StreamScan(isVideo: true, grid: broadcast, sampleRate: nil, mayJump: mayJump)
}

/// Sound on a grid of its own samples.
private func sound(
  rate: Int64 = 48_000, grid: TickGrid = TickGrid(ticksPerSecond: 48_000), mayJump: Bool = false
) -> StreamScan {
  StreamScan(isVideo: false, grid: grid, sampleRate: rate, mayJump: mayJump)
}

extension StreamScan {
  /// The lengths of what each epoch presents.
  fileprivate var lengths: [MediaDuration?] { presentedRanges().map { $0?.length } }

  fileprivate func adding(_ packets: [PacketStamp]) -> StreamScan {
    var copy = self
    for packet in packets { copy.add(packet) }
    return copy
  }
}

private func packet(_ pts: Int64?, dts: Int64? = nil, lasting duration: Int64 = 0) -> PacketStamp {
  PacketStamp(pts: pts, dts: dts, duration: duration)
}

@Suite struct `Given the packets of a video stream` {
  @Suite struct `When frames are reordered` {
    // decode    I0  P3  B1  B2  P6 …
    // present   I0  B1  B2  P3 …
    let shuffled: [Int64] = [0, 3, 1, 2, 6, 4, 5]

    @Test func `then they last from the first PTS to the end of the last`() {
      let scan = pictures().adding(shuffled.map { packet($0 * 3600, lasting: 3600) })
      #expect(scan.lengths == [MediaDuration(7, 25)])
    }

    @Test(
      arguments: [
        // In the second, a picture shown before the last one is missing.
        ([0, 3, 1, 2], 4), ([0, 1, 2, 3, 5], 6), ([0, 2, 4, 6, 7], 8), ([0, 1, 3, 6], 9),
        ([0, 1, 1], 2),
      ] as [([Int64], Int64)])
    func
      `then a last frame without a duration is shown as long as the one before, no longer than most`(
        _ times: [Int64], _ end: Int64
      )
    {
      let scan = pictures().adding(times.map { packet($0 * 3600) })
      #expect(scan.lengths == [MediaDuration(end, 25)])
    }

    @Test func `then frames before zero, without times, end at the first that has one`() {
      func key(_ pts: Int64?) -> PacketStamp {
        var stamp = packet(pts, lasting: 3600)
        stamp.isKey = true
        return stamp
      }
      let lost = [key(nil)] + (1..<25).map { _ in packet(nil, lasting: 3600) }
      let scan = pictures(mayJump: false).adding(lost + [key(0), packet(3600, lasting: 3600)])
      #expect(scan.presentedRanges().map { $0?.start } == [MediaTime(-1)])
      #expect(scan.lengths == [MediaDuration(27, 25)])
      // Where there is room before it they are not moved.
      let late = pictures(mayJump: false).adding(lost + [key(180_000)])
      #expect(late.presentedRanges().map { $0?.start } == [.zero])
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `then the order of packets changes nothing`(seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      let frames = (0..<20).map { packet($0 * 3600, lasting: 3600) }
      let clock = pictures(mayJump: false)
      let scan = clock.adding(frames.shuffled(using: &generator))
      #expect(scan.presentedRanges() == clock.adding(frames).presentedRanges(), "\(generator)")
    }
  }

  @Suite struct `When timestamps are missing` {
    @Test func `then a frame without a PTS is shown when it is decoded`() {
      let scan = pictures().adding([
        packet(nil, dts: 0, lasting: 3600), packet(nil, dts: 3600, lasting: 3600),
      ])
      #expect(scan.lengths == [MediaDuration(2, 25)])
      #expect(scan.untimedCount == 2)
    }

    @Test func `then a frame without both follows the one before it`() {
      let scan = pictures().adding([
        packet(0, lasting: 3600), packet(nil, lasting: 3600), packet(nil, lasting: 3600),
      ])
      #expect(scan.lengths == [MediaDuration(3, 25)])
    }

    @Test func `then without durations the stream's rate fills in`() {
      var scan = pictures()
      scan.fallbackDuration = 3600
      #expect(scan.adding([packet(nil), packet(nil)]).lengths == [MediaDuration(2, 25)])
    }

    @Test func `then a single frame without a duration shows nothing`() {
      #expect(pictures().adding([packet(90_000)]).lengths == [.zero])
    }
  }

  @Suite struct `When DTS misbehave` {
    @Test func `then those below zero are reported`() {
      let scan = pictures().adding([packet(0, dts: -3600, lasting: 3600)])
      #expect(scan.epochs.first?.hasNegativeDTS == true)
    }

    @Test func `then backward steps are counted and move nothing`() {
      let scan = pictures().adding([
        packet(3600, dts: 3600, lasting: 3600), packet(0, dts: 0, lasting: 3600),
      ])
      #expect(scan.backwardCount == 1)
      #expect(scan.lengths == [MediaDuration(2, 25)])
    }
  }

  @Suite struct `When the clock jumps` {
    private func scan(second: Int64, mayJump: Bool = true) -> StreamScan {
      pictures(mayJump: mayJump).adding([
        packet(0, lasting: 3600), packet(3600, lasting: 3600), packet(second, lasting: 3600),
      ])
    }

    @Test func `then ten seconds are a pause and more are a reset`() {
      #expect(scan(second: 3600 + 900_000).lengths == [MediaDuration(900_000 + 7200, 90_000)])
      #expect(
        scan(second: 3600 + 900_001).lengths == [MediaDuration(2, 25), MediaDuration(1, 25)])
    }

    @Test func `then half a second back is disorder and more is a reset`() {
      #expect(scan(second: 3600 - 45_000).epochs.count == 1)
      #expect(
        scan(second: 3600 - 45_001).lengths == [MediaDuration(2, 25), MediaDuration(1, 25)])
    }

    @Test func `then the wrap of a 33-bit clock starts a stretch and loses nothing`() {
      let end: Int64 = 1 << 33
      let wrapped = pictures().adding([
        packet(end - 7200, lasting: 3600), packet(end - 3600, lasting: 3600),
        packet(0, lasting: 3600),
      ])
      #expect(wrapped.lengths == [MediaDuration(2, 25), MediaDuration(1, 25)])
    }

    @Test func `then a container with one clock has one stretch`() {
      #expect(
        scan(second: 90_000_000, mayJump: false).lengths
          == [MediaDuration(90_003_600, 90_000)])
    }
  }

  @Suite struct `When ticks are hostile` {
    static let extremes: [Int64] = [.min, .min + 1, -(1 << 61), 1 << 61, .max - 1, .max]

    @Test(arguments: extremes)
    func `then a packet at such a time is left out and counted`(_ tick: Int64) {
      let scan = pictures().adding([packet(0, lasting: 3600), packet(tick), packet(3600)])
      #expect(scan.overflowCount == 1)
      #expect(scan.lengths.count == 1)
    }

    @Test(arguments: extremes)
    func `then such a DTS is ignored`(_ tick: Int64) {
      let scan = pictures().adding([
        packet(0, dts: -tick.magnitudeLimited, lasting: 3600), packet(3600, dts: tick),
        packet(7200, dts: 7200, lasting: 3600),
      ])
      #expect(scan.overflowCount == 0)
      #expect(scan.epochs.flatMap(\.pts).count == 3)
    }

    @Test(arguments: extremes)
    func `then such a duration is left out`(_ ticks: Int64) {
      let scan = pictures().adding([packet(0, lasting: ticks), packet(3600, lasting: 3600)])
      #expect(scan.overflowCount == 1)
      #expect(scan.lengths == [MediaDuration(1, 25)])
    }

    @Test func `then the greatest ticks that count stay within 64 bits`() {
      let edge: Int64 = (1 << 61) - 1
      let scan = pictures().adding([packet(-edge, lasting: edge), packet(edge, lasting: edge)])
      #expect(scan.overflowCount == 0)
      #expect(scan.epochs.count == 2)
    }
  }
}

extension Int64 {
  /// Its magnitude, or the greatest number for the least.
  fileprivate var magnitudeLimited: Int64 { self == .min ? .max : Swift.abs(self) }
}

@Suite struct `Given the packets of an audio stream` {
  private func frame(_ pts: Int64?, samples: Int? = 1024) -> PacketStamp {
    var stamp = PacketStamp(pts: pts, dts: pts, duration: 1024)
    stamp.sampleCount = samples
    return stamp
  }

  @Suite struct `When an encoder added priming and padding` {
    // packets |pppp····|········|····oooo|
    // shown       |················|
    private func scan(priming: Int, padding: Int) -> StreamScan {
      var packets = (0..<3).map { PacketStamp(pts: $0 * 1024, dts: nil, duration: 1024) }
      for index in packets.indices { packets[index].sampleCount = 1024 }
      packets[0].skippedAtStart = priming
      packets[2].skippedAtEnd = padding
      return sound().adding(packets)
    }

    @Test func `then priming is not presented`() {
      let range = scan(priming: 512, padding: 0).presentedRanges().first
      #expect(range??.start == MediaTime(512, 48_000))
      #expect(range??.length == MediaDuration(3072 - 512, 48_000))
    }

    @Test func `then padding is not presented`() {
      #expect(scan(priming: 0, padding: 100).lengths == [MediaDuration(3072 - 100, 48_000)])
    }

    @Test func `then more priming than audio leaves nothing`() {
      #expect(scan(priming: 5000, padding: 0).lengths == [.zero])
    }

    @Test func `then only the last packet's padding moves the end`() {
      var first = PacketStamp(pts: 0, dts: nil, duration: 1024)
      first.sampleCount = 1024
      first.skippedAtEnd = 500
      var second = first
      second.pts = 1024
      second.skippedAtEnd = 0
      #expect(sound().adding([first, second]).lengths == [MediaDuration(2048, 48_000)])
    }
  }

  @Test func `when packets are headers then they are skipped`() {
    var header = frame(0)
    header.isSilent = true
    let scan = sound().adding([header, frame(0), frame(1024)])
    #expect(scan.packetCount == 2)
    #expect(scan.lengths == [MediaDuration(2048, 48_000)])
  }

  @Suite struct `When ticks are coarser than samples` {
    // 44.1 kHz on whole milliseconds: packets of 23.2 ms at 0, 23, 46, 70 …
    private func packets(_ ticks: [Int64]) -> [PacketStamp] {
      ticks.map { tick in
        var stamp = PacketStamp(pts: tick, dts: tick, duration: 23)
        stamp.sampleCount = 1024
        return stamp
      }
    }
    private let scan = sound(rate: 44_100, grid: TickGrid(ticksPerSecond: 1000))

    @Test func `then the samples are counted where ticks and count agree`() {
      #expect(
        scan.adding(packets([0, 23, 46, 70, 93])).lengths == [MediaDuration(5 * 1024, 44_100)])
    }

    @Test func `then a gap between packets counts`() throws {
      let end = try MediaDuration(193, 1000).adding(MediaDuration(1024, 44_100))
      #expect(scan.adding(packets([0, 23, 46, 170, 193])).lengths == [end])
    }

    @Test func `then audio without a container lasts its samples, whatever the ticks add up to`() {
      var bare = scan
      bare.isBare = true
      // Each step rounded down: after five packets a millisecond is missing.
      #expect(
        bare.adding(packets([0, 22, 44, 66, 88])).lengths == [MediaDuration(5 * 1024, 44_100)])
    }

    @Test func `then a codec delay is subtracted exactly`() {
      var delayed = scan
      delayed.clockCorrection = MediaDuration(1, 2000)
      #expect(
        delayed.adding(packets([0, 23])).presentedRanges().first??.start == MediaTime(1, 2000))
    }
  }

  @Suite struct `When the last packet does not state its duration` {
    private func scan(statedEnd: Int64?) -> StreamScan {
      var scan = sound()
      scan.statedEnd = statedEnd
      return scan.adding([packet(0, lasting: 4096), packet(4096), packet(8192)])
    }

    @Test func `then it is as long as the one before it`() {
      #expect(scan(statedEnd: nil).lengths == [MediaDuration(3 * 4096, 48_000)])
    }

    @Test func `then an end stated inside it is its end`() {
      #expect(scan(statedEnd: 8200).lengths == [MediaDuration(8200, 48_000)])
    }

    @Test(arguments: [0, 8192, 12_288, 50_000, .max, .min] as [Int64])
    func `then an end stated anywhere else is ignored`(_ end: Int64) {
      #expect(scan(statedEnd: end).lengths == [MediaDuration(3 * 4096, 48_000)])
    }
  }

  @Suite struct `When streams are chained` {
    // link 1  44.1 kHz |0 … 44100|   link 2  8 kHz |0 … 8000|
    @Test func `then each link counts at its own rate`() {
      func link(_ rate: Int64, _ samples: Int) -> [PacketStamp] {
        var header = PacketStamp(pts: nil, dts: nil, duration: 0)
        header.isSilent = true
        header.startsClock = true
        header.clockRate = rate
        var packet = PacketStamp(pts: 0, dts: 0, duration: Int64(samples))
        packet.sampleCount = samples
        return [header, packet]
      }
      let scan = sound(
        rate: 44_100, grid: TickGrid(ticksPerSecond: 44_100), mayJump: true
      ).adding(link(44_100, 44_100) + link(8_000, 8_000))
      #expect(scan.lengths == [MediaDuration(1), MediaDuration(1)])
    }
  }
}
