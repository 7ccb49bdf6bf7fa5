import CommandLineKit
import ExactTime
import Trimming

/// All that a page draws, beside the screen of the session: words and what lies outside of it.
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
  }

  struct Plan: Encodable {
    var sentence: String
    /// What would be re-encoded; the rest is copied.
    var encoded: [MediaTimeRange]
  }

  struct Written: Encodable {
    var number: Int
    var name: String
    var place: String
  }

  var message: SessionMessage
  var words: Words?
  var plan: Plan?
  /// The page that plays, and reports where it is.
  var player: String?
  var manner: StudioManner
  var results: [Written]
}

/// What a page has to do once.
struct StudioMoment: Encodable {
  var message: SessionMessage
}

/// What is sent once, when a page begins to show a file.
struct StudioOpening: Encodable {
  var facts: StudioFacts
  var frames: FrameInstants
  var keyframes: FrameInstants
  var chapters: [StudioChapter]
  /// What a browser has to draw.
  var media: String
  /// What the session is like now: pages draw it before they hear of what happens.
  var state: StudioState
}

/// What a page hears first.
struct StudioArrival: Encodable {
  var files: [StudioListed]
  /// The file that is shown, where that is clear.
  var file: Int?
  /// What is told of it, where it has been opened by now.
  var opening: StudioOpening?
  /// Its beginning, where it has not.
  var look: StudioPreview?
}

/// A file of a list.
struct StudioListed: Encodable {
  var id: Int
  var name: String
  var glance: StudioEntry.Glance?
}

/// A result that can be looked at, or the beginning of a file.
struct StudioPreview: Encodable {
  /// `nil` for a beginning.
  var number: Int?
  var facts: StudioFacts
  var frames: FrameInstants
  var bounds: MediaTimeRange
  var seams: [MediaTime]
  var media: String
  /// Whether there is a file of it, of which there are stills as well.
  var isWritten: Bool
}

/// How a page wants a preview.
struct PreviewWish: Decodable {
  /// As a file, since the browser does not play it otherwise.
  var isWritten: Bool?
}

/// An input of a page.
struct PageInput: Decodable {
  var page: String
  var message: SessionMessage
}

/// A text that was typed on a page.
struct PageText: Decodable {
  enum Purpose: String, Decodable {
    case playhead
    case inPoint = "in"
    case outPoint = "out"
    case limit, output, mode, tracks
  }

  var purpose: Purpose
  var text: String
}

struct TokenOffer: Decodable {
  var token: String
}

extension SessionInput {
  /// Whether a page may say so: what the user did, and where its player is.
  ///
  /// What the ports answer, such as the end of an export, comes from the ports alone.
  var isOfPage: Bool {
    switch self {
    case .viewDidAppear, .retryDidTap, .tutorialDidTap, .tutorialDidClose, .timeRangeDidChange,
      .dragDidBegin, .dragDidEnd, .inPointDidSet, .outPointDidSet, .nudge, .timeDidType,
      .snapDidChange,
      .undoDidTap, .redoDidTap, .partDidAdd, .partDidSplit, .partDidDelete, .partDidMove,
      .partDidRename, .partDidSelect, .rangeDidRemove, .joinDidChange, .playbackTimeDidChange,
      .playheadDidMove, .playDidTap, .pauseDidTap, .exportDidTap, .exportCancelDidTap,
      .alertDidClose:
      true
    case .videoDidLoad, .videoDidFail, .firstVisitDidResolve, .screenTimeDidFail, .limitDidChange,
      .playbackPassesDidEnd, .pictureDidArrive, .exportDidProgress, .exportDidFinish,
      .exportDidFail, .exportDidCancel:
      false
    }
  }
}
