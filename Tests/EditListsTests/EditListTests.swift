import EditLists
import ExactTime
import Foundation
import Testing

@Suite struct `Given an edit list` {
  @Test func `When ranges are removed, Then the pieces keep order, name and tracks`() {
    let list = EditList(parts: [
      EditList.Part(range(50, 90), name: "second", tracks: [1]), EditList.Part(range(0, 40)),
      EditList.Part(range(0, 40), source: 1),
    ])
    let rest = list.removing(ranges((30, 60), (70, 80)))
    #expect(
      rest.parts == [
        EditList.Part(range(60, 70), name: "second", tracks: [1]),
        EditList.Part(range(80, 90), name: "second", tracks: [1]),
        EditList.Part(range(0, 30)), EditList.Part(range(0, 40), source: 1),
      ])
  }

  @Test func `When it only removes, Then the rest of the source is kept`() {
    let list = EditList(parts: [
      EditList.Part(range(10, 20), isKept: false), EditList.Part(range(15, 30), isKept: false),
    ])
    #expect(
      list.kept(within: [0: range(0, 100)]).parts
        == [EditList.Part(range(0, 10)), EditList.Part(range(30, 100))])
    #expect(list.kept(within: [0: range(12, 25)]).parts.isEmpty)
  }

  @Test func `When it is split, shifted and clipped, Then times are exact`() throws {
    let third = MediaDuration(1, 3)
    let list = EditList(
      parts: [EditList.Part(range(0, 100), name: "a")], markers: [EditList.Marker(.zero)])
    let halves = list.split(at: MediaTime(1, 20))
    #expect(halves.parts.map(\.range) == [range(0, 50), range(50, 100)])
    #expect(halves.split(at: MediaTime(1, 20)) == halves)
    let later = try list.shifted(by: third)
    #expect(later.parts[0].range.start == MediaTime(1, 3))
    #expect(later.parts[0].range.end == MediaTime(13, 30))
    #expect(later.markers[0].time == MediaTime(1, 3))
    #expect(try later.shifted(by: .zero - third) == list)
    let clipped = list.clipped(to: range(20, 400))
    #expect(clipped.parts.map(\.range) == [range(20, 100)])
    #expect(clipped.markers.isEmpty)
    #expect(throws: ExactTimeError.overflow) { try list.shifted(by: MediaDuration(.max)) }
  }

  @Test func `When it is longer than the limit, Then the excess is exact`() throws {
    let list = EditList(parts: [
      EditList.Part(range(0, 100)), EditList.Part(range(50, 100)),
      EditList.Part(range(0, 900), isKept: false),
    ])
    #expect(try list.excess(over: MediaDuration(150, 1000)) == nil)
    #expect(try list.excess(over: MediaDuration(1, 7)) == MediaDuration(1, 140))
  }

  @Test
  func `When it is written as JSON, Then it is read back, and what it does not fit is refused`()
    throws
  {
    let identity = EditList.Identity(size: 5, head: "ab", packets: "cd")
    let list = EditList(
      sources: [EditList.Source(hint: "a.mp4", identity: identity)],
      parts: [EditList.Part(range(1001, 30000), name: "x", tracks: [0, 2], isKept: false)],
      markers: [EditList.Marker(MediaTime(1001, 30000), name: "m")], rate: Rational(30000, 1001))
    let text = String(decoding: try JSONEncoder().encode(list), as: UTF8.self)
    #expect(try JSONDecoder().decode(EditList.self, from: Data(text.utf8)) == list)
    for (old, new) in [
      (#""version":1"#, #""version":2"#), (#""source":0"#, #""source":1"#),
      ("30000\\/1001", "-1"),
    ] {
      let wrong = text.replacingOccurrences(of: old, with: new)
      #expect(wrong != text)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(EditList.self, from: Data(wrong.utf8))
      }
    }
  }
}
