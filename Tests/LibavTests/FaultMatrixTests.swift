import Libav
import Support
import Testing

private let clips = [
  "b-frames.mp4", "fragmented.mp4", "broadcast.ts", "chapters.mkv", "live.webm", "vbr.mp3",
  "adts.aac", "sound.opus", "sound.m4a",
]

@Suite(.timeLimit(.minutes(5))) struct `Given an input that misbehaves` {
  @Suite struct `When one of its reads fails` {
    @Test(arguments: clips)
    func `then that fault is reported, whichever read it is`(_ name: String) throws {
      let bytes = try SampleClips.bytes(name)
      let sound = ScriptedInput(bytes)
      let expected = try Reading(sound)
      for number in 0..<sound.readCount {
        let input = ScriptedInput(bytes, .init(failingRead: number))
        do throws(LibavError) {
          let reading = try Reading(input)
          // Only a failure of an unneeded read may go unnoticed.
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

    @Test func `then a fault in the first bytes is not taken for an unknown format`() throws {
      let input = ScriptedInput(try SampleClips.bytes("broadcast.ts"), .init(failingRead: 0))
      let error = try #require(throws: LibavError.self) { try Reading(input) }
      #expect(error.kind == .input(InputFault(.failed(5), at: 0)))
    }
  }

  @Test(arguments: clips, [[1], [7], [3, 1, 7, 2, 5]])
  func `then short reads change nothing`(_ name: String, _ pieces: [Int]) throws {
    let bytes = try SampleClips.bytes(name)
    let expected = try Reading(ScriptedInput(bytes))
    #expect(try Reading(ScriptedInput(bytes, .init(pieces: pieces))) == expected)
  }

  @Test(arguments: clips.filter { !$0.hasSuffix(".mp3") })
  func `then an unknown length changes no packet`(_ name: String) throws {
    let bytes = try SampleClips.bytes(name)
    let expected = try Reading(ScriptedInput(bytes))
    let reading = try Reading(ScriptedInput(bytes, .init(knowsItsSize: false)))
    #expect(reading.packets == expected.packets)
  }

  @Test(arguments: clips)
  func `then no truncated length of the file causes more than an error`(_ name: String) throws {
    let bytes = try SampleClips.bytes(name)
    let count = Sample.count(80, ofAll: 200)
    for step in 0..<count {
      _ = try? Reading(ScriptedInput(Array(bytes.prefix(bytes.count * step / count))))
    }
  }

  @Test(arguments: clips)
  func `then no flipped bits cause more than an error`(_ name: String) throws {
    let bytes = try SampleClips.bytes(name)
    for number in 0..<UInt64(Sample.count(150, ofAll: 500)) {
      var random = Sample.generator(number)
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      _ = try? Reading(ScriptedInput(damaged))
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Given a scan that must end` {
  @Test(arguments: clips)
  func `then cancelling is noticed at the next read`(_ name: String) throws {
    let input = ScriptedInput(try SampleClips.bytes(name))
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

  @Test func `then a deadline in the past ends it before the first byte`() throws {
    let input = ScriptedInput(try SampleClips.bytes("broadcast.ts"))
    let error = try #require(throws: LibavError.self) { try Reading(input, deadline: .now) }
    #expect(error.kind == .input(InputFault(.timedOut, at: 0)))
    #expect(input.readCount == 0)
  }

  @Test(arguments: ["broadcast.ts", "live.webm", "vbr.mp3", "adts.aac"])
  func `then bytes without a packet in them are not read forever`(_ name: String) throws {
    let bytes = try SampleClips.bytes(name)
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

  @Test func `then packets whose time never advances are not counted forever`() throws {
    // Two hundred frames in one block, with lacing of one size (RFC 9559, 10.3.4).
    let block: [UInt8] = [0x81, 0, 0, 0x84, 199] + [UInt8](repeating: 1, count: 200)
    let clip = EBMLBuilder.clip(tags: [], block: block)
    #expect(try packetCount(of: clip) == 200)
    var limits = DemuxerLimits()
    limits.idlePackets = 100
    #expect(try packetCount(of: clip, limits) == nil)
  }

  @Test func `then any number of packets read ahead is delivered while their time advances`() throws
  {
    // No decoder accepts these frames, so FFmpeg reads to the end in search of stream parameters.
    let frame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x01, 0x3F, 0xFC, 0x21, 0x00]
    var limits = DemuxerLimits()
    limits.idlePackets = 10
    #expect(try packetCount(of: Bombs.repeated(frame, count: 2000), limits) == 2000)
  }

  /// The number of packets up to the end; `nil` when reading stopped because time did not advance.
  private func packetCount(
    of clip: [UInt8], _ limits: DemuxerLimits = DemuxerLimits()
  ) throws -> Int? {
    var demuxer = try Demuxer(ScriptedInput(clip), limits: limits)
    var count = 0
    while try demuxer.nextPacket() != nil { count += 1 }
    if case .idle = demuxer.earlyEnd { return nil }
    return count
  }
}
