import ExactTime
import FoundationEssentials
import Support
import Testing
import Trimming

@Suite struct `Given the frames of a video for a front end in another process` {
  private static func text(_ frames: FrameInstants) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(frames), as: UTF8.self)
  }

  private static func read(_ text: String) throws -> FrameInstants {
    try JSONDecoder().decode(FrameInstants.self, from: Data(text.utf8))
  }

  @Test func `when distances repeat then each is written once`() throws {
    // 29.97 frames a second as in Matroska, in whole milliseconds.
    let frames = FrameInstants((0..<3000).map { at(Int64($0) * 1001 / 30, 1000) })
    let text = try Self.text(FrameInstants((0..<4).map { at(Int64($0) * 1001 / 30, 1000) }))
    #expect(text == #"{"first":"0","steps":[33,2,34,1],"tick":"1/1000"}"#)
    #expect(try Self.read(Self.text(frames)) == frames)
  }

  @Test(arguments: 1...10)
  func `when distances are random then every frame arrives where it was`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let ticks: [Int64] = [25, 1000, 30_000, 90_000, 1_000_000]
    let tick = ticks[Int(seed) % ticks.count]
    var place = Int64.random(in: -100_000...100_000, using: &random)
    let times = (0..<500).map { _ in
      place += Int64.random(in: 1...5000, using: &random)
      return at(place, tick)
    }
    let frames = FrameInstants(times)
    #expect(try Self.read(Self.text(frames)) == frames)
  }

  @Test func `when there is no common tick then the times are listed`() throws {
    let odd = FrameInstants([at(0), at(1, 1_000_003), at(2, 999_999_937), at(1, 3_333_333_331)])
    #expect(try Self.text(odd).hasPrefix(#"{"times":["0","1/3333333331""#))
    #expect(try Self.read(Self.text(odd)) == odd)
  }

  @Test(arguments: [
    #"{"first":"0","steps":[0,5],"tick":"1/25"}"#, #"{"first":"0","steps":[-1,5],"tick":"1/25"}"#,
    #"{"first":"0","steps":[1,0],"tick":"1/25"}"#, #"{"first":"0","steps":[1],"tick":"1/25"}"#,
    #"{"first":"0","steps":[1,5],"tick":"0"}"#, #"{"first":"0","steps":[1,5],"tick":"-1"}"#,
    #"{"first":"0","steps":[1,9000000000],"tick":"1/25"}"#, #"{"steps":[1,5],"tick":"1/25"}"#,
    #"{"first":"9000000000000000000","steps":[9000000000000000000,5],"tick":"1"}"#,
  ])
  func `when steps are negative, zero or too large then they are refused`(_ text: String) {
    #expect(throws: DecodingError.self) { try Self.read(text) }
  }
}
