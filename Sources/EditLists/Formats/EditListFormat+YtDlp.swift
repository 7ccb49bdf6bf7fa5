import ExactTime

extension EditListFormat {
  /// yt-dlp's `info.json`: what `sponsorblock_chapters` skip is removed; without any, `chapters` are
  /// kept parts.
  ///
  /// Where both are there, chapters are markers at their starts: a list says either what is kept or what
  /// is removed. A chapter without an end ends where the next begins, the last one at the `duration` or
  /// the source's end.
  public static let ytDlp = EditListFormat(
    id: "yt-dlp", name: "info.json of yt-dlp", extensions: ["json"],
    recognisesJSON: { tree in
      tree["OTIO_SCHEMA"] == nil && tree["cutSegments"] == nil && tree["segments"] == nil
        && (tree["chapters"]?.isArray == true || tree["sponsorblock_chapters"]?.isArray == true
          || tree["extractor"] != nil)
    },
    reads: { root, context, leftOut throws(ListError) in
      var list = EditList()
      for chapter in try root["sponsorblock_chapters"]?.elements() ?? [] {
        try list.addSponsor(
          SponsorSegment(
            node: chapter, action: try chapter["type"]?.string() ?? "skip",
            category: try chapter["category"]?.string(), title: try chapter["title"]?.string(),
            start: try chapter.member("start_time"), end: try chapter.member("end_time")),
          context, &leftOut)
      }
      let chapters = try root["chapters"]?.elements() ?? []
      guard !list.parts.isEmpty else {
        list.parts = try ytDlpParts(chapters, end: root["duration"]?.seconds() ?? context.end)
        return list
      }
      for chapter in chapters {
        list.markers.append(
          EditList.Marker(
            try chapter.member("start_time").seconds(), name: try chapter["title"]?.string()))
      }
      if !chapters.isEmpty {
        leftOut.note(
          JSONNode(root.tree, path: .member(root.path, "chapters")).failure(
            "the ends of chapters, whose starts are markers beside what is removed"))
      }
      return list
    })

  private static func ytDlpParts(
    _ chapters: [JSONNode], end: MediaTime?
  ) throws(ListError) -> [EditList.Part] {
    var parts: [EditList.Part] = []
    for (index, chapter) in chapters.enumerated() {
      let next = index + 1 < chapters.count ? try chapters[index + 1]["start_time"]?.seconds() : end
      guard let end = try chapter["end_time"]?.seconds() ?? next else {
        throw chapter.failure("it has no end_time, and the source's end is not known")
      }
      let name = try chapter["title"]?.string()
      let start = try chapter["start_time"]?.seconds() ?? .zero
      parts.append(
        EditList.Part(
          try chapter.range(from: start, to: end), name: name?.isEmpty == true ? nil : name))
    }
    return parts
  }
}
