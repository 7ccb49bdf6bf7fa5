/// Why a file cannot be written as ISO base media.
package struct ISOWriteError: Error, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    case noTracks
    /// More samples, chunks, edits or tracks than their 32-bit counters hold.
    case tooMany
    /// A time that its field does not hold.
    case timeOutOfRange
    /// The media or the headers are larger than a file can say.
    case tooLarge
    /// A track without a time scale or without a sample description.
    case incompleteTrack
    /// A sample that names a description its track does not have.
    case unknownDescription
    /// A sample entry or box whose bytes are not what its type demands.
    case malformedBox
    /// A box that should be replaced is not there.
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
    ISOWriteError(.tooLarge, "the output would be larger than a file can be")
  }
}
