import ExactTime

extension EditListFormat {
  /// An OpenTimelineIO timeline with one track of clips, and tracks of the same clips' sound.
  ///
  /// A clip's times count from the start of its media's `available_range`, or, without one, from zero.
  /// Gaps and what is not enabled are left out. Effects, other speeds, several layers, nested stacks and
  /// transitions are refused.
  public static let openTimelineIO = EditListFormat(
    id: "otio", name: "OpenTimelineIO", extensions: ["otio"],
    recognisesJSON: { $0["OTIO_SCHEMA"] != nil },
    reads: { root, context, leftOut throws(ListError) in
      guard try root.schema() == "Timeline" else {
        throw root.failure("it is a \(try root.schema()) instead of a Timeline")
      }
      var reader = TimelineReader(context: context, leftOut: leftOut)
      defer { leftOut = reader.leftOut }
      return try reader.read(root.member("tracks"))
    },
    writes: { list throws(ListError) in
      var writer = try TimelineWriter(list)
      return try writer.written()
    })
}

extension JSONNode {
  /// The name of its schema, without the version.
  fileprivate func schema() throws(ListError) -> String {
    let name = try member("OTIO_SCHEMA").string()
    return ListText.Line.shown(name.split(separator: ".").first ?? "")
  }

  fileprivate var isEnabled: Bool {
    if case .bool(false)? = self["enabled"]?.tree { false } else { true }
  }

  /// Whether it changes nothing, as what DaVinci Resolve writes beside every clip.
  ///
  /// That is an effect which is off, or one of its inspector with no parameter, where all have their
  /// defaults. A plug-in without parameters acts all the same.
  fileprivate var isNeutralEffect: Bool {
    if case .bool(false)? = self["Enabled"]?.tree { return true }
    let inspector: Set<String> = [
      "Transform", "Cropping", "Composite", "Dynamic Zoom", "Stabilization", "Lens Correction",
      "Retime and Scaling", "Video Faders", "Audio Faders",
    ]
    guard let name = self["Effect Name"]?.tree.text,
      inspector.contains(name) || name.hasPrefix("Fairlight")
    else { return false }
    return self["Parameters"]?.isEmpty ?? true
  }

  /// Its name, if it has one.
  fileprivate func label() throws(ListError) -> String? {
    let name = try self["name"]?.string()
    return name?.isEmpty == true ? nil : name
  }
}

/// A clip, and where it is in its track.
private struct TimelineClip {
  let node: JSONNode
  let hint: String?
  let range: MediaTimeRange
  let rate: Rational
  let record: MediaTime
}

private struct TimelineReader {
  let context: EditListFormat.Context
  var leftOut: EditListFormat.LeftOut
  private var list = EditList(sources: [])
  private var known: [String?: Int] = [:]

  init(context: EditListFormat.Context, leftOut: EditListFormat.LeftOut) {
    self.context = context
    self.leftOut = leftOut
  }

  mutating func read(_ stack: JSONNode) throws(ListError) -> EditList {
    guard try stack.schema() == "Stack" else {
      throw stack.failure("it is a \(try stack.schema()) instead of a Stack")
    }
    try refuseEffects(stack)
    if let range = stack["source_range"] {
      throw range.failure("a range of the whole stack is not something a cut can follow")
    }
    var pictures: (track: JSONNode, clips: [TimelineClip])?
    var sounds: [[TimelineClip]] = []
    for track in try stack.member("children").elements() {
      guard try track.schema() == "Track" else {
        throw track.failure("it is a \(try track.schema()) beside the tracks, a nested sequence")
      }
      if !track.isEnabled {
        leftOut.note(track.failure("the track is not enabled"))
        continue
      }
      let clips = try clips(of: track)
      guard !clips.isEmpty else { continue }
      switch try track["kind"]?.string() ?? "Video" {
      case "Video":
        if let pictures {
          throw track.failure(
            "it is a layer above \(pictures.track.path), and a cut has one of pictures")
        }
        pictures = (track, clips)
      case "Audio": sounds.append(clips)
      case let kind: leftOut.note(track.failure("a track of \(ListText.Line.shown(kind[...]))"))
      }
    }
    let leading = pictures?.clips ?? sounds.first ?? []
    for clip in leading { try append(clip) }
    try match(sounds, with: leading, hasPictures: pictures != nil)
    if let rate = leading.first?.rate, rate <= EditListFormat.fastest,
      leading.allSatisfy({ $0.rate == rate })
    {
      list.rate = rate
    }
    return list
  }

