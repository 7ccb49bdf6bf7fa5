/// A recoverable error in the file, and where it is.
package struct ISOProblem: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A box at the top level that ends beyond the file.
    case truncatedBox
    /// A box that ends beyond its parent.
    case overrunningBox
    /// A box whose size is smaller than its own header, or whose fields do not fit in it.
    case malformedBox
    /// Bytes that do not form a box.
    case trailingBytes
    /// A missing box that the standard requires.
    case missingBox
    /// A second box where one is allowed: the first one is used.
    case duplicateBox
    /// A table with more entries than fit in its box, or in the file.
    case countImpossible
    /// Two tables of one track that give different numbers of samples.
    case countsDisagree
    /// Table entries that refer to samples which do not exist.
    case invalidEntries
    /// Samples whose bytes are not in the file.
    case samplesOutsideFile
    /// Samples that are in no chunk, so that their location is unknown.
    case unplacedSamples
    /// A sample duration of 2^31 ticks or more, which some readers treat as negative.
    case hugeSampleDuration
    case zeroTimescale
    /// A timescale that contradicts the other headers, or at which no samples can last.
    case timescaleImpossible
    /// A duration in a header that does not fit 63 bits.
    case impossibleDuration
    /// A timestamp or an offset beyond 2^62.
    case valueOutOfRange
    /// An edit rate other than 1.
    case unusualEditRate
    /// `cmov`: the header is compressed and is not decompressed.
    case compressedHeader
    /// The media data is in another file, which is never opened.
    case externalReference
    /// A fragment for a track that is not in `moov`.
    case unknownTrack
    /// More of something than ``ISOLimits`` allows: the rest was left out.
    case limitReached
  }

  package var kind: Kind
  /// The offset in the file where it was found.
  package var byteOffset: Int64?
  package var trackID: UInt32?
  /// How many bytes, samples or entries are affected.
  package var count: Int64?
  /// A description in plain words.
  package var text: String
}

/// Collects a limited number of problems while a file is read.
struct ProblemLog {
  private(set) var problems: [ISOProblem] = []
  let limit: Int
  var trackID: UInt32?

  init(limit: Int) { self.limit = limit }

  mutating func note(
    _ kind: ISOProblem.Kind, at byteOffset: Int64? = nil, count: Int64? = nil, _ text: String
  ) {
    guard problems.count < limit else { return }
    problems.append(
      ISOProblem(
        kind: kind, byteOffset: byteOffset, trackID: trackID, count: count, text: text))
  }
}
