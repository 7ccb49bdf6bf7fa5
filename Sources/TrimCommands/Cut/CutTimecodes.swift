import ExactTime
import Trimming

/// The endpoints of a cut as timecode, and where that timecode comes from.
struct CutTimecodes: Sendable {
  private let labels: FrameLabels
  private let frames: FrameStarts?

  /// Whether it is the file's timecode; otherwise it is counted from 00:00:00:00.
  var isOwn: Bool { labels.areOwn }

  /// - Returns: `nil` where the file has no timecode and none was typed.
  init?(_ context: TimelineContext, typed parts: [PartExpression]) {
    let typed = parts.lazy.compactMap(\.timecode).first
    guard let labels = FrameLabels(context, isDropFrame: typed?.isDropFrame ?? false),
      labels.areOwn || typed != nil
    else { return nil }
    (self.labels, frames) = (labels, context.frames)
  }

  /// The requested endpoints as timecode; `nil` where the frame times are not known.
  func ends(of part: PartPlan) -> (from: Timecode, to: Timecode)? {
    labels.ends(of: part.requested, frames)
  }
}

extension PartExpression {
  /// The first of its endpoints that was typed as timecode.
  fileprivate var timecode: TimecodeLabel? {
    var ends = [from]
    if case .to(let time) = end { ends.append(time) }
    for time in ends {
      switch time {
      case .timecode(let label), .sourceTimecode(let label): return label
      default: continue
      }
    }
    return nil
  }
}
