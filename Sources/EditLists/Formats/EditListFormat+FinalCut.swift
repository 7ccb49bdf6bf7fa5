import ExactTime

extension EditListFormat {
  /// Final Cut Pro's XML with one project: the clips of its primary storyline.
  ///
  /// Times are fractions of seconds (Apple, "FCPXML Reference"); a clip's count from the `start` of its
  /// asset. Gaps and what is not enabled are left out. Connected clips, speed, compound and other nested
  /// clips, titles, effects, transitions, and sound that begins elsewhere than its pictures are refused.
  public static let finalCut = EditListFormat(
    id: "fcpxml", name: "XML of Final Cut Pro", extensions: ["fcpxml"], root: "fcpxml",
    reads: { root, _, leftOut throws(ListError) in
      let projects = root.projects
      guard let project = projects.first else { throw root.failure("it has no project") }
      if projects.count > 1 {
        throw projects[1].failure("a second project; export one of them alone")
      }
      guard let sequence = project.first("sequence") else {
        throw project.failure("it has no sequence")
      }
      guard let spine = sequence.first("spine") else { throw sequence.failure("it has no spine") }
      var reader = StorylineReader(root.first("resources"), leftOut)
      defer { leftOut = reader.leftOut }
      return try reader.read(spine, of: sequence)
    })
}

extension MarkupElement {
  /// The projects, wherever a library or an event has them.
  fileprivate var projects: [MarkupElement] {
    name == "project"
      ? [self]
      : ["fcpxml", "library", "event"].contains(name) ? children.flatMap(\.projects) : []
  }

  /// A time such as `1001/30000s`, as an attribute.
  fileprivate func time(_ attribute: String) throws(ListError) -> Rational? {
    guard let text = self[attribute] else { return nil }
    guard text.hasSuffix("s"),
      let value = Rational(exactly: text.dropLast()) ?? Rational(scientific: text.dropLast())
    else {
      throw failure(
        "its \(attribute) '\(ListText.Line.shown(text[...]))' is not a time such as 1001/30000s")
    }
    return value
  }

  fileprivate func sum(_ one: Rational, _ other: Rational) throws(ListError) -> Rational {
    guard let sum = try? one.adding(other) else { throw failure("its times are out of range") }
    return sum
  }

  fileprivate func difference(_ one: Rational, _ other: Rational) throws(ListError) -> Rational {
    guard let difference = try? one.subtracting(other) else {
      throw failure("its times are out of range")
    }
    return difference
  }
}

/// The elements of a storyline, in order.
private struct StorylineReader {
  var leftOut: EditListFormat.LeftOut
  private let resources: [String: MarkupElement]
  private var list = EditList(sources: [])
  private var known: [String: Int] = [:]

  init(_ resources: MarkupElement?, _ leftOut: EditListFormat.LeftOut) {
    self.leftOut = leftOut
    var byID: [String: MarkupElement] = [:]
    for resource in resources?.children ?? [] {
      if let id = resource["id"] { byID[id] = resource }
    }
    self.resources = byID
  }

  mutating func read(
    _ spine: MarkupElement, of sequence: MarkupElement
  ) throws(ListError) -> EditList {
    if let format = sequence["format"].flatMap({ resources[$0] }),
      format["frameDuration"]?.isEmpty == false, let frame = try format.time("frameDuration"),
      frame.isPositive
    {
      list.rate = try? Rational.one.divided(by: frame)
    }
    var end: Rational?
    for element in spine.children {
      guard ["asset-clip", "clip", "video", "audio", "gap"].contains(element.name) else {
        throw element.failure(Self.refusal(of: element))
      }
      let offset = try element.time("offset") ?? end ?? .zero
      guard end == nil || offset == end else {
        throw element.failure(
          "it begins at \(offset) s of its storyline, and what is before it ends at \(end ?? .zero) s"
        )
      }
      end = try element.sum(offset, try read(element))
    }
    return list
  }

  private static func refusal(of element: MarkupElement) -> String {
    let kinds = [
      "transition": "a transition", "ref-clip": "a compound clip",
      "sync-clip": "a synchronized clip",
      "mc-clip": "a multicam clip", "audition": "an audition", "title": "a title",
      "spine": "a second storyline", "live-drawing": "a drawing", "caption": "a caption",
    ]
    let name = element["name"].map { " '\(ListText.Line.shown($0[...]))'" } ?? ""
    return "\(kinds[element.name] ?? "this element")\(name) is not something a cut can follow"
  }

  /// Adds an element, and gives its length.
  private mutating func read(_ element: MarkupElement) throws(ListError) -> Rational {
    let isGap = element.name == "gap"
    let content = isGap ? nil : try content(of: element)
    let whole = try content?.asset.time("duration")
    guard let length = try element.time("duration") ?? whole else {
      throw element.failure("it has no duration")
    }
    guard length.isPositive else { throw element.failure("its duration is not positive") }
    try refuseChildren(of: element, except: content?.element)
    if isGap || element["enabled"] == "0" {
      let what = isGap ? "a gap" : "a clip that is not enabled,"
      leftOut.note(element.failure("\(what) of \(length) s, in which nothing is shown"))
      return length
    }
    guard let content else { return length }
    let first = try element.time("start") ?? content.start
    try refuseSplit(element, start: first, length: length)
    // What turns the clip's own times into those of the media.
    let shift = content.shift
    let start = try element.sum(first, shift)
    guard !start.isNegative else {
      throw element.failure("it begins \(start) s from its media's start, before it")
    }
    guard
      let range = MediaTimeRange(
        from: MediaTime(seconds: start), to: MediaTime(seconds: try element.sum(start, length)))
    else { throw element.failure("its times are out of range") }
    let source = source(of: content.asset)
    list.parts.append(EditList.Part(range, source: source, name: label(element["name"])))
    for marker in element.children where ["marker", "chapter-marker"].contains(marker.name) {
      guard let time = try marker.time("start") else { throw marker.failure("it has no start") }
      list.markers.append(
        EditList.Marker(
          MediaTime(seconds: try marker.sum(time, shift)), source: source,
          name: label(marker["value"])))
    }
    return length
  }

