import ExactTime

extension EditListFormat {
  /// SponsorBlock's segments, as its API gives them (GET /api/skipSegments, with or without a hash).
  ///
  /// `skip` is a removed part, named by its category; `poi` a marker; `chapter` a marker at its start. A
  /// label of the whole video (`full`) is left out. `mute` is refused, unless it is to be ignored.
  public static let sponsorBlock = EditListFormat(
    id: "sponsorblock", name: "segments of SponsorBlock", extensions: ["json"],
    recognisesJSON: { $0.isArray },
    reads: { root, context, leftOut throws(ListError) in
      var list = EditList()
      for entry in try root.elements() {
        guard let segments = entry["segments"] else {
          try list.addSponsor(entry, context, &leftOut)
          continue
        }
        let name = try entry.member("videoID").string()
        let source = list.source(named: name)
        // Each is looked for among all others.
        guard list.sources.count <= 10_000 else {
          throw entry.failure("it has more than 10000 videos")
        }
        for segment in try segments.elements() {
          try list.addSponsor(segment, source: source, context, &leftOut)
        }
      }
      return list
    })
}

extension EditList {
  /// The index of the source of this name, which is added unless it is there.
  ///
  /// A list that has nothing but one unnamed source gives that one the name.
  fileprivate mutating func source(named name: String) -> Int {
    if let index = sources.firstIndex(where: { $0.hint == name }) { return index }
    if parts.isEmpty, markers.isEmpty, sources == [Source()] { sources = [] }
    sources.append(Source(hint: name))
    return sources.count - 1
  }

  fileprivate mutating func addSponsor(
    _ segment: JSONNode, source: Int = 0, _ context: EditListFormat.Context,
    _ leftOut: inout EditListFormat.LeftOut
  ) throws(ListError) {
    let times = try segment.member("segment").elements()
    guard times.count == 2 else {
      throw try segment.member("segment").failure("it has \(times.count) times instead of 2")
    }
    try addSponsor(
      SponsorSegment(
        node: segment, action: try segment["actionType"]?.string() ?? "skip",
        category: try segment["category"]?.string(),
        title: try segment["description"]?.string(), start: times[0], end: times[1]),
      source: source, context, &leftOut)
  }

  /// Adds what SponsorBlock says, in whatever form.
  mutating func addSponsor(
    _ segment: SponsorSegment, source: Int = 0, _ context: EditListFormat.Context,
    _ leftOut: inout EditListFormat.LeftOut
  ) throws(ListError) {
    let node = segment.node
    let title = segment.title?.isEmpty == true ? nil : segment.title
    switch segment.action {
    case "skip":
      let range = try node.range(from: segment.start.seconds(), to: segment.end.seconds())
      parts.append(Part(range, source: source, name: segment.category, isKept: false))
    case "mute":
      let mute = node.failure("it mutes sound, which a cut does not do")
      guard context.ignoresMutes else { throw mute }
      leftOut.note(mute)
    case "full":
      leftOut.note(node.failure("it labels the whole video (\(segment.category ?? "full"))"))
    case "poi":
      markers.append(
        Marker(try segment.start.seconds(), source: source, name: title ?? segment.category))
    case "chapter":
      markers.append(
        Marker(try segment.start.seconds(), source: source, name: title ?? segment.category))
      leftOut.note(segment.end.failure("the end of a chapter, whose start is a marker"))
    case let other:
      throw node.failure(
        "the action '\(ListText.Line.shown(other[...]))' is none of skip, mute, full, poi and chapter"
      )
    }
  }
}

/// What SponsorBlock says of one range.
struct SponsorSegment {
  let node: JSONNode
  let action: String
  let category: String?
  let title: String?
  let start: JSONNode
  let end: JSONNode
}
