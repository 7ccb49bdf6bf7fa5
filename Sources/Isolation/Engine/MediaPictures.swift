package import ExactTime
package import MediaEngine
package import MediaFacts
package import Trimming

/// The pictures and audio of an open file; every function blocks.
///
/// Times count from the file's first presented sample.
package struct MediaPictures: Sendable {
  /// `false` for audio-only files: only ``levels`` is called then.
  package var hasPictures = true
  /// The result of scanning the file, so that it need not be scanned again; empty if no scan was
  /// needed.
  package var index: [UInt8] = []
  /// When each frame is shown.
  package var frames: @Sendable () -> FrameInstants
  /// The frame on screen at an instant; `isRestart` is true if a loop has just restarted.
  package var picture:
    @Sendable (_ time: MediaTime, _ size: PictureSize, _ isRestart: Bool) throws -> GrabbedPicture
  /// The frame on screen at an instant in its full size, as the bytes of a PNG file.
  package var file: @Sendable (_ time: MediaTime) throws -> [UInt8]
  /// Decodes the first frame of the range in advance.
  package var prepare: @Sendable (_ start: MediaTime, _ size: PictureSize) throws -> Void
  /// Pictures near some instants, quickly.
  package var thumbnails: @Sendable (_ times: [MediaTime], _ size: PictureSize) throws -> [Picture]
  /// The loudest level, 0 to 1, in each of `count` equal parts of a range.
  package var levels: @Sendable (_ range: MediaTimeRange, _ count: Int) throws -> [Float]
  /// A segment of the video or the audio as MP4 for browsers; empty if there is nothing there, and
  /// `nil` if it cannot be made in this way.
  package var segment: Segment

  package typealias Segment =
    @Sendable (PreviewKind, PreviewCoding, MediaTimeRange) throws -> PreviewSegment?

  package init(
    frames: @escaping @Sendable () -> FrameInstants = { .unknown },
    picture:
      @escaping @Sendable (MediaTime, PictureSize, _ isRestart: Bool) throws -> GrabbedPicture,
    file: @escaping @Sendable (MediaTime) throws -> [UInt8] = { _ in
      throw VideoFailure("there is no frame here")
    },
    prepare: @escaping @Sendable (MediaTime, PictureSize) throws -> Void = { _, _ in },
    thumbnails: @escaping @Sendable ([MediaTime], PictureSize) throws -> [Picture] = { _, _ in [] },
    levels: @escaping @Sendable (MediaTimeRange, Int) throws -> [Float] = { _, _ in [] },
    segment: @escaping Segment = { _, _, _ in nil }
  ) {
    self.frames = frames
    self.picture = picture
    self.file = file
    self.prepare = prepare
    self.thumbnails = thumbnails
    self.levels = levels
    self.segment = segment
  }
}

/// Opens a file for its pictures, blocking; `nil` if pictures are not supported.
package typealias OpenPictures =
  @Sendable (_ path: [UInt8], _ facts: MediaFacts, _ origin: MediaTime) throws -> MediaPictures?

extension MediaPictures {
  /// Opens the engine's pictures of a file.
  ///
  /// - Parameter index: the index of the file's pictures, if scanned before.
  package static func open(
    _ path: [UInt8], _ facts: MediaFacts, _ origin: MediaTime, index: [UInt8] = [],
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> MediaPictures {
    let levels = { @Sendable (range: MediaTimeRange, count: Int) throws -> [Float] in
      try Self.levels(path, facts, origin, range, count, isCancelled: isCancelled)
    }
    let preview = { @Sendable (index: [UInt8]) in
      PreviewSource(path, facts, origin, index: index, isCancelled: isCancelled)
    }
    guard facts.tracks.contains(where: { $0.kind == .video && $0.isPresented }) else {
      let nothing = MediaError(.noPicture, "it has no video")
      var sound = MediaPictures(picture: { _, _, _ in throw nothing }, levels: levels)
      let heard = preview([])
      sound.segment = { kind, coding, range in try heard.segment(kind, coding, range) }
      sound.hasPictures = false
      return sound
    }
    let track = try PictureTrack(
      path, facts: facts, index: index, origin: origin, isCancelled: isCancelled)
    let pictures = try LoopingPictures(track, isSketch: true)
    let seen = preview(track.index)
    var opened = MediaPictures(
      frames: {
        FrameInstants((0..<track.frameCount).map { track.frame(number: $0).start })
      },
      picture: { time, size, isRestart in
        try pictures.picture(at: time, size: size, isRestart: isRestart)
      },
      file: { time in
        let exact = try FrameGrabber(track)
        return try exact.picture(at: time, size: .full).picture.encoded(as: .png)
      },
      prepare: { start, size in try pictures.prepare(start: start, size: size) },
      thumbnails: { times, size in
        let grabber = try FrameGrabber(track)
        var found: [Picture] = []
        try grabber.pictures(at: times, size: size, choice: .keyframe) {
          (_, grabbed) throws(MediaError) in
          found.append(grabbed.picture)
          return true
        }
        return found
      },
      levels: levels,
      segment: { kind, coding, range in try seen.segment(kind, coding, range) })
    opened.index = track.index
    return opened
  }

  /// The loudest level in each of `count` equal parts of a range.
  static func levels(
    _ path: [UInt8], _ facts: MediaFacts, _ origin: MediaTime, _ range: MediaTimeRange,
    _ count: Int, isCancelled: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> [Float] {
    let sound = try AudioTrack(path, facts: facts, origin: origin, isCancelled: isCancelled)
    let waveform = try Waveform(of: sound, in: range, scale: .pixels(count))
    guard let channel = waveform.channels.first else { return [] }
    return zip(channel.low, channel.high).map { max(abs($0), abs($1)) }
  }
}
