import ExactTime

extension EditListFormat {
  /// LosslessCut's project: JSON5 with `cutSegments`, each a kept part (src/renderer/src/types.ts).
  ///
  /// A segment without an end goes on to the source's end in version 1, and is a marker in versions 2
  /// and 3. Segments that are not selected are left out, and so are tags; edits of streams and text on
  /// the pictures (version 3) are refused. Written is version 2.
  public static let losslessCutProject = EditListFormat(
    id: "llc", name: "project of LosslessCut", extensions: ["llc"], isJSON5: true,
    recognisesJSON: { $0["cutSegments"] != nil },
    reads: readLosslessCut, writes: writeLosslessCut)

  private static func readLosslessCut(
    _ root: JSONNode, _ context: Context, _ leftOut: inout LeftOut
  ) throws(ListError) -> EditList {
    let version = try root["version"]?.rational() ?? .one
    guard [Rational(1), Rational(2), Rational(3)].contains(version) else {
      throw try root.member("version").failure("only the versions 1, 2 and 3 are known")
    }
    for (key, name) in [
      ("streamEdits", "an edit of streams"), ("overlayClips", "text on pictures"),
    ] {
      guard let node = root[key], !node.isEmpty else { continue }
      throw node.failure("\(name) is not something a cut can follow")
    }
    var list = EditList(sources: [EditList.Source(hint: try root["mediaFileName"]?.string())])
    for segment in try root.member("cutSegments").elements() {
      guard case .object = segment.tree else {
        throw segment.failure("it is \(segment.tree.kind) instead of an object")
      }
      if let selected = segment["selected"], try !selected.bool() {
        leftOut.note(segment.failure("the segment is not selected"))
        continue
      }
      if let tags = segment["tags"], !tags.isEmpty { leftOut.note(tags.failure("tags")) }
      let name = try segment["name"]?.string()
      let label = name?.isEmpty == true ? nil : name
      let start = try segment["start"]?.seconds()
      if version > .one, segment["end"] == nil {
        let time = try segment.member("start").seconds()
        list.markers.append(EditList.Marker(time, name: label))
        continue
      }
      guard let end = try segment["end"]?.seconds() ?? context.end else {
        throw segment.failure("it has no end, and the source's end is not known")
      }
      list.parts.append(
        EditList.Part(try segment.range(from: start ?? .zero, to: end), name: label))
    }
    return list
  }

  private static func writeLosslessCut(_ list: EditList) throws(ListError) -> Written {
    try list.refuse(
      "a project of LosslessCut", keepsMarkers: true, keeps: true, names: true, lines: true)
    var seconds = DecimalSeconds()
    var rows: [String] = []
    func row(_ start: MediaTime, _ end: MediaTime?, _ name: String?) -> String {
      var row = "    {\n      start: \(seconds(start)),\n"
      if let end { row += "      end: \(seconds(end)),\n" }
      return row + "      name: \((name ?? "").json5),\n    },\n"
    }
    for part in list.parts { rows.append(row(part.range.start, part.range.end, part.name)) }
    for marker in list.markers { rows.append(row(marker.time, nil, marker.name)) }
    var text = "{\n  version: 2,\n"
    if let hint = list.sources.first?.hint { text += "  mediaFileName: \(hint.json5),\n" }
    text += rows.isEmpty ? "  cutSegments: [],\n}\n" : "  cutSegments: [\n\(rows.joined())  ],\n}\n"
    return Written(
      text: text, rounded: seconds.rounded,
      leftOut: list.leftOut.filter { $0 != EditList.sourceName })
  }
}

extension JSONNode {
  /// Whether it is an object or array without anything in it.
  var isEmpty: Bool {
    switch tree {
    case .array(let elements): elements.isEmpty
    case .object(let members): members.allSatisfy { JSONNode($0.value).isEmpty }
    case .null: true
    default: false
    }
  }
}
