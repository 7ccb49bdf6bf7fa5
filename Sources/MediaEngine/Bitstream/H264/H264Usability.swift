/// Video usability information of H.264 (annex E.1).
struct H264Usability: Hashable, Sendable {
  var common = VideoUsability()
  /// Seconds of a field are `unitsInTick` over `timeScale`.
  var unitsInTick = 0
  var timeScale = 0
  /// Bits of cpb_removal_delay and dpb_output_delay together; `nil` without HRD parameters.
  var delayBits: Int?
  var statesPictureStructure = false
  var reorderedFrames: Int?

  mutating func read(_ bits: inout BitReader) throws(MalformedBits) {
    try common.read(&bits)
    if try bits.flag() {
      unitsInTick = try bits.int(32)
      timeScale = try bits.int(32)
      try bits.skip(1)
    }
    let hasNALBuffer = try bits.flag()
    if hasNALBuffer { try readBuffer(&bits) }
    let hasVCLBuffer = try bits.flag()
    if hasVCLBuffer { try readBuffer(&bits) }
    if hasNALBuffer || hasVCLBuffer { try bits.skip(1) }
    statesPictureStructure = try bits.flag()
    guard try bits.flag() else { return }
    try bits.skip(1)
    for _ in 0..<4 { _ = try bits.ue() }
    reorderedFrames = try bits.ue(upTo: 16)
  }

  /// Hypothetical reference decoder parameters (E.1.2).
  private mutating func readBuffer(_ bits: inout BitReader) throws(MalformedBits) {
    let count = 1 + (try bits.ue(upTo: 31))
    try bits.skip(8)
    for _ in 0..<count {
      _ = try bits.ue()
      _ = try bits.ue()
      try bits.skip(1)
    }
    try bits.skip(5)
    delayBits = 2 + (try bits.int(5)) + (try bits.int(5))
    try bits.skip(5)
  }
}
