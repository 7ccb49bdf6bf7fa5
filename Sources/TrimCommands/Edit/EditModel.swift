import ExactTime
import MediaEngine
import Trimming

/// Everything the screen of `trim edit` shows.
struct EditModel: Hashable, Sendable {
  /// What the next key answers.
  enum Question: Hashable, Sendable {
    /// A file of that name exists.
    case replace(String)
    /// The range was changed and nothing cut.
    case quit
  }

  /// The result of a cut, made to be looked at.
  enum Preview: Hashable, Sendable {
    case making
    /// Where pictures re-encoded meet copied ones.
    case showing(seams: [MediaTime])
  }

  var play: PlayModel
  /// The name of the file that a cut writes.
  var target: String
  var purpose: EditOptions.Choice?
  /// What the cut will do; `nil` while that is not known.
  var outlook: String?
  var question: Question?
  var preview: Preview?
  /// Where this very range was written.
  var written: String?
  /// What the last key could not do.
  var notice: String?
  var strip: [Picture] = []
  /// What the rows of the screen are for.
  var content = EditLayout.Content()
}
