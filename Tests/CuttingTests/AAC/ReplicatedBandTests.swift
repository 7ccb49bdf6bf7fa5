import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@testable import Cutting

/// ISO 14496-3, 4.4.2.8: until a header of the replicated band is decoded, there is none.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given HE-AAC with a header for the upper band in some packets` {
  private static let period = 23
  private static let from = MediaTime(3, 2)

  private func clip(_ name: String, in folder: ScratchFolder) async throws -> String {
    let stream = try folder.write(
      ReplicatedBand.stream(frames: 90, headerEvery: Self.period), to: "stream.aac")
    let path = folder.path(of: name)
    _ = try await EncodedClip.ffmpeg(["-v", "error", "-i", stream, "-c", "copy", path])
    return path
  }

  private func cut(
    _ path: String, into output: String, joins: Bool = false, fragmented: Bool = false
  ) throws -> TrackPlan {
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: Self.from, to: MediaTime(5, 2))),
      verification: .full)
    if joins { request.join(try #require(MediaTimeRange(from: MediaTime(2), to: MediaTime(3)))) }
    request.isFragmented = fragmented
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    return try #require(report.plan.tracks.first { $0.kind == .audio })
  }

  /// The mean magnitude in each window of 50 ms: below the upper band the sound is silent.
  private func levels(_ path: String) async throws -> [Int] {
    let samples = try await CutNoise.samples(path)
    let size = 2400
    return stride(from: 0, to: samples.count - size + 1, by: size).map { place in
      samples[place..<place + size].reduce(0) { $0 + abs(Int($1)) } / size
    }
  }

  @Test(arguments: ["m4a", "mov", "wav", "flac"])
  func `when a cut begins between two of them then the upper band is there from the first sample`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut." + ending)
    let path = try await clip("clip.m4a", in: folder)
    let track = try cut(path, into: output)
    if ending == "wav" {
      let whole = try await CutNoise.samples(path)
      #expect(try await isSame(CutNoise.samples(output)[...], whole[72_000..<120_000]))
    }
    #expect(track.fullBandFrom == nil)
    let levels = try await levels(output)
    let usual = try #require(levels.dropFirst(levels.count / 2).min())
    #expect(usual > 100 && levels.allSatisfy { $0 > usual * 9 / 10 }, "\(levels)")
  }

  @Test func `when parts are joined then each has it from its first sample`() async throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.wav")
    _ = try cut(try await clip("clip.ts", in: folder), into: output, joins: true)
    let levels = try await levels(output)
    let usual = try #require(levels.suffix(5).min())
    #expect(usual > 100 && levels.allSatisfy { $0 > usual * 9 / 10 }, "\(levels)")
  }

  @Test(arguments: ["ts", "aac", "mka"])
  func `when a container cannot hide packets then the plan says from when on it is there`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut." + ending)
    let track = try cut(try await clip("clip.m4a", in: folder), into: output)
    #expect(track.reasons.contains(.upperBandLater))
    let begin = try #require(track.source?.start)
    let time = try #require(track.fullBandFrom)
    // The third header: packet 46.
    #expect(time == MediaTime(46 * 2048, 48_000))
    let levels = try await levels(output)
    let late = try time.distance(from: begin).seconds.multiplied(by: Rational(20))
    let (before, after) = (
      Int(try late.rounded(.down)), Int(try late.rounded(.up)) + 1
    )
    #expect(levels[..<before].allSatisfy { $0 < 10 }, "\(levels)")
    #expect(levels[after...].allSatisfy { $0 > 100 }, "\(levels)")
  }

  /// Players play what an edit hides in fragments.
  @Test func `when a file is fragmented then nothing is hidden, and the plan says it too`()
    async throws
  {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.m4a")
    let track = try cut(
      try await clip("clip.m4a", in: folder), into: output, fragmented: true)
    #expect(track.reasons == [.beginsWithNextPacket, .upperBandLater])
    #expect(track.fullBandFrom == MediaTime(46 * 2048, 48_000))
  }

  private func planned(
    _ path: String, _ sound: AudioChoice = .copied
  ) throws -> (clip: OpenedFile, plan: CutPlan) {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    var request = CutRequest(
      range: try #require(MediaTimeRange(from: Self.from, to: MediaTime(5, 2))),
      verification: .full)
    if sound == .encoded { request.audio = .reencode }
    return (clip, try clip.plan(request, for: .mp4))
  }

  private enum AudioChoice { case copied, encoded }

  private func tracks(
    _ clip: OpenedFile, _ plan: CutPlan, _ spool: PayloadSpool
  ) throws -> [OutputTrack] {
    try CutAssembly(
      source: clip.source, plan: plan, number: 0, spool: spool, limits: .standard,
      isCancelled: { false }
    ).tracks()
  }

  private func proof(_ tracks: [OutputTrack], of clip: OpenedFile) -> CutProof {
    CutProof(
      tracks: tracks, fingerprints: [], source: clip.source, container: .mp4, isFull: true,
      limits: .standard, isCancelled: { false })
  }

  @Test func `when copied packets begin behind the header then the full proof notices`()
    async throws
  {
    let folder = try ScratchFolder()
    let (clip, plan) = try planned(try await clip("clip.m4a", in: folder))
    let spool = PayloadSpool()
    var tracks = try tracks(clip, plan, spool)
    let right = try WrittenTracks(tracks, of: clip.source, spool, to: folder.path(of: "right.mp4"))
    try proof(tracks, of: clip).checkUpperBand(source(right.path), 0)
    // A single packet is left before those that are heard.
    while let cut = tracks[0].audio, let first = tracks[0].packets.first,
      cut.hiddenStart >= 2 * first.duration
    {
      tracks[0].audio?.hiddenStart -= first.duration
      tracks[0].packets.removeFirst()
    }
    let wrong = try WrittenTracks(tracks, of: clip.source, spool, to: folder.path(of: "wrong.mp4"))
    let error = #expect(throws: MediaError.self) {
      try proof(tracks, of: clip).checkUpperBand(source(wrong.path), 0)
    }
    #expect(error?.code == .verificationFailed)
    #expect(error?.message.contains("upper band") == true, "\(error?.message ?? "")")
  }

  private func source(_ path: String) throws -> any CutSource {
    try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).source
  }

  @Test func `when sound is decoded from behind the header then the full proof notices`()
    async throws
  {
    let folder = try ScratchFolder()
    var (clip, plan) = try planned(try await clip("clip.m4a", in: folder), .encoded)
    let right = try tracks(clip, plan, PayloadSpool())
    try proof(right, of: clip).checkUpperBand(clip.source, 0)
    let cut = try #require(plan.parts[0].tracks[0].audio)
    let heard = try clip.source.tracks[0].coded.packets.lastIndex {
      try clip.source.tracks[0].coded.time(atTick: $0.pts) <= Self.from
    }
    let first = try #require(heard) - 1
    #expect(cut.copied.lowerBound < first)
    plan.parts[0].tracks[0].audio?.copied = first..<cut.copied.upperBound
    let wrong = try tracks(clip, plan, PayloadSpool())
    let error = #expect(throws: MediaError.self) {
      try proof(wrong, of: clip).checkUpperBand(clip.source, 0)
    }
    #expect(error?.message.contains("upper band") == true, "\(error?.message ?? "")")
  }

  @Test(.enabled(if: Cases.folder != nil, "\(Cases.absence)"))
  func `when a reported film without its upper band is proven then the full proof refuses it`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = Cases.path("real/ff/064-whitenoise-he-aac-5s.mp4")
    let (clip, plan) = try planned(path)
    let proof = proof(try tracks(clip, plan, PayloadSpool()), of: clip)
    let (right, dull) = (folder.path(of: "right.mp4"), folder.path(of: "dull.m4a"))
    _ = try cut(path, into: right)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", right, "-af", "lowpass=f=9000", "-c:a", "aac", "-b:a", "192k", dull,
    ])
    let error = #expect(throws: MediaError.self) { try proof.checkUpperBand(source(dull), 0) }
    #expect(error?.code == .verificationFailed)
    try proof.checkUpperBand(source(right), 0)
  }

  @Test(
    .enabled(if: Cases.folder != nil, "\(Cases.absence)"), arguments: ["wav", "mp4"])
  func `when a reported film is cut then its upper band is that of a decode from the beginning`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = Cases.path("real/ff/064-whitenoise-he-aac-5s.mp4")
    let output = folder.path(of: "cut." + ending)
    _ = try cut(path, into: output)
    let heard = try await CutNoise.samples(path)[72_000...].prefix(48_000)
    let written = try await CutNoise.samples(output)
    if ending == "wav" { #expect(isSame(written[...], heard)) }
    let (own, whole) = (roughness(written[...]), roughness(heard))
    for (one, other) in zip(own, whole) { #expect(abs(one - other) * 20 < other, "\(own)") }
  }

  /// Whether samples are the same but for rounding, with the noise that a decoder adds.
  private func isSame(_ some: ArraySlice<Int16>, _ others: ArraySlice<Int16>) -> Bool {
    some.count == others.count && zip(some, others).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
  }

  /// The mean second difference in windows of 50 ms, which is large for the highest frequencies.
  private func roughness(_ samples: ArraySlice<Int16>) -> [Int] {
    let sound = samples.map(Int.init)
    return stride(from: 2, to: sound.count - 2400, by: 2400).map { place in
      (place..<place + 2400).reduce(0) {
        $0 + abs(sound[$1] - 2 * sound[$1 - 1] + sound[$1 - 2])
      } / 2400
    }
  }
}
