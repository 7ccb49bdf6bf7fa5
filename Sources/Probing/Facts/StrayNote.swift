package import Bitstreams
package import ExactTime
package import MediaFacts

/// The note on pictures, or packets of sound, whose PTS is far from those around them.
package enum StrayNote {
  /// The smallest step that is examined as a clock reset, a pause or a stray time.
  package static let leastJump = MediaDuration(10)

  /// How many are listed.
  private static let most = 4

  /// - Parameters:
  ///   - strays: with the grid of their ticks.
  ///   - isSound: whether they are packets of sound.
  ///   - length: what the track presents; `nil` where that is not known.
  ///   - stated: how long its pictures would last with the stated times.
  package static func note(
    of strays: [StrayTimes.Stray], _ grid: TickGrid, isSound: Bool = false,
    length: MediaDuration?,
    stated: MediaDuration?, track: Int
  ) -> Note? {
    guard !strays.isEmpty else { return nil }
    func seconds(_ tick: Int64) -> String {
      (try? grid.time(atTick: tick)).map { SecondsText.text($0.seconds) + " s" } ?? "tick \(tick)"
    }
    var places = strays.prefix(most).map { "\(seconds($0.stated)) instead of \(seconds($0.pts))" }
    if strays.count > most { places.append("…") }
    var text =
      (strays.count == 1
        ? "One picture has a PTS" : "\(strays.count) pictures have a PTS")
      + " far from those of the pictures around it: " + places.joined(separator: ", ")
      + ". It is shown where the others leave room"
    if strays.count > 1 {
      text = text.replacing("around it:", with: "around them:").replacing(
        ". It is shown", with: ". They are shown")
    }
    if let length, let stated {
      text +=
        "; the track lasts \(Disagreements.text(length)) that way, and its pictures "
        + "\(Disagreements.text(stated)) as stated"
    }
    if isSound {
      text = text.replacing("pictures", with: "packets").replacing("picture", with: "packet")
        .replacing("shown", with: "heard")
    }
    return Note(.ptsOutlier, track: track, text + ".")
  }
}
