import ExactTime
import MediaFacts
import Trimming

extension CutSource {
  /// The chapters of which a cut keeps what lies in its parts, on the file's own timeline.
  func chapters(for request: CutRequest) throws(ExactTimeError) -> [ChapterFacts] {
    guard let wanted = request.chapters else { return shownChapters }
    let lead = try zero.distance(from: .zero)
    var chapters: [ChapterFacts] = []
    for (number, chapter) in wanted.enumerated() {
      let next = wanted.indices.contains(number + 1) ? wanted[number + 1].start : nil
      chapters.append(
        ChapterFacts(
          number: number + 1, title: chapter.title, start: try chapter.start.advanced(by: lead),
          end: try next.map { (next) throws(ExactTimeError) in try next.advanced(by: lead) }))
    }
    return chapters
  }
}
