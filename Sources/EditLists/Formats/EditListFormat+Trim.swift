import ExactTime

extension EditListFormat {
  /// The JSON of an ``EditList`` itself, as its `Codable` has it: the only format that holds all of one.
  public static let trim = EditListFormat(
    id: "trim", name: "edit list of trim", extensions: ["json"],
    recognisesJSON: {
      $0["version"] != nil && $0["sources"]?.isArray == true && $0["parts"] != nil
    },
    reads: { root, _, _ throws(ListError) in
      let version = try root.member("version")
      guard try version.rational() == Rational(Int64(EditList.version)) else {
        throw version.failure("only version \(EditList.version) is known")
      }
      var list = EditList(sources: [])
      for source in try root.member("sources").elements() {
        list.sources.append(try source.source())
      }
      for part in try root.member("parts").elements() {
        var read = EditList.Part(try part.exactRange(), isKept: try part.member("isKept").bool())
        read.source = try part.source(of: list)
        read.name = try part["name"]?.string()
        read.tracks = try part["tracks"]?.integers()
        list.parts.append(read)
      }
      for marker in try root["markers"]?.elements() ?? [] {
        let time = MediaTime(seconds: try marker.member("time").exact())
        list.markers.append(
          EditList.Marker(
            time, source: try marker.source(of: list), name: try marker["name"]?.string()))
      }
      list.rate = try root["rate"]?.exact()
      if let rate = list.rate, !rate.isPositive {
        throw try root.member("rate").failure("the rate \(rate) is not positive")
      }
      return list
    },
    writes: writeTrim)

  private static func writeTrim(_ list: EditList) throws(ListError) -> Written {
    func member(_ key: String, _ value: String?) -> String {
      value.map { ", \"\(key)\": \($0)" } ?? ""
    }
    let sources = list.sources.map { source in
      var members = member("hint", source.hint?.json)
      if let identity = source.identity {
        members += member(
          "identity",
          "{\"size\": \(identity.size), \"head\": \(identity.head.json), "
            + "\"packets\": \(identity.packets.json)}")
      }
      return "    {\(members.dropFirst(2))}"
    }
    let parts = list.parts.map { part in
      let range =
        "{\"start\": \"\(part.range.start.seconds)\", \"end\": \"\(part.range.end.seconds)\"}"
      return "    {\"source\": \(part.source), \"range\": \(range)"
        + member("name", part.name?.json)
        + member("tracks", part.tracks.map { "\($0)" }) + ", \"isKept\": \(part.isKept)}"
    }
    let markers = list.markers.map { marker in
      "    {\"source\": \(marker.source), \"time\": \"\(marker.time.seconds)\""
        + member("name", marker.name?.json) + "}"
    }
    func array(_ key: String, _ rows: [String]) -> String {
      rows.isEmpty ? "  \"\(key)\": []" : "  \"\(key)\": [\n\(rows.joined(separator: ",\n"))\n  ]"
    }
    var fields = [
      "  \"version\": \(EditList.version)", array("sources", sources), array("parts", parts),
      array("markers", markers),
    ]
    if let rate = list.rate { fields.append("  \"rate\": \"\(rate)\"") }
    return Written(text: "{\n\(fields.joined(separator: ",\n"))\n}\n", rounded: 0, leftOut: [])
  }
}

extension JSONNode {
  /// An exact fraction as text, such as `"1001/30000"`.
  fileprivate func exact() throws(ListError) -> Rational {
    let text = try string()
    guard let value = Rational(exactly: text) else {
      throw failure("'\(ListText.Line.shown(text[...]))' is not an exact value such as 121/2")
    }
    return value
  }

  fileprivate func exactRange() throws(ListError) -> MediaTimeRange {
    let node = try member("range")
    let start = try node.member("start").exact()
    let end = try node.member("end").exact()
    guard let range = MediaTimeRange(from: MediaTime(seconds: start), to: MediaTime(seconds: end))
    else { throw node.failure("it ends before it starts") }
    return range
  }

  fileprivate func integer() throws(ListError) -> Int64 {
    let value = try rational()
    guard value.denominator == 1 else { throw failure("\(value) is not a whole number") }
    return value.numerator
  }

  fileprivate func integers() throws(ListError) -> [Int] {
    var numbers: [Int] = []
    for element in try elements() { numbers.append(Int(clamping: try element.integer())) }
    return numbers
  }

  fileprivate func source() throws(ListError) -> EditList.Source {
    guard case .object = tree else { throw failure("it is \(tree.kind) instead of an object") }
    var source = EditList.Source(hint: try self["hint"]?.string())
    guard let identity = self["identity"] else { return source }
    source.identity = EditList.Identity(
      size: try identity.member("size").integer(), head: try identity.member("head").string(),
      packets: try identity.member("packets").string())
    return source
  }

  fileprivate func source(of list: EditList) throws(ListError) -> Int {
    let node = try member("source")
    let index = Int(clamping: try node.integer())
    guard list.sources.indices.contains(index) else {
      throw node.failure("it is source \(index) of \(list.sources.count)")
    }
    return index
  }
}
