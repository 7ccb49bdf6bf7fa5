import CommandLineKit
import ExactTime
import Trimming

extension SessionNotice {
  /// A sentence for the user, with a hint.
  func sentence(_ ready: TrimmingScreen.Ready) -> String {
    let (start, end) = (Self.clock(ready.timeRange.start), Self.clock(ready.timeRange.end))
    return switch self {
    case .playheadAtStart: "This is the start of the video."
    case .playheadAtEnd: "This is the end of the video."
    case .playheadStaysInPart: "While it plays it stays between In and Out. Space pauses."
    case .inAtStart: "In is at the start of the video."
    case .inAtOut: "In must be before Out (\(end)). Move Out first."
    case .outAtEnd: "Out is at the end of the video."
    case .outAtIn: "Out must be after In (\(start)). Press i to move In first."
    case .outMovedToEnd: "Out was before In, so it moved to the end. u undoes it."
    case .noFrames: "The times of its frames are not known: move by seconds."
    case .noKeyframes: "No keyframes are known in this file."
    case .noKeyframeBefore: "No keyframe before this."
    case .noKeyframeAfter: "No keyframe after this."
    case .outsideVideo: "That is outside the video, which ends at \(Self.clock(ready.bounds.end))."
    case .nothingToUndo: "Nothing to undo."
    case .nothingToRedo: "Nothing to redo."
    case .playheadOutsidePart: "A part is split at the playhead: move it into one."
    case .partShorterThanFrame: "A part of less than a frame: move the playhead first."
    case .onlyPart: "This is the only part. X keeps everything except what is between In and Out."
    case .tooManyParts: "There can be no more than \(PartList.capacity) parts."
    case .tooManySources:
      "There can be no more than \(TrimmingSession.mostSources) files in one list."
    case .noRoomForPart: "No room for a part after this one: move the playhead first."
    case .nothingWouldRemain: "None of the video would remain."
    case .firstInOrder: "This part is already the first."
    case .lastInOrder: "This part is already the last."
    case .markerIsHere: "There is a marker here already."
    case .noMarkerHere: "There is no marker here."
    case .noMarkerBefore: "No marker before this."
    case .noMarkerAfter: "No marker after this."
    case .tooManyMarkers: "There can be no more than \(PartList.markerCapacity) markers."
    case .nothingFound: "Nothing was found to keep, remove or split at."
    case .nothingFoundInParts: "Nothing of what was found is in the parts."
    case .noFindingBefore: "Nothing found before this."
    case .noFindingAfter: "Nothing found after this."
    }
  }

  private static func clock(_ time: MediaTime) -> String {
    DecimalText.clock(time.seconds)
  }
}
