package import ExactTime
import Trimming

/// The pictures in the result of a cut.
package struct ResultPictures: Sendable {
  /// The pictures, by the file's own times.
  package var pictures: MediaPictures
  /// The instants of the file at which re-encoded pictures meet copied ones.
  package var seams: [MediaTime]
  /// The same on the result's own timeline.
  package var seamsOfResult: [MediaTime] = []
  /// A descriptor of the result as an unnamed file; the caller closes it.
  package var openResult: @Sendable () throws -> Int32 = {
    throw VideoFailure("there is no result")
  }

  package init(pictures: MediaPictures, seams: [MediaTime]) {
    self.pictures = pictures
    self.seams = seams
  }
}
