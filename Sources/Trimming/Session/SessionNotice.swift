/// Why the last step of the user did nothing, or did something else besides.
///
/// It stands until the next step. The raw value is stable; new ones may come.
public enum SessionNotice: String, Hashable, Sendable, Codable, CaseIterable {
  case playheadAtStart = "playhead_at_start"
  case playheadAtEnd = "playhead_at_end"
  /// While playing, the playhead goes to In instead of leaving the part.
  case playheadStaysInPart = "playhead_stays_in_part"
  case inAtStart = "in_at_start"
  /// In would pass Out, or leave nothing between them.
  case inAtOut = "in_at_out"
  case outAtEnd = "out_at_end"
  /// Out would pass In, or leave nothing between them.
  case outAtIn = "out_at_in"
  /// In was set at or after Out, which went to the end of the video.
  case outMovedToEnd = "out_moved_to_end"
  case noFrames = "no_frames"
  case noKeyframes = "no_keyframes"
  case noKeyframeBefore = "no_keyframe_before"
  case noKeyframeAfter = "no_keyframe_after"
  /// Nothing of what was asked for is inside the video.
  case outsideVideo = "outside_video"
  case nothingToUndo = "nothing_to_undo"
  case nothingToRedo = "nothing_to_redo"
  /// A part is split at the playhead, which has to be inside it.
  case playheadOutsidePart = "playhead_outside_part"
  case onlyPart = "only_part"
  case tooManyParts = "too_many_parts"
  case noRoomForPart = "no_room_for_part"
  /// Nothing of the video would be left.
  case nothingWouldRemain = "nothing_would_remain"
  case firstInOrder = "first_in_order"
  case lastInOrder = "last_in_order"
}
