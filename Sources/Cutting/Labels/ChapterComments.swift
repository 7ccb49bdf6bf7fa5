import ExactTime
import Libav

extension FileLabels {
  /// Chapters as Vorbis comments (Xiph's Chapter Extension): `CHAPTER000=00:00:01.500` and a
  /// name.
  ///
  /// FFmpeg writes them for Opus only, and a second late if they begin in the second half of one.
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
  /// At least two digits of hours, then minutes and seconds, as in Vorbis comments and Matroska
  /// tags.
  func containerClock(places: Int) -> String {
    let text = clockText(places: places, rounding: .nearest).text
    return text.prefix { $0 != ":" }.count < 2 ? "0" + text : text
  }
}
