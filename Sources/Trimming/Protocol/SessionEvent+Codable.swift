import ExactTime

/// `{"type": "restarted_video", "position": "10", "count": 1}`.
extension SessionEvent: Codable {
  /// Writes one object: the event's `type` and what it carries.
  public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }

  private var fields: WireFields {
    switch self {
    case .restartedVideo(let restart):
      WireFields("restarted_video").with(\.position, restart.position).with(\.count, restart.passes)
    case .tutorialVisibilityDidChange(let isVisible):
      WireFields("tutorial_visibility_did_change").with(\.isOn, isVisible)
    case .timeRangeDidChange(let range):
      WireFields("time_range_did_change").with(\.range, range)
    case .partsDidChange(let list): WireFields("parts_did_change").with(\.list, list)
    case .findingsDidChange(let found):
      WireFields("findings_did_change").with(\.findings, found)
    case .validityDidChange(let verdict):
      WireFields("validity_did_change").with(\.verdict, verdict)
    case .phaseDidChange(let phase): WireFields("phase_did_change").with(\.phase, phase)
    case .playingDidChange(let isPlaying):
      WireFields("playing_did_change").with(\.isOn, isPlaying)
    case .seek(let time): WireFields("seek").with(\.position, time)
    case .exportDidFinish(let locations):
      WireFields("export_did_finish").with(\.locations, locations)
    case .alertDidAppear(let alert): WireFields("alert_did_appear").with(\.alert, alert)
    case .diagnostic(let text): WireFields("diagnostic").with(\.text, text)
    case .logged(let event): WireFields("logged").with(\.log, event)
    }
  }

  /// Reads what ``encode(to:)`` writes, and ignores unknown fields.
  ///
  /// - Throws: `DecodingError` for an unknown type or a missing field.
  public init(from decoder: any Decoder) throws {
    let fields = try WireFields(from: decoder)
    self =
      switch fields.type {
      case "restarted_video":
        .restartedVideo(
          Restart(
            position: try fields.need(\.position, decoder),
            passes: try fields.need(\.count, decoder)))
      case "tutorial_visibility_did_change":
        .tutorialVisibilityDidChange(isVisible: try fields.need(\.isOn, decoder))
      case "time_range_did_change": .timeRangeDidChange(try fields.need(\.range, decoder))
      case "parts_did_change": .partsDidChange(try fields.need(\.list, decoder))
      case "findings_did_change": .findingsDidChange(try fields.need(\.findings, decoder))
      case "validity_did_change": .validityDidChange(try fields.need(\.verdict, decoder))
      case "phase_did_change": .phaseDidChange(try fields.need(\.phase, decoder))
      case "playing_did_change": .playingDidChange(isPlaying: try fields.need(\.isOn, decoder))
      case "seek": .seek(to: try fields.need(\.position, decoder))
      case "export_did_finish": .exportDidFinish(locations: try fields.need(\.locations, decoder))
      case "alert_did_appear": .alertDidAppear(try fields.need(\.alert, decoder))
      case "diagnostic": .diagnostic(try fields.need(\.text, decoder))
      case "logged": .logged(try fields.need(\.log, decoder))
      default: throw fields.unknown(decoder)
      }
  }
}
