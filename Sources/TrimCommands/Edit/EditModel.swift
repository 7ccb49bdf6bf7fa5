import ExactTime
import MediaEngine
import Trimming

/// Everything the screen of `trim edit` shows.
struct EditModel: Hashable, Sendable {
  /// The question that the next key answers.
  enum Question: Hashable, Sendable {
    /// A file with that name exists.
    case replace(String)
    /// A list with that name exists.
    case replaceList(ListTarget)
    /// The range was changed and nothing was cut.
    case quit
  }

  /// The preview of a cut.
  enum Preview: Hashable, Sendable {
    case making
    /// Showing the result; the seams are where re-encoded pictures meet copied ones.
    case showing(seams: [MediaTime])
  }

  var play: PlayModel
  /// The name of the file that a cut writes.
  var target: String
  var purpose: EditOptions.Choice?
  /// What the cut will do; `nil` until known.
  var outlook: String?
  var question: Question?
  var preview: Preview?
  /// What is being looked for; `nil` for nothing.
  var search: String?
  /// The title of what is listed once.
  var noteTitle = ""
  /// Where exactly this range was written.
  var written: String?
  /// What the last key could not do.
  var notice: String?
  var strip: [Picture] = []
  /// The content that the layout is computed from.
  var content = EditLayout.Content()
}
