import Bitstreams

/// DVB subtitles as bare segments: a writer adds the rest of the PES packet around them.
struct PageReframing: SampleReframing {
  let configuration: [UInt8]

  func sample(_ bytes: [UInt8]) -> [UInt8] { PageComposition.segments(of: bytes) }
}
