import ExactTime
package import Libav
package import MediaFacts

/// Maps FFmpeg's format name lists to short stable names, and its chapters to facts.
package enum ContainerNames {
  package static func format(_ name: String, head: ContainerHead) -> String {
    SourceRules.format(name, isWebM: head.isWebM)
  }

  package static func chapters(_ chapters: [LibavChapter]) -> [ChapterFacts] {
    chapters.enumerated().compactMap { index, chapter in
      guard let start = chapter.start else { return nil }
      return ChapterFacts(
        number: index + 1, title: chapter.title, start: start,
        end: chapter.end ?? (index + 1 < chapters.count ? chapters[index + 1].start : nil))
    }
  }
}
