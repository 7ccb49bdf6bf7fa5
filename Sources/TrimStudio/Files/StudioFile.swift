package import ExactTime
package import Trimming

/// An open file, as functions: showing, checking and cutting it are implemented elsewhere.
///
/// Times count from its first presented sample. Functions that wait must not do so on the caller's
/// thread.
package struct StudioFile: Sendable {
  package var video: TrimmingVideo
  package var timings: VideoTimings
  package var about: StudioFacts
  package var media: StudioMedia
  package var flags: FirstVisitFlag
  package var pictures: StudioPictures
  package var words: StudioWords
  package var cutting: StudioCutting
  package var chapters: [StudioChapter] = []
  package var sounds = StudioAudios()
  package var finding = StudioFinding()
  package var lists = StudioLists()
  /// Where it is; never sent to a page.
  package var path: [UInt8] = []
  /// The files whose parts follow its own.
  package var sources = StudioSources()
  /// The project that the file was opened with, which is of this very file.
  package var project: Project?
  /// Saves a project beside the output, and returns where, safe to show; throws `VideoFailure`.
  package var saveProject: @Sendable (Project) async throws -> String = { _ in
    throw VideoFailure("Projects cannot be saved here.")
  }
  /// Where unfinished work is kept; `nil` for nowhere.
  package var work: WorkPort?
  /// Where a limit is remembered for other files and the next start; `nil` for nowhere.
  package var limit: LimitPort?
  /// Whether a limit was given at the start, which the screen can only lower.
  package var isLimitGiven = false

  package init(
    video: TrimmingVideo, timings: VideoTimings, about: StudioFacts, media: StudioMedia,
    flags: FirstVisitFlag, pictures: StudioPictures, words: StudioWords, cutting: StudioCutting
  ) {
    self.video = video
    self.timings = timings
    self.about = about
    self.media = media
    self.flags = flags
    self.pictures = pictures
    self.words = words
    self.cutting = cutting
  }
}

/// Where the limit that a user chose is remembered.
package struct LimitPort: Sendable {
  /// `nil` if there is none.
  package var load: @Sendable () -> LengthLimit?
  package var keep: @Sendable (LengthLimit) -> Void

  package init(
    load: @escaping @Sendable () -> LengthLimit?, keep: @escaping @Sendable (LengthLimit) -> Void
  ) {
    self.load = load
    self.keep = keep
  }
}

/// What a page shows about a file before anything is done with it.
package struct StudioFacts: Sendable, Encodable {
  /// The name, safe to show.
  package var name: String
  /// `MP4, 12.4 MB, h264 1920x1080 25 fps, aac`.
  package var summary: String
  /// The display aspect ratio of the upright picture; `nil` without video that can be decoded here.
  package var shape: Rational?
  /// The media type for asking a browser whether it can play it; `nil` if no browser is known to.
  package var mediaType: String?
  /// The audio codecs, as browsers name them.
  package var soundTypes: [String]
  package var hasSound: Bool
  /// Why there are no pictures.
  package var noPicture: String?

  /// Whether few browsers decode its video: none is known to, or it is HEVC.
  var isSeldomDecoded: Bool { mediaType.map { $0.isEmpty || $0.contains("hvc1") } ?? false }

  package init(name: String, summary: String) {
    self.name = name
    self.summary = summary
    soundTypes = []
    hasSound = false
  }
}

/// A named position in a file.
package struct StudioChapter: Sendable, Hashable, Encodable {
  package var start: MediaTime
  /// Safe to show; empty without a name.
  package var title: String

  package init(start: MediaTime, title: String) {
    self.start = start
    self.title = title
  }
}

/// The file's own bytes.
package struct StudioMedia: Sendable {
  package var source: Source
  /// The media type, such as `video/mp4`.
  package var type: String

  package enum Source: Sendable {
    /// A file: a new descriptor for each caller, who closes it.
    ///
    /// Throws `VideoFailure` if the file is no longer the one that was opened.
    case file(@Sendable () throws -> Opened)
    /// Pieces: a total size in bytes, with any range read on request.
    case pieces(UInt64, @Sendable (Range<UInt64>) async throws -> [UInt8])
  }

  package struct Opened: Sendable {
    package var descriptor: Int32
    package var size: UInt64

    package init(descriptor: Int32, size: UInt64) {
      self.descriptor = descriptor
      self.size = size
    }
  }

  package init(type: String, open: @escaping @Sendable () throws -> Opened) {
    self.type = type
    source = .file(open)
  }

  package init(
    type: String, byteCount: UInt64,
    read: @escaping @Sendable (Range<UInt64>) async throws -> [UInt8]
  ) {
    self.type = type
    source = .pieces(byteCount, read)
  }
}