  private mutating func append(_ clip: TimelineClip) throws(ListError) {
    if known[clip.hint] == nil {
      known[clip.hint] = list.sources.count
      list.sources.append(EditList.Source(hint: clip.hint))
    }
    let source = known[clip.hint] ?? 0
    list.parts.append(EditList.Part(clip.range, source: source, name: try clip.node.label()))
    let origin = try mediaStart(of: clip.node)
    for marker in try clip.node["markers"]?.elements() ?? [] {
      let time = try time(marker.member("marked_range").member("start_time"))
      list.markers.append(
        EditList.Marker(
          try moved(time, back: origin, marker), source: source, name: try marker.label()))
    }
  }

  /// Refuses sound that is cut elsewhere than the pictures.
  private func match(
    _ sounds: [[TimelineClip]], with leading: [TimelineClip], hasPictures: Bool
  ) throws(ListError) {
    var byRecord: [MediaTime: TimelineClip] = [:]
    for clip in leading { byRecord[clip.record] = clip }
    var heard: Set<MediaTime> = []
    for clip in sounds.joined() {
      guard let match = byRecord[clip.record], match.range == clip.range, match.hint == clip.hint
      else { throw clip.node.failure("its sound is cut elsewhere than the pictures") }
      heard.insert(clip.record)
    }
    guard hasPictures, !heard.isEmpty else { return }
    for clip in leading where !heard.contains(clip.record) {
      throw clip.node.failure("it has no sound, and other clips have")
    }
  }

  private mutating func clips(of track: JSONNode) throws(ListError) -> [TimelineClip] {
    try refuseEffects(track)
    var clips: [TimelineClip] = []
    var record = MediaTime.zero
    for child in try track.member("children").elements() {
      let schema = try child.schema()
      guard schema == "Clip" || schema == "Gap" else {
        let what =
          schema == "Transition" ? "a transition" : "a \(schema) in a track, a nested sequence,"
        throw child.failure("\(what) is not something a cut can follow")
      }
      try refuseEffects(child)
      let range = try mediaRange(of: child)
      let length = try length(of: range, child)
      if schema == "Gap" || !child.isEnabled {
        if length.isPositive {
          let what = schema == "Gap" ? "a gap" : "a clip that is not enabled,"
          leftOut.note(child.failure("\(what) of \(length) s, in which nothing is shown"))
        }
      } else {
        guard !range.isEmpty else { throw child.failure("it has no length") }
        clips.append(
          TimelineClip(
            node: child, hint: try hint(of: child), range: range, rate: try rate(of: child),
            record: record))
      }
      guard let next = try? record.advanced(by: length) else {
        throw child.failure("its end is out of range")
      }
      record = next
    }
    if let range = track["source_range"], !clips.isEmpty {
      let trimmed = try timeRange(range)
      guard trimmed.start <= .zero, trimmed.end >= record else {
        throw range.failure("a range of the whole track is not something a cut can follow")
      }
    }
    return clips
  }

  private func refuseEffects(_ node: JSONNode) throws(ListError) {
    for effect in try node["effects"]?.elements() ?? [] where effect.isEnabled {
      let schema = try effect.schema()
      if schema == "LinearTimeWarp", try effect["time_scalar"]?.rational() == .one { continue }
      let own = effect["metadata"]?["Resolve_OTIO"]
      if let own, own.isNeutralEffect { continue }
      let stated = try own?["Effect Name"]?.string()
      let label = try effect.label() ?? stated
      let name = label.map { " '\(ListText.Line.shown($0[...]))'" } ?? ""
      let isSpeed = ["LinearTimeWarp", "FreezeFrame", "TimeEffect"].contains(schema)
      throw effect.failure(
        "\(schema)\(name) \(isSpeed ? "changes the speed" : "is an effect"), "
          + "which a cut does not do")
    }
  }

  /// The reference that a clip uses.
  private func media(of clip: JSONNode) throws(ListError) -> JSONNode? {
    guard let references = clip["media_references"] else { return clip["media_reference"] }
    return references[try clip["active_media_reference_key"]?.string() ?? "DEFAULT_MEDIA"]
  }

  private func hint(of clip: JSONNode) throws(ListError) -> String? {
    guard let media = try media(of: clip) else { return nil }
    switch try media.schema() {
    case "ExternalReference":
      let url = try media["target_url"]?.string()
      let name = try media.label()
      return url ?? name
    case "MissingReference": return try media.label()
    case let other: throw media.failure("\(other) is not a file that can be cut")
    }
  }

  private func mediaStart(of clip: JSONNode) throws(ListError) -> MediaTime {
    guard let range = try media(of: clip)?["available_range"] else { return .zero }
    return try time(range.member("start_time"))
  }

