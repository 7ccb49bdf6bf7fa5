import ExactTime

extension CutPlan {
  /// The packets that the parts take from an audio track, in order.
  ///
  /// - Parameter source: the source of the track, by its number in the plan.
  public func pieces(ofTrack index: Int, source: Int = 0) -> [SoundDescriptions.Piece] {
    parts.filter { $0.source == source }.flatMap(\.tracks).filter { $0.source == index }
      .compactMap { track in
        track.audio.map { .init($0.copied, isEncoded: track.encodesSound) }
      }
  }

  /// Why the audio of the parts cannot share one description; `nil` where it can.
  ///
  /// - Parameter sources: the facts of the plan's sources, in order.
  public func descriptionRefusal(_ sources: [SourceFacts]) -> PlanRefusal? {
    for (number, source) in sources.enumerated() {
      for (index, track) in source.tracks.enumerated() {
        let obstacle = track.descriptions.obstacle(
          to: pieces(ofTrack: index, source: number),
          keepsHeaders: container.rules.keepsADTSHeaders)
        if let obstacle { return refusal(obstacle, track) }
      }
    }
    return nil
  }

  private func refusal(
    _ obstacle: SoundDescriptions.Obstacle, _ track: SourceFacts.Track
  ) -> PlanRefusal {
    switch obstacle {
    case .changesWithin(let place):
      return .cannotBeCut(
        track,
        "its channels or sample rate change\(track.when(place)), in the range or right before it")
    case .differs:
      return PlanRefusal(
        .notCuttable, "the audio of the parts differs in channels or sample rate",
        hint: "Write each part to its own file.")
    case .unlikeBeginning:
      return .cannotBeCut(
        track, "its sample rate or channel layout here differs from that at its beginning",
        hint: container.rules.keepsADTSHeaders ? "Copy its packets instead." : "Write .ts.")
    }
  }
}

extension SourceFacts.Track {
  /// The packet's time for a message; begins with a space, empty where it does not fit in 64 bits.
  fileprivate func when(_ place: Int) -> String {
    guard let time = try? coded.time(atTick: coded.packets[place].pts) else { return "" }
    return " at \(time.seconds.decimalText(places: 6, rounding: .nearest)) s"
  }
}

extension PlanRefusal {
  /// A refusal for a track with something that no output can hold.
  static func cannotBeCut(
    _ track: SourceFacts.Track, _ obstacle: String, hint: String? = nil
  ) -> PlanRefusal {
    PlanRefusal(
      .notCuttable, "track \(track.id) (\(track.codec)) cannot be cut: " + obstacle, hint: hint)
  }
}
