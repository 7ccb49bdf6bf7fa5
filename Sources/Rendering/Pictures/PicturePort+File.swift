import Dispatch
public import MediaFiles
public import Trimming

extension PicturePort {
  /// Stills of an opened video; each ``FramePicture/image`` is a ``Picture``.
  ///
  /// They are rendered one after another on a separate queue, and the most recent ones are
  /// cached; a request cancelled before its turn is not rendered.
  ///
  /// - Parameter track: its times are those in the screen's requests.
  /// - Throws: ``MediaError`` when its pictures cannot be decoded.
  public static func file(
    _ track: PictureTrack, size: PictureSize, delay: Duration = .milliseconds(80),
    cache: PictureCache = PictureCache()
  ) throws(MediaError) -> PicturePort {
    let grabber = try FrameGrabber(track)
    let queue = DispatchQueue(label: "trim.pictures")
    return PicturePort(delay: delay) { request in
      let frame = track.frame(at: request.position)
      let key = PictureCache.Key(frame: frame.number, size: size)
      if let kept = cache[key] { return FramePicture(kept) }
      let isCancelled = CancelSwitch()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          queue.async {
            guard !isCancelled.isOn else {
              return continuation.resume(throwing: CancellationError())
            }
            continuation.resume(
              with: Result {
                let made = try grabber.picture(ofFrame: frame.number, size: size)
                cache.keep(made, for: key)
                return FramePicture(made)
              })
          }
        }
      } onCancel: {
        isCancelled.turnOn()
      }
    }
  }
}

extension FramePicture {
  fileprivate init(_ grabbed: GrabbedPicture) {
    self.init(
      position: grabbed.frame.start, frame: grabbed.frame.number, image: grabbed.picture)
  }
}
