import Bitstreams

/// How libx264 must code so that its slices can stand under the source's sequence parameter set.
struct H264Coding {
  /// The last of several, and a picture parameter set under it; `nil` where the source has none.
  private let sequence: H264SPS?
  private let picture: H264PPS?

  /// - Parameter configuration: avcC, or the source's units behind start codes.
  init(_ configuration: [UInt8]) {
    let sets = H264Sets(configuration: configuration)
    let sequence = sets.sequences.last
    self.sequence = sequence
    picture = sets.pictures.values.first { $0.sequenceID == sequence?.id }
  }

  var parameters: String {
    // One reference and no reordering: nothing in a slice depends on the size of the buffer. An
    // edge is short: looking ahead would hold ten frames more, and gain little.
    var parameters = [
      "bframes=0", "ref=1", "weightp=0", "scenecut=0", "open-gop=0", "aud=0", "info=0",
      "rc-lookahead=0", "sync-lookahead=0", "mbtree=0",
    ]
    guard let sequence else { return parameters.joined(separator: ":") }
    // Table A-1: Baseline has neither arithmetic coding nor 8x8 transforms, Main no 8x8 transforms.
    if [66, 88].contains(sequence.profile) || picture?.isCABAC == false {
      parameters.append("cabac=0")
    }
    if [66, 77, 88].contains(sequence.profile) { parameters.append("8x8dct=0") }
    if !sequence.onlyFrames, !sequence.isAdaptive { parameters.append("fake-interlaced=1") }
    if sequence.referenceFrames == 0 { parameters.append("keyint=1") }
    return parameters.joined(separator: ":")
  }

  /// What is visually lossless; without loss where the source is, since no other coding needs the flag
  /// that says so, and a quantiser of zero means just that under it.
  var quality: (key: String, value: String) {
    sequence?.bypassesTransforms == true ? ("qp", "0") : ("crf", "18")
  }

  /// Whether pictures must be encoded as they are coded, with what is cut off.
  var keepsPadding: Bool { sequence?.cropsMoreThanPadding == true }

  /// Whether the sequence parameter set knows no chroma; slices coded with it could not stand under that.
  var isMonochrome: Bool { sequence?.chromaFormat == 0 }

  /// Whether slices must choose between frame and field for every pair of macroblocks.
  ///
  /// The sequence parameter set says it; containers seldom tell. `nil` without a set.
  var codesFields: Bool? { sequence.map { !$0.onlyFrames && $0.isAdaptive } }
}
