import CommandLineKit
import ExactTime
import MediaFacts
import TrimStudio
import Trimming

extension StudioWords {
  /// The words of the terminal's screens.
  init(_ film: PlayFilm) {
    let labels = FrameLabels(film.context)
    self.init(
      verdict: { $0.sentence() },
      notice: { $0.sentence($1) },
      clock: { DecimalText.clock($0.seconds) },
      timecode: { time in
        let frame = film.timings.frames.index(at: time).map { Int64($0) }
        return labels?.timecode(at: time, frame: frame)?.description
      },
      time: { text, part in
        var context = film.context
        context.inPoint = part.start
        context.outPoint = part.end
        let reading = ScreenPrompt.reading(of: text, for: .time, in: context)
        guard case .time(let time) = reading else { throw Self.failure(reading, text) }
        return time
      },
      limit: { text in
        let reading = ScreenPrompt.reading(of: text, for: .limit(.standard), in: film.context)
        guard case .limit(let limit) = reading else { throw Self.failure(reading, text) }
        return limit
      })
  }

  private static func failure(_ reading: ScreenPrompt.Reading, _ text: String) -> VideoFailure {
    if case .problem(let problem) = reading { return VideoFailure(ForeignText.shown(problem)) }
    return VideoFailure("“\(ForeignText.shown(text))” is not understood. Try 1:05.5, start, end.")
  }
}

extension StudioFacts {
  /// - Parameter end: the end of a result made from it.
  /// - Parameter isWhole: whether its length is known.
  init(
    _ film: PlayFilm, name: String, bytes: Int64?, end: MediaTime? = nil, isWhole: Bool = true
  ) {
    var codecs: [String] = []
    for track in film.facts.tracks where track.isPresented {
      let codec = ForeignText.shown(track.codec)
      if !codecs.contains(codec) { codecs.append(codec) }
    }
    let parts =
      [
        film.facts.container.format, codecs.joined(separator: " + "),
      ] + film.summary.dropLast()
      + [
        isWhole ? DecimalText.clock((end ?? film.bounds.end).seconds) : nil,
        bytes.map(ByteCount.text),
      ].compactMap { $0 }
    self.init(name: name, summary: parts.joined(separator: " · "))
    shape = film.hasPictures ? film.shape : nil
    noPicture = film.noPicture
    let presented = film.facts.tracks.filter(\.isPresented)
    hasSound = presented.contains { $0.kind == .audio }
    soundTypes = presented.filter { $0.kind == .audio }.map { MediaType.of($0) ?? "" }
    mediaType = presented.first { $0.kind == .video }.map { MediaType.of($0) ?? "" }
  }
}

extension PlayFilm {
  /// The start and title of its chapters.
  var namedChapters: [StudioChapter] {
    let starts = context.chapters ?? []
    guard starts.count == facts.chapters.count else { return [] }
    return zip(starts, facts.chapters).map { start, chapter in
      StudioChapter(
        start: start, title: ForeignText.shown(String((chapter.title ?? "").prefix(200))))
    }
  }
}