  private func range(of clip: JSONNode) throws(ListError) -> JSONNode {
    let available = try media(of: clip)?["available_range"]
    guard let node = clip["source_range"] ?? available else {
      throw clip.failure("it has no source_range, and its media has no available_range")
    }
    return node
  }

  /// The rate that a clip's range counts in.
  private func rate(of clip: JSONNode) throws(ListError) -> Rational {
    try range(of: clip).member("start_time").member("rate").rational()
      .standardRate(near: context.rate)
  }

  /// The clip's range, from the start of its media.
  private func mediaRange(of clip: JSONNode) throws(ListError) -> MediaTimeRange {
    let node = try range(of: clip)
    let range = try timeRange(node)
    if try clip.schema() == "Gap" { return range }
    let origin = try mediaStart(of: clip)
    guard
      let moved = MediaTimeRange(
        from: try moved(range.start, back: origin, node),
        to: try moved(range.end, back: origin, node))
    else { throw node.failure("its times are out of range") }
    guard moved.start >= .zero else {
      throw node.failure("it begins at \(moved.start), before its media")
    }
    return moved
  }

  private func moved(
    _ time: MediaTime, back origin: MediaTime, _ node: JSONNode
  ) throws(ListError) -> MediaTime {
    guard let seconds = try? time.seconds.subtracting(origin.seconds) else {
      throw node.failure("its times are out of range")
    }
    return MediaTime(seconds: seconds)
  }

  private func length(
    of range: MediaTimeRange, _ node: JSONNode
  ) throws(ListError) -> MediaDuration {
    guard let length = try? range.checkedLength() else {
      throw node.failure("its times are out of range")
    }
    return length
  }

  private func timeRange(_ node: JSONNode) throws(ListError) -> MediaTimeRange {
    let start = try time(node.member("start_time"))
    let length = try time(node.member("duration"))
    guard length >= .zero else {
      throw try node.member("duration").failure("the duration \(length) is negative")
    }
    guard let end = try? start.advanced(by: MediaDuration(seconds: length.seconds)),
      let range = MediaTimeRange(from: start, to: end)
    else { throw node.failure("its times are out of range") }
    return range
  }

  /// A RationalTime: a value at a rate, which programs write as the nearest `Double`.
  private func time(_ node: JSONNode) throws(ListError) -> MediaTime {
    let stated = try node.member("rate").rational()
    guard stated.isPositive else { throw node.failure("its rate is not positive") }
    let rate = stated.standardRate(near: context.rate)
    guard let seconds = try? node.member("value").rational().divided(by: rate) else {
      throw node.failure("its value is no number that 64 bits can hold at this rate")
    }
    return MediaTime(seconds: seconds)
  }
}

extension EditListFormat {
  /// Faster than this, a rate of times is a time base rather than frames.
  fileprivate static let fastest = Rational(240)
}

private struct TimelineWriter {
  private let list: EditList
  private let rate: Rational
  private let rateText: String
  private var rounded = 0

  init(_ list: EditList) throws(ListError) {
    let format = "OpenTimelineIO"
    try list.refuse(
      format, keepsMarkers: true, keeps: true, names: true, severalSources: true, lines: true)
    for (index, part) in list.parts.enumerated() {
      guard list.sources.indices.contains(part.source) else {
        throw ListError(.entry("parts[\(index)]"), "the list does not have its source")
      }
      guard list.sources.count == 1 || list.sources[part.source].hint != nil else {
        throw ListError(
          .entry("parts[\(index)]"), "\(format) needs a name for the source of this part")
      }
    }
    self.list = list
    rate = list.rate.flatMap { Self.holds(list, $0) ? $0 : nil } ?? Self.timeBase(of: list)
    rateText = Self.text(rate) ?? "1000000000.0"
  }

  /// Whether a rate can be written and all times are whole frames of it.
  private static func holds(_ list: EditList, _ rate: Rational) -> Bool {
    text(rate) != nil
      && times(of: list).allSatisfy { (try? $0.seconds.multiplied(by: rate))?.denominator == 1 }
  }

  private static func times(of list: EditList) -> [MediaTime] {
    list.parts.flatMap { [$0.range.start, $0.range.end] } + list.markers.map(\.time)
  }

  /// How a program would write a rate as the nearest `Double`; `nil` for a rate that no reader would
  /// know again.
  private static func text(_ rate: Rational) -> String? {
    let text = rate.decimalText(places: rate < Rational(100) ? 15 : 14, rounding: .nearest)
    let short = rate.denominator == 1 ? "\(rate.numerator).0" : text.text
    guard Rational(scientific: short[...])?.standardRate(near: nil) == rate else { return nil }
    return short
  }

