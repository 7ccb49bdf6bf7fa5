/// Why the last step of the user did nothing, or did something else besides.
///
/// It stands until the next step. The raw value is stable; new ones may come.
public enum SessionNotice: String, Hashable, Sendable, Codable, CaseIterable {
  /// The playhead is at the video's start and cannot go back.
  case playheadAtStart = "playhead_at_start"
  /// The playhead is at the video's end and cannot go on.
  case playheadAtEnd = "playhead_at_end"
  /// While playing, the playhead goes to In instead of leaving the part.
  case playheadStaysInPart = "playhead_stays_in_part"
  /// In is at the video's start and cannot go back.
  case inAtStart = "in_at_start"
  /// In would pass Out, or leave nothing between them.
  case inAtOut = "in_at_out"
  /// Out is at the video's end and cannot go on.
  case outAtEnd = "out_at_end"
  /// Out would pass In, or leave nothing between them.
  case outAtIn = "out_at_in"
  /// In was set at or after Out, which went to the end of the video.
  case outMovedToEnd = "out_moved_to_end"
  /// A step by frames needs their times, which are not known.
  case noFrames = "no_frames"
  /// A step by keyframes needs their times, which are not known.
  case noKeyframes = "no_keyframes"
  /// There is no earlier keyframe to go to.
  case noKeyframeBefore = "no_keyframe_before"
  /// There is no later keyframe to go to.
  case noKeyframeAfter = "no_keyframe_after"
  /// Nothing of what was asked for is inside the video.
  case outsideVideo = "outside_video"
  /// There is no change to take back.
  case nothingToUndo = "nothing_to_undo"
  /// Nothing was taken back that could be repeated.
  case nothingToRedo = "nothing_to_redo"
  /// A part is split at the playhead, which has to be inside it.
  case playheadOutsidePart = "playhead_outside_part"
  /// The only part cannot be deleted.
  case onlyPart = "only_part"
  /// The list has as many parts as ``PartList/capacity`` allows.
  case tooManyParts = "too_many_parts"
  /// There is no free time for a part between the playhead and the next part.
  case noRoomForPart = "no_room_for_part"
  /// Nothing of the video would be left.
  case nothingWouldRemain = "nothing_would_remain"
  /// The part is the first in the order of the export already.
  case firstInOrder = "first_in_order"
  /// The part is the last in the order of the export already.
  case lastInOrder = "last_in_order"
}
