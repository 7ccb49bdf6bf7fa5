import Libav
import Support
import Testing

private let films = [
  "b-frames.mp4", "fragmented.mp4", "broadcast.ts", "chapters.mkv", "live.webm", "vbr.mp3",
  "adts.aac", "sound.opus", "sound.m4a",
]

@Suite(.timeLimit(.minutes(10))) struct `Given an input that misbehaves` {
  @Suite struct `When one of its reads fails` {
    @Test(arguments: films)
    func `then that fault is the answer, whichever read it is`(_ name: String) throws {
      let bytes = try SampleFilms.bytes(name)
      let sound = ScriptedInput(bytes)
      let expected = try Reading(sound)
      for number in 0..<sound.readCount {
        let input = ScriptedInput(bytes, .init(failingRead: number))
        do throws(LibavError) {
          let reading = try Reading(input)
          // Only a read that nothing needed may be missed.
          #expect(reading == expected, "read \(number)")
        } catch {
          guard case .input(let fault) = error.kind else {
            Issue.record("read \(number): \(error)")
            continue
          }
          #expect(fault.kind == .failed(5))
        }
      }
    }

    @Test func `then a fault in the first bytes is no verdict on the format`() throws {
      let input = ScriptedInput(try SampleFilms.bytes("broadcast.ts"), .init(failingRead: 0))
      let error = try #require(throws: LibavError.self) { try Reading(input) }
      #expect(error.kind == .input(InputFault(.failed(5), at: 0)))
    }
  }

  @Test(arguments: films, [[1], [7], [3, 1, 7, 2, 5]])
  func `then short reads change nothing`(_ name: String, _ pieces: [Int]) throws {
    let bytes = try SampleFilms.bytes(name)
    let expected = try Reading(ScriptedInput(bytes))
    #expect(try Reading(ScriptedInput(bytes, .init(pieces: pieces))) == expected)
  }

  @Test(arguments: films.filter { !$0.hasSuffix(".mp3") })
  func `then a length that is not known changes no packet`(_ name: String) throws {
    let bytes = try SampleFilms.bytes(name)
    let expected = try Reading(ScriptedInput(bytes))
    let reading = try Reading(ScriptedInput(bytes, .init(knowsItsSize: false)))
    #expect(reading.packets == expected.packets)
  }

  @Test(arguments: films)
  func `then no length of the file makes more than an error`(_ name: String) throws {
    let bytes = try SampleFilms.bytes(name)
    for step in 0..<50 {
      _ = try? Reading(ScriptedInput(Array(bytes.prefix(bytes.count * step / 50))))
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct `Given a scan that must end` {
  @Test(arguments: films)
  func `then cancelling is noticed at the next read`(_ name: String) throws {
    let input = ScriptedInput(try SampleFilms.bytes(name))
    let error = try #require(throws: LibavError.self) {
      try Reading(input, isCancelled: { input.readCount > 0 })
    }
    guard case .input(let fault) = error.kind else {
      Issue.record("\(error)")
      return
    }
    #expect(fault.kind == .cancelled)
    #expect(input.readCount <= 2)
  }

  @Test func `then a deadline that is past ends it before the first byte`() throws {
    let input = ScriptedInput(try SampleFilms.bytes("broadcast.ts"))
    let error = try #require(throws: LibavError.self) { try Reading(input, deadline: .now) }
    #expect(error.kind == .input(InputFault(.timedOut, at: 0)))
    #expect(input.readCount == 0)
  }

  @Test(arguments: ["broadcast.ts", "live.webm", "vbr.mp3", "adts.aac"])
  func `then bytes without a packet in them are not read for ever`(_ name: String) throws {
    let bytes = try SampleFilms.bytes(name)
    var limits = DemuxerLimits()
    limits.barrenBytes = 4 << 20
    let input = ScriptedInput(bytes, .init(trailingZeros: 1 << 40))
    var demuxer = try Demuxer(input, limits: limits)
    var last: Int64 = 0
    while let packet = try demuxer.nextPacket() {
      if let place = packet.byteOffset { last = max(last, place) }
    }
    guard case .barren(let start) = demuxer.earlyEnd else {
      Issue.record("it ended as \(String(describing: demuxer.earlyEnd))")
      return
    }
    #expect(start >= last)
    #expect(demuxer.log.lines.count <= LibavLog.capacity)
    #expect(input.readCount < 3000)
  }

  @Test func `then packets that never move on are not counted for ever`() throws {
    var limits = DemuxerLimits()
    limits.idlePackets = 3
    // Sound in a film of few bytes comes out of one buffer, packet after packet.
    var demuxer = try Demuxer(
      ScriptedInput(SampleFilms.bytes("adts.aac")), limits: limits)
    var count = 0
    while try demuxer.nextPacket() != nil { count += 1 }
    let whole = try Reading(ScriptedInput(SampleFilms.bytes("adts.aac"))).packets.count
    #expect(count <= whole)
  }
}
