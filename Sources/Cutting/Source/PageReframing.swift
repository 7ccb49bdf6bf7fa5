import Bitstreams

/// Subtitles of DVB as segments alone: a writer puts the rest of a PES packet around them.
struct PageReframing: SampleReframing {
  let configuration: [UInt8]

  func sample(_ bytes: [UInt8]) -> [UInt8] { PageComposition.segments(of: bytes) }
}
