package import MediaFiles
package import Trimming

extension OpenedFile {
  /// Whether the verification of a plan decodes: all of a short cut, some GOPs of a longer one,
  /// nothing of a long one that is only copied.
  ///
  /// - Throws: ``MediaError`` of code `planDiffers` where a plan was made for another file.
  package func decodesInProof(_ plan: CutPlan) throws(MediaError) -> Bool {
    try check(plan)
    switch plan.request.verification {
    case .none, .written: return false
    case .full: return true
    case .edges: break
    }
    let tracks = plan.parts.flatMap { part in
      part.tracks.map { (track: $0, stated: source.pieces[part.source].tracks[$0.source]) }
    }
    let budget = DecodingBudget(
      tracks.map { track, stated in
        (stated.facts, track.video?.frameCount ?? track.audio?.packetCount ?? 0)
      }, isFull: false)
    if budget.coversAll { return true }
    var groups: [Int: Int] = [:]
    for (track, stated) in tracks {
      guard let copied = track.video?.copied else { continue }
      let coded = stated.coded.packets
      groups[track.source, default: 0] +=
        copied.clamped(to: coded.indices).count { coded[$0].isKey }
    }
    return groups.values.contains { !budget.groups(of: $0).isEmpty }
  }
}
