import MediaFacts
import Support
import Testing

@testable import Bitstreams

/// The first bytes of a sample that its container calls a keyframe.
struct KeyframeSample: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var bytes: [UInt8]
  var access: RandomAccessKind

  init(_ name: String, _ bytes: [UInt8], _ access: RandomAccessKind) {
    testDescription = name
    self.bytes = bytes
    self.access = access
  }
}

@Suite struct `Given a sample that the container calls a keyframe` {
  static func classify(_ codec: Codec, _ sample: KeyframeSample) -> RandomAccessKind {
    RandomAccess.classify(codec: codec, sample.bytes[...], framing: .annexB)
  }

  static let h264 = [
    KeyframeSample(
      "an IDR picture",
      CodedUnits.startCoded(CodedUnits.delimiter, CodedUnits.h264Slice(.i, unit: 0x65)), .idr),
    KeyframeSample(
      "an I picture with a recovery point",
      CodedUnits.startCoded(CodedUnits.h264RecoveryPoint(after: 0), CodedUnits.h264Slice(.i)),
      .recoveryPoint),
    KeyframeSample(
      "an I picture without one", CodedUnits.startCoded(CodedUnits.h264Slice(.i)), .recoveryPoint),
    KeyframeSample("a P picture", CodedUnits.startCoded(CodedUnits.h264Slice(.p)), .flaggedOnly),
    KeyframeSample("a B picture", CodedUnits.startCoded(CodedUnits.h264Slice(.b)), .flaggedOnly),
    KeyframeSample(
      "an I slice beside a P slice",
      CodedUnits.startCoded(CodedUnits.h264Slice(.i), CodedUnits.h264Slice(.p, block: 8)),
      .flaggedOnly),
    KeyframeSample(
      "an I field and the P field of the same frame",
      CodedUnits.startCoded(CodedUnits.h264Slice(.i), CodedUnits.h264Slice(.p)), .recoveryPoint),
    KeyframeSample(
      "P slices that are right at once",
      CodedUnits.startCoded(CodedUnits.h264RecoveryPoint(after: 0), CodedUnits.h264Slice(.p)),
      .recoveryPoint),
    KeyframeSample(
      "P slices at the start of a gradual refresh",
      CodedUnits.startCoded(CodedUnits.h264RecoveryPoint(after: 19), CodedUnits.h264Slice(.p)),
      .flaggedOnly),
    KeyframeSample("no slice", CodedUnits.startCoded(CodedUnits.delimiter), .unknown),
    KeyframeSample("nothing", [], .unknown),
  ]

  @Test(arguments: h264)
  func `when it is H.264 then its slices and SEI show whether a decoder can start there`(
    _ sample: KeyframeSample
  ) {
    #expect(Self.classify("h264", sample) == sample.access)
  }

  static let hevc = [
    KeyframeSample("IDR_W_RADL", CodedUnits.startCoded(CodedUnits.hevcSlice(19)), .idr),
    KeyframeSample("IDR_N_LP", CodedUnits.startCoded(CodedUnits.hevcSlice(20)), .idr),
    KeyframeSample("CRA", CodedUnits.startCoded(CodedUnits.hevcSlice(21)), .cra),
    KeyframeSample("BLA_W_LP", CodedUnits.startCoded(CodedUnits.hevcSlice(16)), .bla),
    KeyframeSample("BLA_N_LP", CodedUnits.startCoded(CodedUnits.hevcSlice(18)), .bla),
    KeyframeSample(
      "a trailing picture", CodedUnits.startCoded(CodedUnits.hevcSlice(1)), .flaggedOnly),
    KeyframeSample(
      "a trailing picture with a recovery point",
      CodedUnits.startCoded(CodedUnits.hevcRecoveryPoint(after: 0), CodedUnits.hevcSlice(1)),
      .recoveryPoint),
    KeyframeSample(
      "the start of a gradual refresh",
      CodedUnits.startCoded(CodedUnits.hevcRecoveryPoint(after: 8), CodedUnits.hevcSlice(1)),
      .flaggedOnly),
    KeyframeSample(
      "an enhancement layer before the base layer",
      CodedUnits.startCoded(CodedUnits.hevcSlice(1, layer: 1), CodedUnits.hevcSlice(21)), .cra),
  ]

