import ExactTime
import Trimming

/// What the ends of a cut are called in timecode, and whose timecode that is.
struct CutTimecodes: Sendable {
  private var context: TimelineContext
  /// Whether the file states it; it is counted from 00:00:00:00 else.
  let isOwn: Bool

  /// - Returns: `nil` where the file has no timecode and none was typed.
  init?(_ context: TimelineContext, typed parts: [PartExpression]) {
    guard let labels = FrameLabels(context),
      labels.areOwn || parts.contains(where: \.namesTimecode)
    else { return nil }
    self.context = context
    isOwn = labels.areOwn
  }

  /// As it was asked for; `nil` where frames are labelled and it is not known when they begin.
  func ends(of part: PartPlan) -> (from: Timecode, to: Timecode)? {
    guard let from = context.timecode(atStart: part.requested.start),
      let to = context.timecode(atEnd: part.requested.end)
    else { return nil }
    return (from, to)
  }
}

extension PartExpression {
  /// Whether one of its times is written as a timecode.
  fileprivate var namesTimecode: Bool {
    if let from, Self.isTimecode(from) { return true }
    return switch end {
    case .open: false
    case .to(let time): Self.isTimecode(time)
    case .lasting(let length): Self.isTimecode(length)
    }
  }

  private static func isTimecode(_ time: TimeExpression) -> Bool {
    switch time {
    case .timecode, .sourceTimecode: true
    case .afterFrom(let length): isTimecode(length)
    default: false
    }
  }

  private static func isTimecode(_ length: LengthExpression) -> Bool {
    if case .timecode = length { true } else { false }
  }
}
