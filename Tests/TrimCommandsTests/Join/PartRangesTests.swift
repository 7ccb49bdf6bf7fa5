import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import MediaFacts
import Synchronization
import Testing

@testable import TrimCommands

@Suite struct `Given many parts of few files` {
  @Test(arguments: [false, true])
  func `when their places are looked up then each file is probed once`(_ areKnown: Bool) throws {
    let probed = Mutex<[String: Int]>([:])
    let engine = EnginePort(
      probe: { (input, _, _) throws(MediaError) in
        let name = String(decoding: input.nameBytes, as: UTF8.self)
        probed.withLock { $0[name, default: 0] += 1 }
        return Clips.good
      },
      report: { nil })
    let items = (0..<40).map { number in
      let part = PartExpression(
        from: .fromStart(MediaDuration(Int64(number))),
        end: .to(.fromStart(MediaDuration(Int64(number) + 2))))
      let file: ArgumentText = number % 2 == 0 ? "a.mp4" : "b.mp4"
      return JoinOptions.Item(file: file, part: part)
    }
    var ranges = PartRanges(engine, of: areKnown ? items : nil, { false })
    for (number, item) in items.enumerated() {
      let range = try ranges.range(of: item)
      #expect(range.start == MediaTime(Int64(number), 1))
      #expect(range.end == MediaTime(Int64(number) + 2, 1))
    }
    #expect(probed.withLock { $0 } == ["a.mp4": 1, "b.mp4": 1])
  }
}
