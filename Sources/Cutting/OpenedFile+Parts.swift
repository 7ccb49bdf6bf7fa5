import ExactTime
package import MediaFiles
package import Trimming

extension OpenedFile {
  /// A plan that is followed: of a file on another machine, only the media of its parts need be read.
  ///
  /// - Throws: ``MediaError``.
  package func plan(
    _ request: CutRequest, for container: OutputContainer, isExecuted: Bool
  ) throws(MediaError) -> CutPlan {
    if isExecuted, try focus(on: request) {
      do throws(MediaError) {
        let plan = try planOfOpened(request, for: container)
        if !source.isIncomplete {
          plannedInParts.insert(plan.sources)
          return plan
        }
      } catch  where error.code != .cancelled {
        // Why it cannot be cut is for the whole file to say.
      }
    }
    try complete()
    return try planOfOpened(request, for: container)
  }

  /// Reads the media of the parts of a request, where that shows all that a cut needs to know.
  ///
  /// - Returns: false where all of the file is, or has to be, read.
  func focus(on request: CutRequest) throws(MediaError) -> Bool {
    guard let opening, request.joinMode != .fit,
      request.parts.allSatisfy({ $0.source == 0 && $0.lead == nil })
    else { return false }
    let ranges: [MediaTimeRange]
    do throws(ExactTimeError) {
      let lead = try source.zero.distance(from: .zero)
      ranges = try request.parts.map { (part) throws(ExactTimeError) in
        try MediaTimeRange(
          from: part.range.start.advanced(by: lead), length: part.range.checkedLength())
      }
    } catch {
      throw MediaError.beyondNumbers
    }
    if focused == ranges { return !source.isIncomplete }
    guard let found = try opening.source(showing: ranges, of: source) else { return false }
    replace(found, list: nil)
    focused = ranges
    return true
  }

  /// The plan, made again if it was made with parts of a file of which all was read since, or has to be.
  func settled(_ plan: CutPlan) throws(MediaError) -> CutPlan {
    guard plannedInParts.contains(plan.sources), try !isFocused(for: plan) else { return plan }
    try complete()
    return try planOfOpened(plan.request, for: plan.container)
  }

  /// Whether what was read is what a plan was made with.
  func isFocused(for plan: CutPlan) throws(MediaError) -> Bool {
    guard try focus(on: plan.request) else { return false }
    return try plan.sources == [SourceIdentity(source)]
  }
}
