/// Why the user's last action did nothing, or had an additional effect.
///
/// It stays until the next action. The raw value is stable; new ones may be added.
public enum SessionNotice: String, Hashable, Sendable, Codable, CaseIterable {
  /// The playhead is at the video's start and cannot go back.
  case playheadAtStart = "playhead_at_start"
  /// The playhead is at the video's end and cannot go further.
  case playheadAtEnd = "playhead_at_end"
  /// While playing, the playhead goes to In instead of leaving the part.
  case playheadStaysInPart = "playhead_stays_in_part"
  /// In is at the video's start and cannot go back.
  case inAtStart = "in_at_start"
  /// In would be at or past Out, leaving nothing between them.
  case inAtOut = "in_at_out"
  /// Out is at the video's end and cannot go further.
  case outAtEnd = "out_at_end"
  /// Out would be at or before In, leaving nothing between them.
  case outAtIn = "out_at_in"
  /// In was set at or after Out, so Out moved to the end of the video.
  case outMovedToEnd = "out_moved_to_end"
  /// Stepping by frames needs frame times, which are not known.
  case noFrames = "no_frames"
  /// Stepping by keyframes needs keyframe times, which are not known.
  case noKeyframes = "no_keyframes"
  /// There is no earlier keyframe to go to.
  case noKeyframeBefore = "no_keyframe_before"
  /// There is no later keyframe to go to.
  case noKeyframeAfter = "no_keyframe_after"
  /// No part of the requested range is inside the video.
  case outsideVideo = "outside_video"
  /// There is no change to undo.
  case nothingToUndo = "nothing_to_undo"
  /// There is no undone change to redo.
  case nothingToRedo = "nothing_to_redo"
  /// A part is split at the playhead, which is in none.
  case playheadOutsidePart = "playhead_outside_part"
  /// A part would be shorter than a frame.
  case partShorterThanFrame = "part_shorter_than_frame"
  /// The only part cannot be deleted.
  case onlyPart = "only_part"
  /// The list already has ``PartList/capacity`` parts.
  case tooManyParts = "too_many_parts"
  /// There are already ``TrimmingSession/mostSources`` files.
  case tooManySources = "too_many_sources"
  /// There is no free time for a part between the playhead and the next part.
  case noRoomForPart = "no_room_for_part"
  /// Nothing of the video would be left.
  case nothingWouldRemain = "nothing_would_remain"
  /// The part is already first in export order.
  case firstInOrder = "first_in_order"
  /// The part is already last in export order.
  case lastInOrder = "last_in_order"
  /// There is a marker at the playhead already.
  case markerIsHere = "marker_is_here"
  /// There is no marker at the playhead to delete.
  case noMarkerHere = "no_marker_here"
  /// There is no marker before the playhead.
  case noMarkerBefore = "no_marker_before"
  /// There is no marker after the playhead.
  case noMarkerAfter = "no_marker_after"
  /// The list already has ``PartList/markerCapacity`` markers.
  case tooManyMarkers = "too_many_markers"
  /// Nothing was found, or nothing of it was chosen.
  case nothingFound = "nothing_found"
  /// Nothing of what was found is in a part, or less than the margins.
  case nothingFoundInParts = "nothing_found_in_parts"
  /// There is no finding before the playhead.
  case noFindingBefore = "no_finding_before"
  /// There is no finding after the playhead.
  case noFindingAfter = "no_finding_after"
}