/// The pictures and audio of a file.
package struct StudioPictures: Sendable {
  /// A picture file, with the number of the frame it shows.
  package struct Still: Sendable {
    package var bytes: [UInt8]
    /// `image/jpeg` or `image/png`.
    package var type: String
    package var frame: Int
    package var start: MediaTime
    package var end: MediaTime

    package init(bytes: [UInt8], type: String, frame: Int, start: MediaTime, end: MediaTime) {
      self.bytes = bytes
      self.type = type
      self.frame = frame
      self.start = start
      self.end = end
    }
  }

  /// A PNG file.
  package struct Snapshot: Sendable {
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// The exact frame on screen at an instant, within a size in pixels.
  package var still:
    @Sendable (_ time: MediaTime, _ width: Int, _ height: Int) async throws -> Still
  /// The frame on screen at an instant, as a file of its full size to keep.
  package var snapshot: @Sendable (_ time: MediaTime) async throws -> Snapshot = { _ in
    throw VideoFailure("There is no frame here.")
  }
  /// Small pictures of a height, side by side from the left, as a JPEG file.
  package var strip: @Sendable (_ times: [MediaTime], _ height: Int) async throws -> [UInt8]
  /// The loudest level, 0 to 255, in each of `count` equal parts of a range.
  package var levels: @Sendable (_ range: MediaTimeRange, _ count: Int) async throws -> [UInt8]
  /// A segment of the video or audio; `nil` if it cannot be made in this way.
  package var segment:
    @Sendable (_ kind: Kind, _ coding: Coding, _ range: MediaTimeRange) async throws -> Segment?

  /// The content of a segment.
  package enum Kind: String, Sendable, Hashable {
    case video, sound
  }

  /// How a segment is made.
  package enum Coding: String, Sendable, Hashable {
    /// From the file's own packets, with times ten seconds late.
    case copied
    /// Re-encoded: video as H.264, audio as FLAC.
    case made
  }

  /// An MP4 header and a fragment, or plain MP3 packets.
  package struct Segment: Sendable {
    /// The bytes; empty if there is nothing there.
    package var bytes: [UInt8]
    /// The media type for asking a browser whether it can play it.
    package var type: String
    /// The range it covers, which may have to be more than requested.
    package var range: MediaTimeRange
    /// When the first packet is heard, for formats without timestamps; `nil` for MP4.
    package var start: MediaTime?

    package init(bytes: [UInt8], type: String, range: MediaTimeRange) {
      self.bytes = bytes
      self.type = type
      self.range = range
    }
  }

  package init(
    still: @escaping @Sendable (MediaTime, Int, Int) async throws -> Still,
    strip: @escaping @Sendable ([MediaTime], Int) async throws -> [UInt8],
    levels: @escaping @Sendable (MediaTimeRange, Int) async throws -> [UInt8],
    segment: @escaping @Sendable (Kind, Coding, MediaTimeRange) async throws -> Segment?
  ) {
    self.still = still
    self.strip = strip
    self.levels = levels
    self.segment = segment
  }
}

/// Formatting and parsing of text, the same in every front end.
package struct StudioWords: Sendable {
  package var verdict: @Sendable (TrimmingScreen.Ready) -> String
  package var notice: @Sendable (SessionNotice, TrimmingScreen.Ready) -> String
  /// A human-readable time, to the millisecond.
  package var clock: @Sendable (MediaTime) -> String
  /// The timecode of the frame at an instant, if the video has a frame rate.
  package var timecode: @Sendable (MediaTime) -> String?
  /// Parses a time; `in` and `out` refer to the range.
  ///
  /// - Throws: `VideoFailure` with a sentence about the text.
  package var time: @Sendable (_ text: String, _ part: MediaTimeRange) throws -> MediaTime
  /// Parses a limit; throws like ``time``.
  package var limit: @Sendable (_ text: String) throws -> LengthLimit

  package init(
    verdict: @escaping @Sendable (TrimmingScreen.Ready) -> String,
    notice: @escaping @Sendable (SessionNotice, TrimmingScreen.Ready) -> String,
    clock: @escaping @Sendable (MediaTime) -> String,
    timecode: @escaping @Sendable (MediaTime) -> String?,
    time: @escaping @Sendable (String, MediaTimeRange) throws -> MediaTime,
    limit: @escaping @Sendable (String) throws -> LengthLimit
  ) {
    self.verdict = verdict
    self.notice = notice
    self.clock = clock
    self.timecode = timecode
    self.time = time
    self.limit = limit
  }
}
