import ExactTime
import MediaFacts
import Support
import Testing

@testable import Bitstreams
@testable import Probing
@testable import Rendering

/// Pictures of H.264 whose sequence allows fields, with 4 bits of frame number.
private enum Interlaced {
  /// Baseline, POC type 2, one macroblock wide and high.
  static func parameters(onlyFrames: Bool) -> [UInt8] {
    [0, 0, 1, 0x67, 66, 0, 30]
      + BitBuilder.bytes { bits in
        bits.ue(0)  // identifier
        bits.ue(0)  // 4 bits of frame number
        bits.ue(2)  // picture order
        bits.ue(1)  // reference frames
        bits.flag(false)
        bits.ue(0)
        bits.ue(0)
        bits.flag(onlyFrames)
        bits.write(0b1000, 4)
        bits.write(0x80, 8)
      }
  }

  enum Picture {
    case frame
    case top, bottom
  }

  /// A delimiter and a slice (7.3.3).
  static func packet(_ picture: Picture, number: Int, unit: UInt8 = 0x41) -> [UInt8] {
    let slice = BitBuilder.bytes { bits in
      bits.ue(0)
      bits.ue(5)
      bits.ue(0)
      bits.write(number, 4)
      bits.flag(picture != .frame)
      if picture != .frame { bits.flag(picture == .bottom) }
      bits.write(0xABCD, 16)
    }
    return [0, 0, 1, 0x09, 0x10, 0, 0, 1, unit] + slice
  }
}

@Suite struct `Given H.264 pictures whose SPS allows fields` {
  private func seconds(_ pictures: [(Interlaced.Picture, Int)]) throws -> [Bool] {
    var fields = try #require(
      H264Fields(configuration: Interlaced.parameters(onlyFrames: false)))
    return pictures.map { fields.isSecond(Interlaced.packet($0, number: $1)[...]) }
  }

  @Test func `then two fields of opposite parity with the same frame number are a frame`() throws {
    #expect(
      try seconds([(.top, 0), (.bottom, 0), (.bottom, 1), (.top, 1)])
        == [false, true, false, true])
  }

  @Test func `then fields of the same parity are separate frames`() throws {
    #expect(try seconds([(.top, 0), (.top, 0), (.bottom, 0)]) == [false, false, true])
  }

  @Test func `then fields with different frame numbers are separate frames`() throws {
    #expect(try seconds([(.top, 0), (.bottom, 1), (.top, 1)]) == [false, false, true])
  }

  @Test func `then a third field begins the next frame`() throws {
    #expect(
      try seconds([(.top, 3), (.bottom, 3), (.top, 3), (.bottom, 3)]) == [
        false, true, false, true,
      ])
  }

  @Test func `then a frame picture is a frame, and separates the fields around it`() throws {
    #expect(try seconds([(.top, 0), (.frame, 0), (.bottom, 0)]) == [false, false, false])
  }

  @Test func `then an intra field and the field that follows it are a frame`() throws {
    var fields = try #require(
      H264Fields(configuration: Interlaced.parameters(onlyFrames: false)))
    let packets = [
      Interlaced.packet(.top, number: 0, unit: 0x65), Interlaced.packet(.bottom, number: 0),
    ]
    let seconds = packets.map { fields.isSecond($0[...]) }
    #expect(seconds == [false, true])
  }

  @Test func `then a truncated packet is not a field`() throws {
    var fields = try #require(
      H264Fields(configuration: Interlaced.parameters(onlyFrames: false)))
    let packet = Interlaced.packet(.bottom, number: 0)
    for length in 0..<10 {
      _ = fields.isSecond(Interlaced.packet(.top, number: 0)[...])
      let isSecond = fields.isSecond(packet[..<length])
      #expect(!isSecond, "\(length)")
    }
  }

  @Test func `when the SPS allows only frames then fields are not looked for`() {
    #expect(H264Fields(configuration: Interlaced.parameters(onlyFrames: true)) == nil)
  }
}

@Suite struct `Given packets, some of which are second fields` {
  private let grid = TickGrid(ticksPerSecond: 50)

  private func scan(_ packets: [(pts: Int64, isSecond: Bool)], duration: Int64) -> StreamScan {
    var scan = StreamScan(isVideo: true, grid: grid, sampleRate: nil, mayJump: true)
    for packet in packets {
      var stamp = PacketStamp(pts: packet.pts, dts: nil, duration: duration)
      stamp.isSecondField = packet.isSecond
      scan.add(stamp)
    }
    return scan
  }

  @Test(arguments: [1, 0] as [Int64])
  func `then two fields are one frame, shown until the second ends`(_ duration: Int64) {
    let scan = scan([(0, false), (1, true), (2, false), (3, true)], duration: duration)
    #expect(scan.epochs.map(\.pts) == [[0, 2]])
    #expect(scan.presentedRanges().map { $0?.length } == [MediaDuration(4, 50)])
    #expect(scan.packetCount == 4)
  }

  @Test func `then the second field of a frame shown earlier changes no end`() {
    let scan = scan([(4, false), (5, true), (0, false), (1, true)], duration: 1)
    #expect(scan.presentedRanges().map { $0?.length } == [MediaDuration(6, 50)])
  }

  @Test func `when a stream begins with a second field then it is a frame`() {
    #expect(scan([(0, true), (1, false)], duration: 1).epochs.map(\.pts) == [[0, 1]])
  }
}

@Suite(.enabled(if: Corpus.shared != nil, "\(Corpus.absence)"))
struct `Given a broadcast coded in fields` {
  @Test func `then its frames are counted, not its fields`() throws {
    let folder = try #require(Corpus.shared).folder
    let facts = try Prober().probe(
      .file(path: Array((folder + "/sindresorhus+file-type/fixture-raw.mts").utf8)))
    let track = try #require(facts.tracks.first { $0.kind == .video })
    #expect(track.sampleCount == 62)
    #expect(track.frameCount == 31)
    #expect(track.video?.nominalFrameRate == Rational(30000, 1001))
    #expect(track.video?.isConstantFrameRate == true)
  }
}
