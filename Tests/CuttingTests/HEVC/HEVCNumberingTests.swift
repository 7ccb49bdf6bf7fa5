import Support
import Testing

@testable import Bitstreams

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given an HEVC stream whose parameter sets get other IDs` {
  static func stream(_ clip: EncodedClip) async throws -> [[UInt8]] {
    let folder = try ScratchFolder()
    var raw = clip
    raw.words.removeAll { ["-tag:v", "hvc1"].contains($0) }
    let bytes = try fileBytes(try await raw.make(in: folder, named: "clip.hevc"))
    return NALUnits(bytes: bytes[...], framing: .annexB).map { Array($0) }
  }

  @Test(arguments: EncodedClip.hevc)
  func `when they keep their IDs then they are identical to the byte`(
    _ clip: EncodedClip
  ) async throws {
    let units = try await Self.stream(clip)
    for unit in units.prefix(8) {
      switch HEVCSets.type(of: unit) {
      case HEVCSets.video:
        #expect(HEVCNumbering.number(of: unit) == 0)
        #expect(HEVCNumbering.videoSet(unit, number: 0) == unit)
      case HEVCSets.sequence:
        #expect(HEVCNumbering.number(of: unit) == 0)
        #expect(HEVCNumbering.sequenceSet(unit, number: 0, video: 0, waitingAs: nil) == unit)
        #expect(HEVCNumbering.sequenceSet(unit, number: 0, video: 0, waitingAs: unit) != nil)
      case HEVCSets.picture:
        #expect(HEVCNumbering.number(of: unit) == 0)
        #expect(HEVCNumbering.pictureSet(unit, number: 0, sequence: 0) == unit)
      default: continue
      }
    }
  }

  @Test func `when another stream reorders more then the same depth is stated here`()
    async throws
  {
    let clips = EncodedClip.hevc
    let plain = EncodedClip(
      testDescription: "without reordering",
      words: clips[0].words.map { $0.replacing("bframes=3", with: "bframes=0") })
    func set(_ clip: EncodedClip) async throws -> [UInt8] {
      try #require(
        try await Self.stream(clip).first { HEVCSets.type(of: $0) == HEVCSets.sequence })
    }
    let (own, other) = try await (set(plain), set(clips[0]))
    let model = try #require(HEVCSPS(other)?.ordering.last)
    #expect(model.reordered > 0)
    #expect(HEVCSPS(own)?.ordering.last?.reordered == 0)
    let changed = try #require(
      HEVCNumbering.sequenceSet(own, number: 0, video: 0, waitingAs: other))
    let layer = try #require(HEVCSPS(changed)?.ordering.last)
    #expect(layer.reordered == model.reordered)
    #expect(layer.held >= model.held)
    let folder = try ScratchFolder()
    let units = try await Self.stream(plain).map { $0 == own ? changed : $0 }
    let path = try folder.write(Framing.annexB.pack(units), to: "new.hevc")
    let (pictures, log) = try await EncodedClip.pictures(path)
    #expect(pictures.count == EncodedClip.frameCount)
    #expect(log.isEmpty, "\(log)")
  }

  @Test(arguments: Sample.of(EncodedClip.hevc, 2))
  func `then another parser finds the new IDs, and every other field unchanged`(
    _ clip: EncodedClip
  ) async throws {
    let units = try await Self.stream(clip)
    let renumbered = try units.map { unit in
      switch HEVCSets.type(of: unit) {
      case HEVCSets.video: HEVCNumbering.videoSet(unit, number: 5)
      case HEVCSets.sequence:
        try #require(HEVCNumbering.sequenceSet(unit, number: 3, video: 5, waitingAs: nil))
      case HEVCSets.picture: try #require(HEVCNumbering.pictureSet(unit, number: 17, sequence: 3))
      case 0..<32: try #require(HEVCNumbering.slice(unit[...], pictureSet: 17))
      default: unit
      }
    }
    let folder = try ScratchFolder()
    let old = try folder.write(Framing.annexB.pack(units), to: "old.hevc")
    let new = try folder.write(Framing.annexB.pack(renumbered), to: "new.hevc")
    let (before, after) = try await (
      HeaderTrace(ofRawStream: old), HeaderTrace(ofRawStream: new)
    )
    try #require(before.units.map(\.title) == after.units.map(\.title))
    for (one, other) in zip(before.units, after.units) {
      try #require(one.elements.map(\.name) == other.elements.map(\.name), "\(one.title)")
      for (first, second) in zip(one.elements, other.elements) {
        let expected =
          switch first.name {
          case "vps_video_parameter_set_id", "sps_video_parameter_set_id": 5
          case "sps_seq_parameter_set_id", "pps_seq_parameter_set_id": 3
          case "pps_pic_parameter_set_id", "slice_pic_parameter_set_id": 17
          default: first.element.value
          }
        try #require(second.element.value == expected, "\(first.name)")
      }
    }
    #expect(
      try await EncodedClip.pictures(old).pictures == EncodedClip.pictures(new).pictures)
    #expect(try await EncodedClip.pictures(new).log.isEmpty)
  }
}