  private func label(_ text: String?) -> String? { text?.isEmpty == true ? nil : text }

  /// The index of an asset's file in the list.
  private mutating func source(of asset: MarkupElement) -> Int {
    let original =
      asset.all("media-rep").first { $0["kind"] == "original-media" } ?? asset.first("media-rep")
    let hint = asset["src"] ?? original?["src"] ?? asset["name"] ?? asset["id"] ?? ""
    if let index = known[hint] { return index }
    known[hint] = list.sources.count
    list.sources.append(EditList.Source(hint: hint))
    return list.sources.count - 1
  }

  /// What a clip shows.
  private struct Content {
    let asset: MarkupElement
    /// The element inside of the clip that shows it, if it is one of its own.
    let element: MarkupElement?
    /// Where the clip begins if it does not say.
    let start: Rational
    let shift: Rational
  }

  private func content(of element: MarkupElement) throws(ListError) -> Content {
    guard element.name == "clip" else {
      let asset = try asset(of: element)
      let origin = try asset.time("start") ?? .zero
      return Content(
        asset: asset, element: nil, start: origin,
        shift: try element.difference(.zero, origin))
    }
    let inner = element.children.filter {
      ["video", "audio", "asset-clip"].contains($0.name) && $0["lane"] == nil
    }
    guard let shown = inner.first else { throw element.failure("it shows no media") }
    if inner.count > 1 { throw inner[1].failure("a second medium in one clip is a layer") }
    let asset = try asset(of: shown)
    let origin = try asset.time("start") ?? .zero
    let offset = try shown.time("offset") ?? .zero
    let start = try shown.time("start") ?? origin
    try refuseChildren(of: shown, except: nil)
    for sound in shown.children where sound.name == "audio" && sound["ref"] != shown["ref"] {
      throw sound.failure("its sound is of another medium")
    }
    return Content(
      asset: asset, element: shown, start: .zero,
      shift: try shown.difference(shown.difference(start, origin), offset))
  }

  private func asset(of element: MarkupElement) throws(ListError) -> MarkupElement {
    guard let ref = element["ref"] else { throw element.failure("it has no ref") }
    guard let resource = resources[ref] else {
      throw element.failure("there is no resource '\(ListText.Line.shown(ref[...]))'")
    }
    guard resource.name == "asset" else {
      throw element.failure("it shows an <\(resource.name)>, which is not a file")
    }
    return resource
  }

  /// Refuses sound that begins or ends elsewhere than the pictures.
  private func refuseSplit(
    _ element: MarkupElement, start: Rational, length: Rational
  ) throws(ListError) {
    guard try element.time("audioStart") ?? start == start,
      try element.time("audioDuration") ?? length == length
    else { throw element.failure("its sound begins or ends elsewhere than its pictures") }
  }

  private static let described: Set<String> = [
    "note", "marker", "chapter-marker", "rating", "keyword", "analysis-marker", "metadata",
    "audio-role-source", "audio-channel-source", "adjust-conform",
  ]

  private func refuseChildren(
    of element: MarkupElement, except shown: MarkupElement?
  ) throws(ListError) {
    for child in element.children where !Self.described.contains(child.name) {
      if let shown, child.line == shown.line, child.name == shown.name, child["lane"] == nil {
        continue
      }
      // A clip's own sound is inside of its pictures.
      if element.name == "video", child.name == "audio", child["ref"] == element["ref"],
        try child.time("offset") ?? .zero == element.time("offset") ?? .zero,
        try child.time("start") == element.time("start")
      {
        continue
      }
      if child.name == "timeMap" {
        throw child.failure("it changes the speed, which a cut does not do")
      }
      if child.name == "conform-rate" {
        let stated = child["srcFrameRate"].flatMap { Rational(decimal: $0[...]) }
        let isSame = stated.map { $0.standardRate(near: list.rate) == list.rate } ?? false
        guard child["scaleEnabled"] == "0" || isSame else {
          throw child.failure("it changes the speed, which a cut does not do")
        }
        continue
      }
      if child.name.hasPrefix("adjust-") || child.name.hasPrefix("filter-") {
        guard child["enabled"] != "0" else { continue }
        let name = child["name"].map { " '\(ListText.Line.shown($0[...]))'" } ?? ""
        throw child.failure("the effect\(name) is not something a cut can follow")
      }
      if child["lane"] != nil {
        let name = child["name"].map { " '\(ListText.Line.shown($0[...]))'" } ?? ""
        throw child.failure("a connected clip\(name) is a layer, and a cut has one")
      }
      throw child.failure(Self.refusal(of: child))
    }
  }
}
