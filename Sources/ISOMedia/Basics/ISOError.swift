/// Why a file could not be read as ISO base media.
///
/// Recoverable errors are an ``ISOProblem`` of the file instead.
package struct ISOError: Error, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// The first bytes are not those of an ISO base media file.
    case notISO
    /// No `moov`: a file truncated before its header.
    case missingMovie
    /// No `moov`, but a `moof`: a media segment without its initialization segment
    /// (ISO/IEC 14496-12, 8.16).
    case missingInitialization
    /// No `moov`, but a `meta` box whose items are still pictures (ISO 23008-12).
    case stillPictures
    case limitExceeded(ISOLimits.Kind)
    /// A sample table claims more samples than the file has bytes.
    case sampleTableImpossible
    /// The operating system refused a read.
    case readFailed
  }

  package let code: Code
  package let byteOffset: Int64?
  /// One sentence for people; the caller knows the file's name.
  package let description: String
  /// The error of ``RandomAccessBytes/read(at:count:)``.
  package let cause: (any Error)?

  init(_ code: Code, at byteOffset: Int64? = nil, _ text: String, cause: (any Error)? = nil) {
    self.code = code
    self.byteOffset = byteOffset
    self.description = text
    self.cause = cause
  }
}
