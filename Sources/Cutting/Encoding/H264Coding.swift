import Bitstreams

/// How libx264 must code so that its slices are valid under the source's SPS.
struct H264Coding {
  /// The last SPS, and a PPS that refers to it; `nil` if the source has none.
  private let sequence: H264SPS?
  private let picture: H264PPS?

  /// - Parameter configuration: avcC, or the source's units in Annex B format.
  init(_ configuration: [UInt8]) {
    let sets = H264Sets(configuration: configuration)
    let sequence = sets.sequences.last
    self.sequence = sequence
    picture = sets.pictures.values.first { $0.sequenceID == sequence?.id }
  }

  var parameters: String {
    // One reference and no reordering: no slice depends on the DPB size. Edges are short: lookahead
    // would hold ten more frames for little gain.
    var parameters = [
      "bframes=0", "ref=1", "weightp=0", "scenecut=0", "open-gop=0", "aud=0", "info=0",
      "rc-lookahead=0", "sync-lookahead=0", "mbtree=0",
      // Otherwise the PPS depends on the quality, and all edges share one.
      "stitchable=1",
    ]
    guard let sequence else { return parameters.joined(separator: ":") }
    // Table A-1: Baseline has neither CABAC nor 8x8 transforms, Main no 8x8 transforms.
    if [66, 88].contains(sequence.profile) || picture?.isCABAC == false {
      parameters.append("cabac=0")
    }
    if [66, 77, 88].contains(sequence.profile) { parameters.append("8x8dct=0") }
    if !sequence.onlyFrames, !sequence.isAdaptive { parameters.append("fake-interlaced=1") }
    if sequence.referenceFrames == 0 { parameters.append("keyint=1") }
    return parameters.joined(separator: ":")
  }

  /// Visually lossless; lossless if the source's SPS sets qpprime_y_zero_transform_bypass_flag,
  /// which only lossless streams need: with it, a QP of zero is lossless.
  var quality: (key: String, value: String) {
    sequence?.bypassesTransforms == true ? ("qp", "0") : ("crf", "18")
  }

  /// Whether pictures must be encoded at coded size, including the cropped area.
  var keepsPadding: Bool { sequence?.cropsMoreThanPadding == true }

  /// Whether the SPS has no chroma; slices coded with chroma would not be valid under it.
  var isMonochrome: Bool { sequence?.chromaFormat == 0 }

  /// Whether slices must choose between frame and field for every macroblock pair.
  ///
  /// The SPS states it; containers seldom do. `nil` without an SPS.
  var codesFields: Bool? { sequence.map { !$0.onlyFrames && $0.isAdaptive } }
}
