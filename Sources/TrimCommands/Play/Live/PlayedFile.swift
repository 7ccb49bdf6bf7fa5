import Trimming

/// A file of a screen: what is known of it, where its pictures come from, and how much of it is shown.
@MainActor struct PlayedFile {
  let media: PlayedMedia
  /// Where its pictures come from; `nil` for none.
  let desk: PictureDesk?
  /// Writes its frames as files; `nil` if not available.
  let snapshots: FrameSnapshots?
  var window: TimelineWindow

  init(_ media: PlayedMedia, desk: PictureDesk? = nil, snapshots: FrameSnapshots? = nil) {
    (self.media, self.desk, self.snapshots) = (media, desk, snapshots)
    window = TimelineWindow(bounds: media.bounds)
  }
}
