import ExactTime
import Isolation
import MediaEngine
import Synchronization

/// The pictures and levels that a screen shows, fetched in the background.
@MainActor final class PictureDesk {
  struct Still: Equatable, Sendable {
    var time: MediaTime
    var size: PictureSize
    /// Counts the passes of a loop; a new one begins at the start of the range.
    var pass: Int
  }

  struct Strip: Equatable, Sendable {
    var times: [MediaTime]
    var size: PictureSize
  }

  struct Levels: Equatable, Sendable {
    var range: MediaTimeRange
    var count: Int
  }

  private let stills: NewestAnswer<Still, GrabbedPicture>
  private let starts: NewestAnswer<Still, Bool>
  private let strips: NewestAnswer<Strip, [Picture]>
  private let waves: NewestAnswer<Levels, [Float]>
  let hasPictures: Bool

  /// - Parameter didArrive: called when there is something new to show.
  init(_ pictures: MediaPictures, didArrive: @escaping @MainActor () -> Void) {
    hasPictures = pictures.hasPictures
    let passes = LastPass()
    stills = NewestAnswer(didArrive: didArrive) { wish in
      try pictures.picture(wish.time, wish.size, passes.isNew(wish.pass))
    }
    starts = NewestAnswer(
      didArrive: {},
      work: { wish in
        try pictures.prepare(wish.time, wish.size)
        return true
      })
    strips = NewestAnswer(didArrive: didArrive) { try pictures.thumbnails($0.times, $0.size) }
    waves = NewestAnswer(didArrive: didArrive) { try pictures.levels($0.range, $0.count) }
  }

  /// The newest requested picture that has arrived.
  var still: GrabbedPicture? { stills.answer }
  /// Whether the newest requested picture has not arrived yet.
  var isMakingStill: Bool { stills.isPending }
  var strip: [Picture] { strips.answer ?? [] }
  var levels: (range: MediaTimeRange, values: [Float])? {
    guard let wish = waves.answered, let values = waves.answer else { return nil }
    return (wish.range, values)
  }

  func want(still: Still) { stills.want(still) }
  func want(start: Still) { starts.want(start) }
  func want(strip: Strip) { strips.want(strip) }
  func want(levels: Levels) { waves.want(levels) }
}

/// The pass of the previous picture; used by one worker at a time.
private final class LastPass: Sendable {
  private let pass = Atomic<Int>(0)

  func isNew(_ pass: Int) -> Bool {
    self.pass.exchange(pass, ordering: .relaxed) != pass
  }
}
