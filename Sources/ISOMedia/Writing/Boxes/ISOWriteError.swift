/// Why a file cannot be written as ISO base media.
package struct ISOWriteError: Error, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    case noTracks
    /// More samples, chunks, edits or tracks than their 32-bit counters hold.
    case tooMany
    /// A time that does not fit its field.
    case timeOutOfRange
    /// The media or the headers are larger than the format allows.
    case tooLarge
    /// A track without a timescale or without a sample description.
    case incompleteTrack
    /// A sample that refers to a description its track does not have.
    case unknownDescription
    /// A sample entry or box whose bytes are not valid for its type.
    case malformedBox
    /// A box to be replaced is missing.
    case missingBox
  }

  package let code: Code
  /// One sentence for people; the caller knows the file's name.
  package let description: String

  init(_ code: Code, _ text: String) {
    self.code = code
    description = text
  }

  static var tooLarge: ISOWriteError {
    ISOWriteError(.tooLarge, "the output would exceed the maximum file size")
  }
}
