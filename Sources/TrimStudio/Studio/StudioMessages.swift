import ExactTime
import JSON
import Trimming

/// Everything that a page draws in addition to the session's screen: text and data from outside the
/// session.
struct StudioState: Encodable {
  struct Words: Encodable {
    var verdict: String
    var notice: String?
    var alert: String?
    var start: String
    var end: String
    var length: String
    var playhead: String
    var timecode: String?
    var limit: String
    var parts: [String]
    /// The length of each part.
    var lengths: [String]
    /// Where each marker is.
    var markers: [String]
  }

  struct Written: Encodable {
    var number: Int
    var name: String
    var place: String
  }

  /// A file that parts of the list are of.
  struct Source: Encodable {
    /// Its number in the studio.
    var file: Int
    var name: String
  }

  var message: SessionMessage
  /// The files that parts are of, by their index; `nil` while there is only one.
  var sources: [Source]?
  var words: Words?
  var plan: StudioCutting.Outlook?
  /// The page that plays, and reports its position.
  var player: String?
  var manner: StudioSettings
  var results: [Written]
  /// Whether the work began with what was kept from earlier.
  var hasReturned: Bool
  /// Whether unfinished work is kept.
  var isKept: Bool
  /// What else happened to the kept work.
  var workNote: String?
  /// What is looked for, and what was found.
  var finding: StudioSearch.State
  /// Whether earlier work that was not applied stays kept until it is forgotten; `nil` for not.
  var isHeld: Bool?
}

/// Something that a page has to do once.
struct StudioMoment: Encodable {
  var message: SessionMessage
}

/// Why the studio has ended, and what became of the work.
struct StudioEnd: Encodable {
  enum Cause: Sendable {
    /// On a page.
    case quit
    /// By a signal.
    case interrupted
    /// No page was open for long.
    case idle
  }

  /// What became of what was not exported.
  enum Fate: Sendable {
    case none, kept, lost
  }

  let title = "The studio has ended."
  let text: String

  init(_ cause: Cause, _ fate: Fate) {
    let reason =
      switch cause {
      case .quit: "Quit was pressed on a page."
      case .interrupted: "It was ended where it was started, as by Ctrl-C."
      case .idle: "No page was open for the time of --idle-exit."
      }
    let rest =
      switch fate {
      case .none: ""
      case .kept: " Your work on this file is kept: it returns when a studio opens the file again."
      case .lost: " What you changed on this file was not exported, and is lost."
      }
    text = reason + rest + " You can close this page."
  }
}

/// What is sent once, when a page begins to show a file.
struct StudioOpening: Encodable {
  var facts: StudioFacts
  var frames: FrameInstants
  var keyframes: FrameInstants
  var chapters: [StudioChapter]
  /// The audio tracks that can be heard.
  var sounds: [StudioAudios.Track]
  /// What can be looked for.
  var finding: [StudioFinding.Choice]
  /// What the parts can be written as.
  var lists: [StudioLists.Format]
  /// The file's media type.
  var media: String
  /// The current state of the session: pages draw it before they receive events.
  var state: StudioState
}

/// The first message to a page.
struct StudioArrival: Encodable {
  var files: [StudioListed]
  /// Whether other files can be opened.
  var opensFiles: Bool
  /// The file that is shown, if known.
  var file: Int?
  /// Its opening message, if it is already open.
  var opening: StudioOpening?
  /// Its beginning, if it is not open yet.
  var look: StudioPreview?
}

/// A file in a list.
struct StudioListed: Encodable {
  var id: Int
  var name: String
  var glance: StudioEntry.Glance?
  /// True if something was changed in this run, and not exported as it is now.
  var isUnwritten: Bool?
  /// Whether that is kept.
  var isKept: Bool?
}

/// A result that can be previewed, or the beginning of a file.
struct StudioPreview: Encodable {
  /// The preview's number; `nil` for a beginning.
  var number: Int?
  var facts: StudioFacts
  var frames: FrameInstants
  var bounds: MediaTimeRange
  var seams: [MediaTime]
  var media: String
  /// Whether it is stored in a file, which also provides stills.
  var isWritten: Bool
  /// What is copied and what is re-encoded; `nil` for a beginning.
  var sentence: String?
}

/// A message of a page: a JSON object with these members and no others.
protocol PageMessage: Decodable {
  static var members: Set<String> { get }
}

/// How a page requests a preview.
struct PreviewWish: PageMessage {
  static let members: Set<String> = ["is_written"]

  /// Whether it must be a file, since the browser cannot play it otherwise.
  var isWritten: Bool?
}

/// An input from a page.
struct PageInput: PageMessage {
  static let members: Set<String> = ["page", "message"]

  var page: String
  var message: SessionMessage
}

/// Text typed on a page.
struct PageText: PageMessage {
  static let members: Set<String> = ["purpose", "text"]

  enum Purpose: String, Decodable {
    case playhead
    case inPoint = "in"
    case outPoint = "out"
    case limit, output, mode, tracks, folder
    /// Forgets the work that was kept from earlier.
    case forget
  }

  var purpose: Purpose
  var text: String
}

/// Which file of a folder a page opens.
struct FileWish: PageMessage {
  static let members: Set<String> = ["file"]

  var file: Int
}

/// A folder that a page wants in another one.
struct FolderWish: PageMessage {
  static let members: Set<String> = ["folder", "name"]

  var folder: Int
  var name: String
}

/// The number of what was made or opened.
struct StudioNumber: Encodable {
  var number: Int
}

struct TokenOffer: PageMessage {
  static let members: Set<String> = ["token"]

  var token: String
}

extension SessionInput {
  /// Whether a page may send this input: what the user did, and its player's position.
  ///
  /// Answers from ports, such as the end of an export, come only from the ports.
  var isOfPage: Bool {
    switch self {
    case .viewDidAppear, .retryDidTap, .tutorialDidTap, .tutorialDidClose, .timeRangeDidChange,
      .dragDidBegin, .dragDidEnd, .inPointDidSet, .outPointDidSet, .nudge, .timeDidType,
      .snapDidChange,
      .undoDidTap, .redoDidTap, .partDidAdd, .partDidSplit, .partDidDelete, .partDidMove,
      .partsDidSort,
      .partDidRename, .partDidSelect, .rangeDidRemove, .joinDidChange,
      .markerDidAdd, .markerDidRename, .markerDidDelete, .markerDidStep,
      .findingsDidKeep, .findingsDidRemove, .findingsDidSplit, .findingDidStep,
      .playbackTimeDidChange,
      .playheadDidMove, .playheadDidDrag, .playDidTap, .pauseDidTap, .exportDidTap,
      .exportCancelDidTap,
      .alertDidClose:
      true
    case .videoDidLoad, .videoDidFail, .firstVisitDidResolve, .screenTimeDidFail, .limitDidChange,
      .sourceDidAdd, .partDidAppend,
      .partsDidReturn, .findingsDidArrive,
      .playbackPassesDidEnd, .pictureDidArrive, .exportDidProgress, .exportDidFinish,
      .exportDidFail, .exportDidCancel:
      false
    }
  }
}
