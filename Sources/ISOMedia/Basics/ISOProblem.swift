/// Something wrong in the file that was survived, and where.
package struct ISOProblem: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A box at the top level that ends beyond the file.
    case truncatedBox
    /// A box that ends beyond the one that holds it.
    case overrunningBox
    /// A box whose size is smaller than its own header, or whose fields do not fit it.
    case malformedBox
    /// Bytes that are no box.
    case trailingBytes
    /// A box that the standard demands.
    case missingBox
    /// A second box of which one is allowed: the first one holds.
    case duplicateBox
    /// A table with more entries than its box, or its file, has room for.
    case countImpossible
    /// Two tables of one track that speak of different numbers of samples.
    case countsDisagree
    /// Entries of a table that name samples which do not exist.
    case invalidEntries
    /// Samples whose bytes are not in the file.
    case samplesOutsideFile
    /// Samples that no chunk holds, so that nobody knows where they are.
    case unplacedSamples
    /// A sample duration of 2^31 ticks or more, which some readers take as negative.
    case hugeSampleDuration
    case zeroTimescale
    /// A duration in a header that no 63 bits hold.
    case impossibleDuration
    /// A time stamp or an offset beyond 2^62.
    case valueOutOfRange
    /// An edit rate other than 1.
    case unusualEditRate
    /// `cmov`: the header is compressed and is not unpacked.
    case compressedHeader
    /// The media lie in another file, which is never opened.
    case externalReference
    /// A fragment for a track that `moov` does not know.
    case unknownTrack
    /// More of something than ``ISOLimits`` allows: the rest was left out.
    case limitReached
  }

  package var kind: Kind
  /// The place in the file where it shows.
  package var byteOffset: Int64?
  package var trackID: UInt32?
  /// How many bytes, samples or entries it concerns.
  package var count: Int64?
  /// A sentence in plain words.
  package var text: String
}

/// Collects problems while a file is read, bounded.
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
