import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Readers of transport streams split such a packet: they find one more picture than the plan has.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a packet with slices of two pictures` {
  @Test(arguments: [41, 44])
  func `when it goes into a transport stream then the source is blamed, with the place`(
    _ second: Int
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await EncodedClip.named("H.264, no reordering, order of type 2").make(in: folder)
    var samples: [Int: [UInt8]] = [:]
    try SampleRewriting.rewrite(path, to: folder.path(of: "same.mp4")) { place, sample in
      samples[place] = sample
      return sample
    }
    let damaged = folder.path(of: "damaged.mp4")
    try SampleRewriting.rewrite(path, to: damaged) { place, sample in
      place == 40 ? sample + (samples[second] ?? []) : sample
    }
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(damaged.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    let error = #expect(throws: MediaError.self) {
      try clip.cut(
        CutOrder(CutRequest(range: range), to: Array(folder.path(of: "cut.ts").utf8)))
    }
    #expect(error?.code == .damaged)
    #expect(error?.times != nil)
  }
}