  /// Ticks per second that hold all times exactly, or nanoseconds.
  private static func timeBase(of list: EditList) -> Rational {
    let most: Int64 = 1_000_000_000
    var ticks: Int64 = 1
    for time in times(of: list) {
      let denominator = time.seconds.denominator
      let shared = greatestCommonDivisor(ticks.magnitude, denominator.magnitude)
      let product = Int128(ticks) / Int128(shared) * Int128(denominator)
      guard product <= Int128(most) else { return Rational(most) }
      ticks = Int64(product)
    }
    // A slower one would look like frames.
    while ticks < 1000 { ticks *= 10 }
    return Rational(ticks)
  }

  mutating func written() throws(ListError) -> EditListFormat.Written {
    var marks: [Int: [EditList.Marker]] = [:]
    // Each is looked for among all parts.
    guard list.markers.count <= 10_000 else {
      throw ListError(.list, "it has more than 10000 markers")
    }
    for (index, marker) in list.markers.enumerated() {
      guard
        let part = list.parts.firstIndex(where: {
          $0.source == marker.source && $0.range.contains(marker.time)
        })
      else {
        throw ListError(.entry("markers[\(index)]"), "OpenTimelineIO has markers of clips only")
      }
      marks[part, default: []].append(marker)
    }
    var clips: [String] = []
    for (index, part) in list.parts.enumerated() {
      clips.append(try clip(part, marks[index] ?? []))
    }
    let text = """
      {
        "OTIO_SCHEMA": "Timeline.1", "metadata": {}, "name": "", "global_start_time": null,
        "tracks": {
          "OTIO_SCHEMA": "Stack.1", "metadata": {}, "name": "tracks", "source_range": null,
          "effects": [], "markers": [], "enabled": true,
          "children": [
            {
              "OTIO_SCHEMA": "Track.1", "metadata": {}, "name": "", "kind": "Video",
              "source_range": null, "effects": [], "markers": [], "enabled": true,
              "children": [
      \(clips.joined(separator: ",\n"))
              ]
            }
          ]
        }
      }

      """
    let kept = [EditList.sourceName] + (rate == list.rate ? [EditList.frameRate] : [])
    return EditListFormat.Written(
      text: text, rounded: rounded, leftOut: list.leftOut.filter { !kept.contains($0) })
  }

  private mutating func clip(
    _ part: EditList.Part, _ marks: [EditList.Marker]
  ) throws(ListError) -> String {
    var markers: [String] = []
    for mark in marks {
      markers.append(
        """
        {"OTIO_SCHEMA": "Marker.2", "metadata": {}, "name": \((mark.name ?? "").json), \
        "color": "RED", "marked_range": \(try range(mark.time, .zero))}
        """)
    }
    guard let length = try? part.range.checkedLength() else {
      throw ListError(.list, "its times are too large for OpenTimelineIO")
    }
    var media = "\"OTIO_SCHEMA\": \"MissingReference.1\""
    if let hint = list.sources[part.source].hint {
      media = "\"OTIO_SCHEMA\": \"ExternalReference.1\", \"target_url\": \(hint.json)"
    }
    return """
                {"OTIO_SCHEMA": "Clip.2", "metadata": {}, "name": \((part.name ?? "").json), \
      "source_range": \(try range(part.range.start, length)), "effects": [], \
      "markers": [\(markers.joined(separator: ", "))], "enabled": true, "media_references": \
      {"DEFAULT_MEDIA": {\(media), "metadata": {}, "name": "", "available_range": null}}, \
      "active_media_reference_key": "DEFAULT_MEDIA"}
      """
  }

  private mutating func range(
    _ start: MediaTime, _ length: MediaDuration
  ) throws(ListError) -> String {
    """
    {"OTIO_SCHEMA": "TimeRange.1", "start_time": \(try time(start.seconds)), \
    "duration": \(try time(length.seconds))}
    """
  }

  private mutating func time(_ seconds: Rational) throws(ListError) -> String {
    guard let value = try? seconds.multiplied(by: rate) else {
      throw ListError(.list, "its times are too large for OpenTimelineIO")
    }
    let text = value.decimalText(places: 0, rounding: .nearest)
    if !text.isExact { rounded += 1 }
    return "{\"OTIO_SCHEMA\": \"RationalTime.1\", \"rate\": \(rateText), \"value\": \(text.text).0}"
  }
}
