import CommandLineKit
import ExactTime
import MediaEngine
import Trimming

/// Everything the screen of `trim play` shows: the presenter's screen and display-only state.
struct PlayModel: Hashable, Sendable {
  /// A text laid over the screen.
  enum Overlay: Hashable, Sendable {
    case none, tutorial, keys, parts, tracks, find, notes
  }

  var screen: TrimmingScreen
  /// Facts of the file for the first line, such as `1920x1080`.
  var summary: [String] = []
  var keyframes = FrameInstants.unknown
  var frames = FrameInstants.unknown
  /// The file's timecode; `nil` if it has none.
  var labels: FrameLabels?
  var handle = Handle.playhead
  var window: TimelineWindow?
  var speed = Rational.one
  var prompt: ScreenPrompt?
  var overlay = Overlay.none
  var tutorial = TutorialText.lines
  var keys = PlayKeys.lines
  /// What a cut would do, if that is known.
  var planLines: [String] = []
  /// The tracks to choose from, if the screen offers that.
  var trackLines: [String] = []
  /// What can be looked for and what was found, if the screen offers that.
  var findLines: [String] = []
  var findings: [TrimmingFinding] = []
  /// What a list was imported or exported with, and what was left out.
  var noteLines: [String] = []
  /// Additional information for the spoken sentences.
  var remark: String?
  /// The frame at the active handle.
  var picture: Picture?
  /// Whether there is audio whose levels can be shown.
  var hasSound = false
  var levels: [Float] = []
  /// The range that ``levels`` covers.
  var levelRange: MediaTimeRange?
  /// How the terminal shows it.
  var look = ScreenLook()
}

extension PlayModel {
  /// Creates the model while a file is opening, or if that failed.
  init(opening location: String, failure: PlayedMedia.Failure?, limit: LengthLimit) {
    let video = TrimmingVideo(duration: .zero, location: location)
    var session = TrimmingSession(video: video, limit: limit)
    if let failure { _ = session.handle(.videoDidFail(failure.videoFailure)) }
    self.init(screen: session.screen)
  }
}

extension PlayModel {
  /// The file's timecode at a handle; for Out, the label after the last shown frame.
  ///
  /// Typing it again leads to the same position.
  func timecode(_ handle: Handle, _ place: MediaTime) -> Timecode? {
    let frame =
      handle == .outPoint
      ? frames.index(before: place).map { Int64($0) + 1 } : frames.index(at: place).map(Int64.init)
    return labels?.timecode(at: place, frame: frame)
  }

  /// What the last key could not do; `nil` if there is nothing to report.
  var notice: String? {
    guard case .ready(let ready) = screen else { return nil }
    return ready.notice?.sentence(ready)
  }

  /// The name of a location without its folders, and the folders.
  static func names(of location: String) -> (base: String, folder: String?) {
    guard let slash = location.lastIndex(of: "/"), location.index(after: slash) < location.endIndex
    else { return (location, nil) }
    return (String(location[location.index(after: slash)...]), String(location[...slash]))
  }
}

extension TrimmingScreen.Ready {
  /// The name of the file that is shown.
  var shownLocation: String { source.flatMap { sources?[$0] } ?? location }
}
