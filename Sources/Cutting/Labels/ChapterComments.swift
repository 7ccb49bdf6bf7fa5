#if FFmpeg
  import ExactTime
  import Libav

  extension FileLabels {
    /// Chapters as comments of Vorbis (Xiph's Chapter Extension): `CHAPTER000=00:00:01.500` and a name.
    ///
    /// FFmpeg writes them for Opus alone, and a second late where they begin in the second half of one.
    var chapterComments: [(key: String, value: String)] {
      zip(0..., chapters.prefix(1000)).flatMap { number, chapter in
        let digits = String(number)
        let key = "CHAPTER" + String(repeating: "0", count: 3 - digits.count) + digits
        return [(key, chapter.start.containerClock(places: 3))]
          + (chapter.title.map { [(key + "NAME", $0)] } ?? [])
      }
    }
  }

  extension MediaTime {
    /// Two digits of hours at least, minutes and seconds, as comments of Vorbis and tags of Matroska have them.
    func containerClock(places: Int) -> String {
      let text = clockText(places: places, rounding: .nearest).text
      return text.prefix { $0 != ":" }.count < 2 ? "0" + text : text
    }
  }
#endif
