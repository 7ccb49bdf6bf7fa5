import ExactTime
import MediaFiles
import Trimming

/// Finds ticks on which the frames at the IN points of a plan and its parts can begin and those
/// at the OUT points of MP4 can end: the source's, subdivided where such a point falls between
/// two of them.
struct LeadTicks {
  /// The number of parts each tick of a track is divided into.
  private(set) var perTick: [Int: Int64] = [:]
  private let source: any CutSource

  /// - Parameter number: which of the plan's sources it is: only its own parts count.
  init(_ source: any CutSource, _ plan: CutPlan, ofSource number: Int) {
    self.source = source
    var place = MediaDuration.zero
    for part in plan.parts {
      defer { place = (try? place.adding(part.length)) ?? place }
      guard part.source == number else { continue }
      for track in part.tracks {
        let end = plan.container.isISO ? end(of: track) : nil
        let begin =
          plan.container.rules.pictures.hasFixedFrameRate ? nil : begin(of: track, at: place)
        let grid = source.tracks[track.source].coded.grid.secondsPerTick
        // MP4 headers state whole ticks per second; Matroska ticks can be any number of
        // nanoseconds.
        let least = plan.container.isISO && track.video != nil ? grid.numerator : 1
        if least != 1, perTick[track.source] == nil { perTick[track.source] = least }
        for time in [time(of: track), end, begin].compactMap({ $0 }) {
          // What ten million ticks per second cannot express exactly is off by 50 ns at most.
          let most = (try? Rational(10_000_000).multiplied(by: grid).rounded(.down)) ?? 1
          perTick[track.source] = Self.multiple(
            perTick[track.source] ?? 1, time.denominator,
            most: max(least, most / least * least))
        }
      }
    }
  }

  /// Where the pictures of a part begin in the output, in ticks of the source.
  private func begin(of track: PartPlan.Track, at place: MediaDuration) -> Rational? {
    guard track.video != nil, place > .zero else { return nil }
    return try? place.seconds.divided(
      by: source.tracks[track.source].coded.grid.secondsPerTick)
  }

  /// Maximum distance in decode order of packets whose frames are shown next to each other.
  private static let reach = 64

  /// OUT in ticks of the source, if it falls within the first tick of the last frame: FFmpeg
  /// rounds edit durations to media ticks, and would not show that frame.
  private func end(of track: PartPlan.Track) -> Rational? {
    guard let cut = track.video else { return nil }
    let coded = source.tracks[track.source].coded
    let places = [
      cut.head.suffix(Self.reach), cut.replaced.suffix(Self.reach), cut.tail.suffix(Self.reach),
      Array(cut.copied.suffix(Self.reach))[...],
    ].joined()
    guard
      let end = try? track.sourceRange.end.distance(from: coded.origin).seconds
        .divided(by: coded.grid.secondsPerTick), end.denominator > 1,
      let whole = try? end.rounded(.down),
      places.contains(where: { coded.packets[$0].pts == whole })
    else { return nil }
    return end
  }

  /// When the frame that is on screen at IN is shown, in ticks of the source.
  func time(of track: PartPlan.Track) -> Rational? {
    guard track.video?.lead != nil else { return nil }
    let coded = source.tracks[track.source].coded
    return try? track.sourceRange.start.distance(from: coded.origin).seconds
      .divided(by: coded.grid.secondsPerTick)
  }

  /// The least common multiple, up to a limit.
  private static func multiple(_ one: Int64, _ other: Int64, most: Int64) -> Int64 {
    var (a, b) = (one, other)
    while b != 0 { (a, b) = (b, a % b) }
    let (product, overflow) = (one / a).multipliedReportingOverflow(by: other)
    return overflow || product > most ? most : product
  }
}

extension OutputTrack {
  /// Changes to finer ticks.
  mutating func divideTicks(by factor: Int64) throws(MediaError) {
    guard factor != 1 else { return }
    do throws(ExactTimeError) {
      grid = try TickGrid(
        secondsPerTick: grid.secondsPerTick.divided(by: Rational(factor)))
      zero = try zero.multiplied(by: Rational(factor))
    } catch {
      throw MediaError.beyondNumbers
    }
  }
}
