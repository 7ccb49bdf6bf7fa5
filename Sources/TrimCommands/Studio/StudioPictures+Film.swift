#if FFmpeg
  import ExactTime
  import MediaEngine
  import Trimming
  import TrimStudio

  extension StudioPictures {
    /// Of an opened film; each kind has a thread of its own.
    init(_ film: FilmPictures, bounds: MediaTimeRange) {
      let sound = StudioLevels(film, bounds: bounds)
      let (stills, strips, levels) = (StudioWorker(), StudioWorker(), StudioWorker())
      self.init(
        still: { time, width, height in
          try await stills.value {
            let grabbed = try film.picture(time, .within(width: width, height: height), false)
            return Still(
              bytes: try grabbed.picture.encoded(as: .jpeg), type: "image/jpeg",
              frame: grabbed.frame.number, start: grabbed.frame.start, end: grabbed.frame.end)
          }
        },
        strip: { times, height in
          try await strips.value {
            let pictures = try film.thumbnails(times, .height(height))
            guard let joined = Picture(sideBySide: pictures) else {
              throw VideoFailure("There is no picture here.")
            }
            return try joined.encoded(as: .jpeg)
          }
        },
        levels: { range, count in
          try await levels.value { try sound.levels(in: range, count) }
        })
    }
  }

  extension Picture {
    /// Pictures of the first one's size beside each other; larger ones are cut.
    fileprivate init?(sideBySide pictures: [Picture]) {
      guard let first = pictures.first else { return nil }
      let (width, height) = (first.width, first.height)
      let stride = width * pictures.count * 3
      var pixels = [UInt8](repeating: 0, count: stride * height)
      for (position, picture) in pictures.enumerated() {
        let row = min(width, picture.width) * 3
        for y in 0..<min(height, picture.height) {
          let target = y * stride + position * width * 3
          let source = y * picture.width * 3
          pixels.replaceSubrange(
            target..<target + row, with: picture.pixels[source..<source + row])
        }
      }
      self.init(width: width * pictures.count, height: height, pixels: pixels)
    }
  }
#endif
