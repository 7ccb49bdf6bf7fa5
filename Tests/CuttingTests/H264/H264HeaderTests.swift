import Support
import Testing

@testable import Bitstreams

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given an H.264 stream and another reader of its headers` {
  static func stream(
    _ clip: EncodedClip
  ) async throws -> (units: [[UInt8]], trace: HeaderTrace) {
    let folder = try ScratchFolder()
    let path = try await clip.make(in: folder, named: "clip.h264")
    let bytes = try fileBytes(path)
    return (
      NALUnits(bytes: bytes[...], framing: .annexB).map { Array($0) },
      try await HeaderTrace(ofRawStream: path)
    )
  }

  @Test(arguments: Sample.of(EncodedClip.h264, 6))
  func `then every slice header is read alike, to the bit`(_ clip: EncodedClip) async throws {
    let (units, trace) = try await Self.stream(clip)
    var sets = H264Sets(configuration: [])
    sets.add(units.map { $0[...] })
    let slices = units.filter { [1, 5].contains($0[0] & 0x1F) }
    let traced = trace.all("Slice Header")
    try #require(slices.count == traced.count && slices.count >= EncodedClip.frameCount)
    for (place, (unit, truth)) in zip(slices, traced).enumerated() {
      let payload = NALEscaping.unescaped(unit.dropFirst())
      let header = try #require(
        H264SliceHeader(unit[...], payload: payload, sets: sets.sets), "slice \(place)")
      try #require(Int(header.type) == truth.value("nal_unit_type"), "slice \(place)")
      try #require(Int(header.nalRefIDC) == truth.value("nal_ref_idc"))
      try #require(Int(header.firstBlock) == truth.value("first_mb_in_slice"))
      try #require(Int(header.sliceType) == truth.value("slice_type"))
      try #require(Int(header.pictureSet) == truth.value("pic_parameter_set_id"))
      try #require(Int(header.frameNumber) == truth.value("frame_num"), "slice \(place)")
      try #require(header.frameNumberPosition + 8 == truth.position(of: "frame_num"))
      try #require(header.isField == (truth.value("field_pic_flag") == 1))
      try #require(Int(header.instantID) == truth.value("idr_pic_id"))
      try #require(Int(header.orderLow) == truth.value("pic_order_cnt_lsb"), "slice \(place)")
      if let position = truth.position(of: "pic_order_cnt_lsb") {
        try #require(header.orderPosition + 8 == position)
      }
      try #require(Int(header.bottomOrderDelta) == truth.value("delta_pic_order_cnt_bottom"))
      let marking = truth.position(
        of: "no_output_of_prior_pics_flag", "adaptive_ref_pic_marking_mode_flag")
      if let marking {
        try #require(header.marking.lowerBound + 8 == marking, "slice \(place)")
      } else {
        try #require(header.marking.isEmpty, "slice \(place)")
      }
      let rest = truth.position(of: "cabac_init_idc", "slice_qp_delta")
      try #require(header.rest.lowerBound + 8 == rest, "slice \(place)")
      try #require(header.rest.upperBound + 8 == truth.end, "slice \(place)")
      try #require(header.references.upperBound == header.marking.lowerBound)
    }
  }

  @Test(arguments: Sample.of(EncodedClip.h264, 6))
  func `then the parameter sets are read alike`(_ clip: EncodedClip) async throws {
    let (units, trace) = try await Self.stream(clip)
    let unit = try #require(units.first { $0[0] & 0x1F == 7 })
    let sequence = try #require(H264SPS(unit))
    let truth = try #require(trace.all("Sequence Parameter Set").first)
    #expect(Int(sequence.profile) == truth.value("profile_idc"))
    #expect(Int(sequence.id) == truth.value("seq_parameter_set_id"))
    #expect(Int(sequence.chromaFormat) == truth["chroma_format_idc"]?.value ?? 1)
    #expect(sequence.hasScalingMatrix == (truth.value("seq_scaling_matrix_present_flag") == 1))
    #expect(sequence.frameNumberBits == truth.value("log2_max_frame_num_minus4") + 4)
    #expect(Int(sequence.orderType) == truth.value("pic_order_cnt_type"))
    if sequence.orderType == 0 {
      #expect(sequence.orderBits == truth.value("log2_max_pic_order_cnt_lsb_minus4") + 4)
    }
    #expect(Int(sequence.referenceFrames) == truth.value("max_num_ref_frames"))
    #expect(sequence.allowsGaps == (truth.value("gaps_in_frame_num_allowed_flag") == 1))
    #expect(sequence.onlyFrames == (truth.value("frame_mbs_only_flag") == 1))
    #expect(sequence.isAdaptive == (truth.value("mb_adaptive_frame_field_flag") == 1))
  }

  @Test(
    arguments: Sample.of(
      EncodedClip.h264.filter { !$0.words.description.contains("cqm") }, 12))
  func `when a PPS is rewritten with its own ID then it is identical to the byte`(
    _ clip: EncodedClip
  ) async throws {
    let (units, _) = try await Self.stream(clip)
    let unit = try #require(units.first { $0[0] & 0x1F == 8 })
    let set = try #require(H264PPS(unit))
    #expect(set.unit(flatListsFor: nil) == unit)
    var other = set
    other.id = 200
    let again = try #require(H264PPS(other.unit(flatListsFor: nil)))
    #expect(again.id == 200)
    #expect(again.initialQP == set.initialQP && again.isCABAC == set.isCABAC)
  }

  @Test(arguments: EncodedClip.h264.prefix(1))
  func `when frame number gaps are allowed then the SPS differs only in that bit`(
    _ clip: EncodedClip
  ) async throws {
    let (units, _) = try await Self.stream(clip)
    let unit = try #require(units.first { $0[0] & 0x1F == 7 })
    let sequence = try #require(H264SPS(unit))
    #expect(!sequence.allowsGaps)
    let changed = try #require(H264SPS(sequence.allowingGaps))
    #expect(changed.allowsGaps)
    let differing = zip(unit, sequence.allowingGaps).filter { $0 != $1 }
    #expect(differing.count == 1)
    #expect(differing.allSatisfy { ($0 ^ $1).nonzeroBitCount == 1 })
  }

  @Test(arguments: EncodedClip.h264.prefix(1))
  func `when the SPS does not state reordering then it can be added, and all else is unchanged`(
    _ clip: EncodedClip
  ) async throws {
    let (units, _) = try await Self.stream(clip)
    let unit = try #require(units.first { $0[0] & 0x1F == 7 })
    let stated = try #require(H264SPS(unit))
    #expect(stated.statingReordering(of: 2) == nil)
    for unit in try [stated.silent(keepsUsability: true), stated.silent()] {
      let silent = try #require(H264SPS(unit))
      var header = try #require(H264SPS(unit)?.header)
      #expect(header.maxReorderFrames == nil)
      let changed = try #require(silent.statingReordering(of: 2))
      header.maxReorderFrames = 2
      #expect(H264SPS(changed)?.header == header)
    }
  }

  @Test(arguments: EncodedClip.h264.prefix(1))
  func `when the reordering depth is raised then the SPS states it, and all else is unchanged`(
    _ clip: EncodedClip
  ) async throws {
    let (units, _) = try await Self.stream(clip)
    let unit = try #require(units.first { $0[0] & 0x1F == 7 })
    let sequence = try #require(H264SPS(unit))
    var header = try #require(H264SPS(unit)?.header)
    let stated = try #require(header.maxReorderFrames)
    #expect(sequence.waiting(for: stated) == nil)
    for more in 1...3 {
      let changed = try #require(sequence.waiting(for: stated + more))
      header.maxReorderFrames = stated + more
      #expect(H264SPS(changed)?.header == header)
    }
    let silent = try #require(H264SPS(try sequence.silent()))
    #expect(silent.waiting(for: 2) == silent.statingReordering(of: 2))
  }
}
