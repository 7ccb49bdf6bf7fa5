import ExactTime

/// `{"type": "nudge", "handle": "in", "step": {"frames": 1}}`.
extension SessionInput: Codable {
  /// Writes one object: the input's `type` and what it carries.
  public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }

  private var fields: WireFields {
    switch self {
    case .videoDidLoad(let timings): WireFields("video_did_load").with(\.timings, timings)
    case .videoDidFail(let failure): WireFields("video_did_fail").with(\.failure, failure)
    case .retryDidTap: WireFields("retry_did_tap")
    case .viewDidAppear: WireFields("view_did_appear")
    case .firstVisitDidResolve(let visit):
      WireFields("first_visit_did_resolve").with(\.visit, visit)
    case .tutorialDidTap: WireFields("tutorial_did_tap")
    case .tutorialDidClose: WireFields("tutorial_did_close")
    case .timeRangeDidChange(let from, let to):
      WireFields("time_range_did_change").with(\.from, from).with(\.to, to)
    case .screenTimeDidFail(let error):
      WireFields("screen_time_did_fail").with(\.text, error.wireName)
    case .dragDidBegin: WireFields("drag_did_begin")
    case .dragDidEnd: WireFields("drag_did_end")
    case .inPointDidSet: WireFields("in_point_did_set")
    case .outPointDidSet: WireFields("out_point_did_set")
    case .timeDidType(let handle, let time):
      WireFields("time_did_type").with(\.handle, handle).with(\.position, time)
    case .nudge(let handle, let step):
      WireFields("nudge").with(\.handle, handle).with(\.step, step)
    case .snapDidChange(let snap): WireFields("snap_did_change").with(\.snap, snap)
    case .undoDidTap: WireFields("undo_did_tap")
    case .redoDidTap: WireFields("redo_did_tap")
    case .sourceDidAdd(let source): WireFields("source_did_add").with(\.video, source)
    case .partDidAppend(let source, let range):
      WireFields("part_did_append").with(\.source, source).with(\.range, range)
    case .partDidAdd(let range): WireFields("part_did_add").with(\.range, range)
    case .partDidSplit: WireFields("part_did_split")
    case .partDidDelete(let id): WireFields("part_did_delete").with(\.id, id)
    case .partDidMove(let places): WireFields("part_did_move").with(\.count, places)
    case .partsDidSort(let order): WireFields("parts_did_sort").with(\.order, order)
    case .partDidRename(let id, let name):
      WireFields("part_did_rename").with(\.id, id).with(\.name, name)
    case .partDidSelect(let id): WireFields("part_did_select").with(\.id, id)
    case .rangeDidRemove: WireFields("range_did_remove")
    case .partsDidReturn(let kept): WireFields("parts_did_return").with(\.list, kept)
    case .joinDidChange(let joins): WireFields("join_did_change").with(\.isOn, joins)
    case .markerDidAdd: WireFields("marker_did_add")
    case .markerDidRename(let id, let name):
      WireFields("marker_did_rename").with(\.id, id).with(\.name, name)
    case .markerDidDelete(let id): WireFields("marker_did_delete").with(\.id, id)
    case .markerDidStep(let count): WireFields("marker_did_step").with(\.count, count)
    case .findingsDidArrive(let found):
      WireFields("findings_did_arrive").with(\.findings, found)
    case .findingsDidKeep(let ids): WireFields("findings_did_keep").with(\.ids, ids)
    case .findingsDidRemove(let ids, let margin):
      WireFields("findings_did_remove").with(\.ids, ids).with(\.margin, margin)
    case .findingsDidSplit(let ids): WireFields("findings_did_split").with(\.ids, ids)
    case .findingDidStep(let count, let kind):
      WireFields("finding_did_step").with(\.count, count).with(\.kind, kind)
    case .limitDidChange(let limit): WireFields("limit_did_change").with(\.limit, limit)
    case .playbackTimeDidChange(let time):
      WireFields("playback_time_did_change").with(\.position, time)
    case .playbackPassesDidEnd(let count):
      WireFields("playback_passes_did_end").with(\.count, count)
    case .playheadDidMove(let time): WireFields("playhead_did_move").with(\.position, time)
    case .playheadDidDrag(let time): WireFields("playhead_did_drag").with(\.position, time)
    case .playDidTap: WireFields("play_did_tap")
    case .pauseDidTap: WireFields("pause_did_tap")
    case .pictureDidArrive(let id, let position):
      WireFields("picture_did_arrive").with(\.id, id).with(\.position, position)
    case .exportDidTap: WireFields("export_did_tap")
    case .exportDidProgress(let id, let fraction):
      WireFields("export_did_progress").with(\.id, id).with(\.fraction, fraction)
    case .exportDidFinish(let id, let locations):
      WireFields("export_did_finish").with(\.id, id).with(\.locations, locations)
    case .exportDidFail(let id, let message):
      WireFields("export_did_fail").with(\.id, id).with(\.text, message)
    case .exportDidCancel(let id): WireFields("export_did_cancel").with(\.id, id)
    case .exportCancelDidTap: WireFields("export_cancel_did_tap")
    case .alertDidClose: WireFields("alert_did_close")
    }
  }

  /// Reads what ``encode(to:)`` writes, and ignores unknown fields.
  ///
  /// - Throws: `DecodingError` for an unknown type or a missing field.
  public init(from decoder: any Decoder) throws {
    let fields = try WireFields(from: decoder)
    guard
      let input = try Self.plain[fields.type] ?? Self.range(fields, decoder)
        ?? Self.part(fields, decoder) ?? Self.finding(fields, decoder)
        ?? Self.other(fields, decoder)
    else { throw fields.unknown(decoder) }
    self = input
  }

  /// Inputs without fields.
  private static let plain: [String: SessionInput] = {
    let inputs: [SessionInput] = [
      .retryDidTap, .viewDidAppear, .tutorialDidTap, .tutorialDidClose, .dragDidBegin, .dragDidEnd,
      .inPointDidSet, .outPointDidSet, .undoDidTap, .redoDidTap, .partDidSplit, .rangeDidRemove,
      .markerDidAdd,
      .playDidTap, .pauseDidTap, .exportDidTap, .exportCancelDidTap, .alertDidClose,
    ]
    return Dictionary(inputs.map { ($0.fields.type, $0) }, uniquingKeysWith: { first, _ in first })
  }()

  private static func range(_ fields: WireFields, _ decoder: any Decoder) throws -> SessionInput? {
    switch fields.type {
    case "time_range_did_change":
      .timeRangeDidChange(
        from: try fields.need(\.from, decoder), to: try fields.need(\.to, decoder))
    case "screen_time_did_fail":
      .screenTimeDidFail(ExactTimeError(wireName: try fields.need(\.text, decoder)))
    case "nudge":
      .nudge(try fields.need(\.handle, decoder), by: try fields.need(\.step, decoder))
    case "time_did_type":
      .timeDidType(
        try fields.need(\.handle, decoder), try fields.need(\.position, decoder))
    case "snap_did_change": .snapDidChange(try fields.need(\.snap, decoder))
    case "playback_time_did_change":
      .playbackTimeDidChange(currentTime: try fields.need(\.position, decoder))
    case "playback_passes_did_end":
      .playbackPassesDidEnd(count: try fields.need(\.count, decoder))
    case "playhead_did_move": .playheadDidMove(to: try fields.need(\.position, decoder))
    case "playhead_did_drag": .playheadDidDrag(to: try fields.need(\.position, decoder))
    case "limit_did_change": .limitDidChange(try fields.need(\.limit, decoder))
    default: nil
    }
  }

  private static func part(_ fields: WireFields, _ decoder: any Decoder) throws -> SessionInput? {
    switch fields.type {
    case "source_did_add": .sourceDidAdd(try fields.need(\.video, decoder))
    case "part_did_append":
      .partDidAppend(source: try fields.need(\.source, decoder), range: fields.range)
    case "part_did_add": .partDidAdd(range: fields.range)
    case "part_did_delete": .partDidDelete(id: fields.id)
    case "part_did_move": .partDidMove(by: try fields.need(\.count, decoder))
    case "parts_did_sort": .partsDidSort(by: try fields.need(\.order, decoder))
    case "part_did_rename":
      .partDidRename(id: try fields.need(\.id, decoder), name: try fields.need(\.name, decoder))
    case "part_did_select": .partDidSelect(id: try fields.need(\.id, decoder))
    case "parts_did_return": .partsDidReturn(try fields.need(\.list, decoder))
    case "marker_did_rename":
      .markerDidRename(id: try fields.need(\.id, decoder), name: try fields.need(\.name, decoder))
    case "marker_did_delete": .markerDidDelete(id: fields.id)
    case "marker_did_step": .markerDidStep(by: try fields.need(\.count, decoder))
    case "join_did_change": .joinDidChange(try fields.need(\.isOn, decoder))
    default: nil
    }
  }

  private static func finding(
    _ fields: WireFields, _ decoder: any Decoder
  ) throws -> SessionInput? {
    switch fields.type {
    case "findings_did_arrive": .findingsDidArrive(try fields.need(\.findings, decoder))
    case "findings_did_keep": .findingsDidKeep(ids: fields.ids)
    case "findings_did_remove":
      .findingsDidRemove(
        ids: fields.ids, margin: fields.margin ?? FoundRanges.usualMargin)
    case "findings_did_split": .findingsDidSplit(ids: fields.ids)
    case "finding_did_step":
      .findingDidStep(by: try fields.need(\.count, decoder), kind: fields.kind)
    default: nil
    }
  }

  private static func other(_ fields: WireFields, _ decoder: any Decoder) throws -> SessionInput? {
    switch fields.type {
    case "video_did_load": .videoDidLoad(try fields.need(\.timings, decoder))
    case "video_did_fail": .videoDidFail(try fields.need(\.failure, decoder))
    case "first_visit_did_resolve": .firstVisitDidResolve(try fields.need(\.visit, decoder))
    case "picture_did_arrive":
      .pictureDidArrive(
        id: try fields.need(\.id, decoder), position: try fields.need(\.position, decoder))
    case "export_did_progress":
      .exportDidProgress(
        id: try fields.need(\.id, decoder), fraction: try fields.need(\.fraction, decoder))
    case "export_did_finish":
      .exportDidFinish(
        id: try fields.need(\.id, decoder), locations: try fields.need(\.locations, decoder))
    case "export_did_fail":
      .exportDidFail(id: try fields.need(\.id, decoder), message: try fields.need(\.text, decoder))
    case "export_did_cancel": .exportDidCancel(id: try fields.need(\.id, decoder))
    default: nil
    }
  }
}
