import Bitstreams
import Support
import Testing

/// ISO 14496-3, 4.4.2.8.
@Suite(.timeLimit(.minutes(1))) struct `Given AAC frames that may replicate a band` {
  private func places(_ frames: [[UInt8]], channels: Int? = 1) -> [Int] {
    var headers = SBRHeaders(channels: channels)
    for (place, frame) in frames.enumerated() { headers.add(frame, at: place) }
    return headers.places
  }

  @Test(arguments: ReplicatedBand.End.allCases, [false, true])
  func `then those with a header are found, whatever follows it`(
    _ end: ReplicatedBand.End, _ hasChecksum: Bool
  ) {
    let frames = (0..<40).map {
      ReplicatedBand.frame(
        hasHeader: $0 % 13 == 4, level: 20 + $0, end: end, hasChecksum: hasChecksum)
    }
    #expect(places(frames) == [4, 17, 30])
    #expect(places(frames, channels: nil) == [4, 17, 30])
  }

  /// Of several channel elements each has its own fill element, so that others follow it.
  @Test func `when another channel element follows then they are found too`() {
    let frames = (0..<40).map { place in
      ReplicatedBand.frame(hasHeader: place % 13 == 4, level: 20 + place) + [0x23, 0x45, 0x6E]
    }
    #expect(places(frames, channels: 6) == [4, 17, 30])
  }

  @Test func `when they are in ADTS frames then these headers are skipped`() {
    let stream = ReplicatedBand.stream(frames: 9, headerEvery: 4)
    var frames: [[UInt8]] = []
    var place = 0
    while let header = ADTSHeader(Array(stream[place...].prefix(16))), place < stream.count {
      frames.append(Array(stream[place..<place + header.frameByteCount]))
      place += header.frameByteCount
      if place >= stream.count { break }
    }
    #expect(frames.count == 9)
    #expect(places(frames) == [0, 4, 8])
  }

  /// bs_frame_class (ISO 14496-3, 4.6.18.3.2).
  @Test(arguments: ReplicatedBand.End.allCases, [false, true])
  func `then a header whose envelopes end with its frame is told from others`(
    _ end: ReplicatedBand.End, _ hasChecksum: Bool
  ) {
    func isFixed(_ hasHeader: Bool, _ borders: Int) -> Bool {
      SBRHeaders.isHeaderWithFixedBorders(
        ReplicatedBand.frame(
          hasHeader: hasHeader, end: end, hasChecksum: hasChecksum, borders: borders))
    }
    #expect((0...3).map { isFixed(true, $0) } == [true, false, false, false])
    #expect(!isFixed(false, 0))
  }

  @Test func `when no frame has the element then there are none`() {
    // A single channel without a spectrum, and the end.
    #expect(places(Array(repeating: [0, 0, 0, 0x07], count: 20)) == [])
    #expect(places([]) == [])
    #expect(places([[], [0], [0xFF]]) == [])
    #expect([[], [0], [0xFF]].allSatisfy { !SBRHeaders.isHeaderWithFixedBorders($0) })
  }

  @Test func `when frames are noise then nothing is read beyond their end`() {
    var numbers = SeededGenerator(seed: 56)
    let frames = (0..<200).map { size in
      (0..<size).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }
    #expect(places(frames).count < 20)
    _ = places(frames, channels: 6)
    _ = frames.map(SBRHeaders.isHeaderWithFixedBorders)
    // A count of 15 with an esc_count of 0.
    #expect(places([[0xDE, 0x00, 0x07], [0xDE, 0x00, 0x1C, 0xFF]]) == [])
    #expect(AACPriming.samples(inFirstPacket: [0xDE, 0x00, 0x07, 0, 0]) == 0)
  }
}
