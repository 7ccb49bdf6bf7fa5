import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing

/// The time stamps of a transport stream (ISO/IEC 13818-1, 2.4.3.7), to be changed in place.
private struct PatchedStream {
  var bytes: [UInt8]

  /// Calls `change` with each PTS and DTS of 33 bits, in the order of the file.
  ///
  /// - Parameter change: returns the new value; `nil` takes the stamps out of the header.
  mutating func changeStamps(_ change: (_ number: Int, _ stamp: Int64) -> Int64?) {
    var number = 0
    for packet in stride(from: 0, to: bytes.count - 187, by: 188) {
      let startsUnit = bytes[packet + 1] & 0x40 != 0
      let hasAdaptation = bytes[packet + 3] & 0x20 != 0
      let start = packet + 4 + (hasAdaptation ? 1 + Int(bytes[packet + 4]) : 0)
      guard startsUnit, start + 19 <= packet + 188,
        bytes[start..<start + 3].elementsEqual([0, 0, 1]),
        (0xC0...0xEF).contains(bytes[start + 3])
      else { continue }
      let flags = bytes[start + 7] >> 6
      let places = [start + 9, start + 14].prefix(flags == 3 ? 2 : flags == 2 ? 1 : 0)
      for place in places {
        guard let stamp = change(number, stamp(at: place)) else {
          // The room of the stamps becomes stuffing.
          bytes[start + 7] &= 0x3F
          for index in 0..<Int(bytes[start + 8]) { bytes[start + 9 + index] = 0xFF }
          break
        }
        write(stamp, at: place)
      }
      number += 1
    }
  }

  private func stamp(at place: Int) -> Int64 {
    let field = bytes[place..<place + 5].map { Int64($0) }
    let high = (field[0] >> 1 & 7) << 30
    let middle = field[1] << 22 | (field[2] >> 1) << 15
    return high | middle | field[3] << 7 | field[4] >> 1
  }

  private mutating func write(_ stamp: Int64, at place: Int) {
    let value = stamp & (1 << 33 - 1)
    bytes[place] = bytes[place] & 0xF0 | UInt8(value >> 30 & 7) << 1 | 1
    bytes[place + 1] = UInt8(value >> 22 & 0xFF)
    bytes[place + 2] = UInt8(value >> 15 & 0x7F) << 1 | 1
    bytes[place + 3] = UInt8(value >> 7 & 0xFF)
    bytes[place + 4] = UInt8(value & 0x7F) << 1 | 1
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Given a transport stream whose clock misbehaves` {
  private func probe(
    _ change: (Int, Int64) -> Int64?, depth: RequestedDepth = .packets
  ) throws -> MediaFacts {
    var film = PatchedStream(bytes: try SampleFilms.bytes("broadcast.ts"))
    film.changeStamps(change)
    let folder = try ScratchFolder()
    let path = try folder.write(film.bytes, to: "film.ts")
    return try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth, wantsKeyframes: true))
  }

  private func length(_ facts: MediaFacts) throws -> MediaDuration {
    try #require(facts.durations.presented).length
  }

  @Test(arguments: [Int64(1), 90_000, 200_000, 300_000])
  func `then one that wraps in the middle presents as long as ever`(before ticks: Int64) throws {
    let usual = try probe { $1 }
    let offset = 1 << 33 - ticks - 131_000
    #expect(try length(probe { $1 + offset }) == length(usual))
  }

  @Test func `then one without any stamp is answered, with a note`() throws {
    let facts = try probe { _, _ in nil }
    #expect(facts.notes.contains { $0.id == "timestamps-missing" })
  }

  @Test(arguments: RequestedDepth.allCases)
  func `then one that stands still, runs backwards or leaps presents no negative length`(
    _ depth: RequestedDepth
  ) throws {
    var random = SeededGenerator(seed: 18)
    let leaps = (0..<10_000).map { _ in Int64.random(in: 0..<1 << 33, using: &random) }
    let clocks: [(Int, Int64) -> Int64?] = [
      { _, _ in 131_000 }, { 1 << 32 - $1 + Int64($0) }, { leaps[$0 % leaps.count] ^ $1 },
      { $0 % 3 == 0 ? nil : $1 },
    ]
    for (number, clock) in clocks.enumerated() {
      let facts = try probe(clock, depth: depth)
      if depth != .header {
        let told: Set<Note.ID> = [
          "dts-backwards", "timestamp-discontinuity", "timestamps-missing", "timestamps-equal",
        ]
        #expect(
          facts.notes.contains { told.contains($0.id) }, "clock \(number): \(facts.notes.map(\.id))"
        )
      }
      for fact in [facts.durations] + facts.tracks.map(\.durations) {
        for length in [fact.presented, fact.decoded, fact.declared].compactMap({ $0?.length }) {
          #expect(!length.seconds.isNegative)
        }
      }
    }
  }
}
