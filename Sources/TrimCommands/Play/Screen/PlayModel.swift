import CommandLineKit
import ExactTime
import MediaEngine
import Trimming

/// Everything the screen of `trim play` shows: the presenter's screen and what is only on display.
struct PlayModel: Hashable, Sendable {
  /// A text laid over the screen.
  enum Overlay: Hashable, Sendable {
    case none, tutorial, keys
  }

  var screen: TrimmingScreen
  var limit: LengthLimit
  /// Facts of the film for the first line, such as `1920x1080`.
  var summary: [String] = []
  var keyframes = FrameInstants.unknown
  var frames = FrameInstants.unknown
  var handle = Handle.playhead
  var window: TimelineWindow?
  var speed = Rational.one
  var prompt: TimePrompt?
  var overlay = Overlay.none
  var tutorial = TutorialText.lines
  var keys = PlayKeys.lines
  /// What else there is to be told, for sentences.
  var remark: String?
  /// The frame at the active handle.
  var picture: Picture?
  /// How it is shown.
  var pane = PicturePane()
}

extension PlayModel {
  /// Before there is a film, or where there is none.
  init(opening location: String, failure: PlayFilm.Failure?, limit: LengthLimit) {
    let video = TrimmingVideo(duration: .zero, location: location)
    var session = TrimmingSession(video: video, limit: limit)
    if let failure { _ = session.handle(.videoDidFail(failure.videoFailure)) }
    self.init(screen: session.screen, limit: limit)
  }
}

/// A time being typed.
struct TimePrompt: Hashable, Sendable {
  var text = ""
  /// What the text means so far.
  var reading: Reading = .nothing

  enum Reading: Hashable, Sendable {
    case nothing
    case time(MediaTime)
    case problem(String)
  }

  static let longest = 40

  mutating func insert(_ character: Character, in context: TimelineContext) {
    guard text.count < Self.longest, character.isASCII else { return }
    text.append(character)
    read(in: context)
  }

  mutating func deleteLast(in context: TimelineContext) {
    text = String(text.dropLast())
    read(in: context)
  }

  private mutating func read(in context: TimelineContext) {
    guard !text.isEmpty else {
      reading = .nothing
      return
    }
    do throws(TimeSyntaxError) {
      let expression = try TimeExpression(parsing: text)
      do throws(TimeResolutionError) {
        reading = .time(try expression.resolve(in: context))
      } catch {
        reading = .problem("\(error)")
      }
    } catch {
      reading = .problem("\(error.reason)")
    }
  }
}
