import CommandLineKit
import ExactTime
import MediaFacts
import TrimStudio
import Trimming

extension StudioWords {
  /// Words everything as on the terminal's screens.
  init(_ media: PlayedMedia) {
    let labels = FrameLabels(media.context)
    self.init(
      verdict: { $0.sentenceBesideLimit },
      notice: { $0.sentence($1) },
      clock: { DecimalText.clock($0.seconds) },
      timecode: { time in
        let frame = media.timings.frames.index(at: time).map { Int64($0) }
        return labels?.timecode(at: time, frame: frame)?.description
      },
      time: { text, part in
        var context = media.context
        context.inPoint = part.start
        context.outPoint = part.end
        let reading = ScreenPrompt.reading(of: text, for: .time, in: context)
        guard case .time(let time) = reading else { throw Self.failure(reading, text) }
        return time
      },
      limit: { text in
        let reading = ScreenPrompt.reading(of: text, for: .limit(.standard), in: media.context)
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
    _ media: PlayedMedia, name: String, bytes: Int64?, end: MediaTime? = nil, isWhole: Bool = true
  ) {
    var codecs: [String] = []
    for track in media.facts.tracks where track.isPresented {
      let codec = ForeignText.shown(track.codec.rawValue)
      if !codecs.contains(codec) { codecs.append(codec) }
    }
    let parts =
      [
        media.facts.container.format, codecs.joined(separator: " + "),
      ] + media.summary.dropLast()
      + [
        isWhole ? DecimalText.clock((end ?? media.bounds.end).seconds) : nil,
        bytes.map(ByteCount.text),
      ].compactMap { $0 }
    self.init(name: name, summary: parts.joined(separator: " · "))
    shape = media.hasPictures ? media.shape : nil
    noPicture = media.noPicture
    let presented = media.facts.tracks.filter(\.isPresented)
    hasSound = presented.contains { $0.kind == .audio }
    soundTypes = presented.filter { $0.kind == .audio }.map { MediaType.of($0) ?? "" }
    mediaType = presented.first { $0.kind == .video }.map { MediaType.of($0) ?? "" }
  }
}

extension PlayedMedia {
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