  @Test(arguments: hevc)
  func `when it is HEVC then its NAL unit type shows what a decoder may drop`(
    _ sample: KeyframeSample
  ) {
    #expect(Self.classify("hevc", sample) == sample.access)
  }

  @Test(arguments: [(UInt8(6), false), (7, false), (8, true), (9, true), (1, false)])
  func `when an HEVC picture is RASL then a decoder that starts there skips it`(
    _ type: UInt8, _ isSkipped: Bool
  ) {
    let sample = CodedUnits.startCoded(CodedUnits.hevcSlice(type))
    #expect(
      RandomAccess.isSkippedLeading(codec: "hevc", sample[...], framing: .annexB) == isSkipped)
  }

  static let mpeg2 = [
    KeyframeSample(
      "an I picture of a closed GOP",
      CodedUnits.startCoded(CodedUnits.mpeg2Group(isClosed: true), CodedUnits.mpeg2Picture(1)),
      .intra),
    KeyframeSample(
      "an I picture of an open GOP",
      CodedUnits.startCoded(CodedUnits.mpeg2Group(isClosed: false), CodedUnits.mpeg2Picture(1)),
      .recoveryPoint),
    KeyframeSample(
      "an I picture without a GOP header", CodedUnits.startCoded(CodedUnits.mpeg2Picture(1)),
      .recoveryPoint),
    KeyframeSample(
      "a P picture", CodedUnits.startCoded(CodedUnits.mpeg2Picture(2)), .flaggedOnly),
  ]

  @Test(arguments: mpeg2)
  func `when it is MPEG-2 then its GOP header shows whether it is closed`(
    _ sample: KeyframeSample
  ) {
    #expect(Self.classify("mpeg2video", sample) == sample.access)
  }

  static let others: [(codec: Codec, sample: KeyframeSample)] = [
    ("mpeg4", KeyframeSample("an I-VOP", [0, 0, 1, 0xB6, 0x10], .intra)),
    ("mpeg4", KeyframeSample("a P-VOP", [0, 0, 1, 0xB6, 0x50], .flaggedOnly)),
    ("vp8", KeyframeSample("a key frame", [0x10], .intra)),
    ("vp8", KeyframeSample("an interframe", [0x11], .flaggedOnly)),
    ("vp9", KeyframeSample("a key frame", [0x82, 0x49], .intra)),
    ("vp9", KeyframeSample("a key frame of profile 3", [0xB0, 0x49], .intra)),
    ("vp9", KeyframeSample("a non-key frame", [0x86, 0], .flaggedOnly)),
    ("vp9", KeyframeSample("a frame shown again", [0x88, 0], .flaggedOnly)),
    ("theora", KeyframeSample("an intra frame", [0x00], .intra)),
    ("theora", KeyframeSample("an inter frame", [0x40], .flaggedOnly)),
    ("theora", KeyframeSample("a header", [0x80], .unknown)),
    (
      "av1",
      KeyframeSample(
        "a key frame behind its sequence header",
        CodedUnits.av1(2, []) + CodedUnits.av1(1, [0, 0, 0]) + CodedUnits.av1(6, [0x10]), .intra)
    ),
    ("av1", KeyframeSample("an inter frame", CodedUnits.av1(6, [0x30]), .flaggedOnly)),
    ("av1", KeyframeSample("a frame shown again", CodedUnits.av1(3, [0x80]), .flaggedOnly)),
    ("av1", KeyframeSample("a hidden key frame", CodedUnits.av1(3, [0x00]), .flaggedOnly)),
    (
      "av1",
      KeyframeSample(
        "a key frame of a layered stream", CodedUnits.av1(6, [0x10], hasExtension: true), .intra)
    ),
    (
      "av1",
      KeyframeSample(
        "a still picture", CodedUnits.av1(1, [0x18]) + CodedUnits.av1(6, [0xFF]), .intra)
    ),
    ("prores", KeyframeSample("any frame", [1, 2, 3], .intra)),
    ("unheard-of", KeyframeSample("any frame", [1, 2, 3], .unknown)),
  ]

  @Test(arguments: others)
  func `when it is of another codec then its frame header shows it`(
    _ codec: Codec, _ sample: KeyframeSample
  ) {
    #expect(Self.classify(codec, sample) == sample.access)
  }
}
