import ExactTime
import Isolation
import MediaEngine
import TrimStudio
import Trimming

extension StudioPictures {
  /// Creates the pictures of an open file; each kind has its own thread.
  init(_ media: MediaPictures, bounds: MediaTimeRange, keeping owner: (any Sendable)? = nil) {
    let sound = StudioLevels(media, bounds: bounds)
    let previews = StudioPreviews(media)
    let (stills, strips, levels) = (StudioWorker(), StudioWorker(), StudioWorker())
    self.init(
      still: { time, width, height in
        try await stills.value {
          let grabbed = try media.picture(time, .within(width: width, height: height), false)
          return Still(
            bytes: try grabbed.picture.encoded(as: .jpeg), type: "image/jpeg",
            frame: grabbed.frame.number, start: grabbed.frame.start, end: grabbed.frame.end)
        }
      },
      strip: { times, height in
        try await strips.value {
          let pictures = try media.thumbnails(times, .height(height))
          return try Picture(sideBySide: pictures).encoded(as: .jpeg)
        }
      },
      levels: { range, count in
        try await levels.value { try sound.levels(in: range, count) }
      },
      segment: { kind, coding, range in
        defer { withExtendedLifetime(owner) {} }
        return try await previews.segment(kind, coding, range)
      })
  }
}
