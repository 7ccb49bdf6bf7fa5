import ExactTime
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting
@testable import MediaFiles

/// Where an edit hides part of a packet, FFmpeg drops that much from every frame that it decodes from it.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a packet with several frames that is partly hidden` {
  @Test(arguments: [0, 100] as [Int64])
  func `when it is proven then it is reported if something is hidden`(
    _ hidden: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.wav")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=22050:d=3:seed=3:a=0.4", "-ac", "1",
      "-block_size", "512", "-c:a", "adpcm_ms", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let source = clip.source
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    let plan = try clip.plan(CutRequest(range: range), for: .mov)
    let spool = PayloadSpool()
    var tracks = try CutAssembly(
      source: source, plan: plan, number: 0, spool: spool, limits: .standard,
      isCancelled: { false }
    ).tracks()
    let packets = source.tracks[0].coded.packets
    try source.prepare([0: [packets.indices]])
    // Like FFmpeg reads WAV: eight blocks are one packet.
    tracks[0].packets = ContiguousArray(
      try stride(from: 0, to: packets.count, by: 8).map { first in
        let places = first..<min(first + 8, packets.count)
        var bytes: [UInt8] = []
        for place in places { bytes += try source.bytes(ofTrack: 0, place) }
        return OutputPacket(
          pts: packets[first].pts, dts: packets[first].pts,
          duration: packets[places].reduce(0) { $0 + $1.duration }, isKey: true,
          byteCount: bytes.count, payload: .made(try spool.add(bytes)), place: first)
      })
    tracks[0].audio?.hiddenStart = hidden
    tracks[0].zero = Rational(hidden)
    let output = folder.path(of: "cut.mov")
    let pending = try PendingFile(at: Array(output.utf8), replacing: true)
    let boxes = try MadeISOBoxes(
      source: source, container: .mov, labels: .init(), spool: spool
    ).boxes(for: tracks)
    let prints = try ISOFileWriter(
      source: source, boxes: boxes, hasChapterList: false, spool: spool, isFragmented: false,
      isCancelled: { false }
    ).write(tracks, chapters: [], to: pending) { _ in true }
    try pending.publish()
    let proof = CutProof(
      tracks: tracks, fingerprints: prints, source: source, container: .mov, isFull: true,
      limits: .standard, isCancelled: { false })
    let file = try InputFile(path: Array(output.utf8))
    guard hidden > 0 else {
      try proof.check(file)
      return
    }
    let error = #expect(throws: MediaError.self) { try proof.check(file) }
    #expect(error?.message.contains("several frames") == true)
  }
}
