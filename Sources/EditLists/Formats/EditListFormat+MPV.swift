import ExactTime

extension EditListFormat {
  /// mpv's EDL, version 0: `file,start,length` in seconds, by position or by name, and `title`.
  ///
  /// A value may be written as `%n%` and n bytes (mpv, DOCS/edl-mpv.rst). Other parameters, headers
  /// that start with `!`, and entries without a length are refused.
  public static let mpv = EditListFormat(
    id: "mpv", name: "EDL of mpv", extensions: ["edl"],
    recognises: { $0.lines.first?.text.hasPrefix(mpvHeader) ?? false },
    reads: { text, _ throws(ListError) in
      var list = EditList(sources: [])
      var known: [String: Int] = [:]
      for line in text.lines where !line.text.hasPrefix("#") {
        for fields in try line.mpvEntries() {
          let entry = try MPVEntry(fields, line)
          if known[entry.file] == nil {
            known[entry.file] = list.sources.count
            list.sources.append(EditList.Source(hint: entry.file))
          }
          list.parts.append(
            EditList.Part(entry.range, source: known[entry.file] ?? 0, name: entry.title))
        }
      }
      guard !list.parts.isEmpty else { throw ListError(.list, "it has no parts") }
      return list
    },
    writes: { list throws(ListError) in
      try list.refuse(
        "mpv's EDL", keepsMarkers: false, keeps: true, names: true, severalSources: true)
      var seconds = DecimalSeconds()
      var text = mpvHeader + "\n"
      for (index, part) in list.parts.enumerated() {
        let entry = ListError.Place.entry("parts[\(index)]")
        guard list.sources.indices.contains(part.source), let file = list.sources[part.source].hint
        else { throw ListError(entry, "mpv's EDL names its files, and this source has no name") }
        guard !file.utf8.contains(where: { $0 < 0x20 }) else {
          throw ListError(entry, "mpv's EDL has no file names with line breaks")
        }
        guard let length = try? part.range.checkedLength() else {
          throw ListError(entry, "the part is too long")
        }
        text += "%\(file.utf8.count)%\(file),\(seconds(part.range.start))"
        text += ",\(seconds(.zero + length))"
        if let name = part.name { text += ",title=%\(name.utf8.count)%\(name)" }
        text += "\n"
      }
      let leftOut = list.leftOut.filter { $0 != EditList.sourceName }
      return Written(text: text, rounded: seconds.rounded, leftOut: leftOut)
    })

  private static let mpvHeader = "# mpv EDL v0"
}

private struct MPVEntry {
  var file: String
  var range: MediaTimeRange
  var title: String?

  init(_ fields: [(key: String, value: String)], _ line: ListText.Line) throws(ListError) {
    var values: [String: String] = [:]
    for (key, value) in fields {
      guard ["file", "start", "length", "title"].contains(key) else {
        throw line.failure("'\(ListText.Line.shown(key[...]))' is not something a cut can follow")
      }
      guard values.updateValue(value, forKey: key) == nil else {
        throw line.failure("it has the \(key) twice")
      }
    }
    guard let file = values["file"], !file.isEmpty else { throw line.failure("it names no file") }
    guard let length = values["length"] else { throw line.failure("it has no length") }
    let start = try line.seconds((values["start"] ?? "0")[...], "start")
    let seconds = try line.seconds(length[...], "length").seconds
    guard let end = try? start.advanced(by: MediaDuration(seconds: seconds)) else {
      throw line.failure("its end is out of range")
    }
    self.file = file
    range = try line.range(from: start, to: end)
    title = values["title"]
  }
}

extension ListText.Line {
  /// The entries of a line, between semicolons, each with its parameters, between commas.
  fileprivate func mpvEntries() throws(ListError) -> [[(key: String, value: String)]] {
    let positions = ["file", "start", "length"]
    var entries: [[(key: String, value: String)]] = []
    var fields: [(key: String, value: String)] = []
    var rest = text.utf8[...]
    while true {
      if rest.first == UInt8(ascii: "!") {
        throw failure(
          "the header '\(Self.shown(Substring(rest)))' is not something a cut can follow")
      }
      var key: String?
      let name = rest.prefix { (0x61...0x7A).contains($0) || $0 == 0x5F }
      if !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: "=") {
        key = String(Substring(name))
        rest = rest[rest.index(after: name.endIndex)...]
      }
      let value = try mpvValue(&rest)
      guard let key = key ?? (fields.count < positions.count ? positions[fields.count] : nil) else {
        throw failure("it has more than file, start and length without a name")
      }
      fields.append((key, value))
      let separator = rest.popFirst()
      if separator == UInt8(ascii: ",") { continue }
      entries.append(fields)
      fields = []
      // A semicolon may end a line.
      if separator == nil || rest.isEmpty { return entries }
    }
  }

  private func mpvValue(_ rest: inout Substring.UTF8View) throws(ListError) -> String {
    let separators = [UInt8(ascii: ","), UInt8(ascii: ";")]
    guard rest.first == UInt8(ascii: "%") else {
      let value = rest.prefix { !separators.contains($0) }
      rest = rest[value.endIndex...]
      return String(Substring(value))
    }
    let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
    let mark = digits.endIndex
    guard let count = Int(Substring(digits)), mark < rest.endIndex, rest[mark] == 0x25 else {
      throw failure("a value after '%' has no length")
    }
    let bytes = rest[rest.index(after: mark)...].prefix(count)
    guard bytes.count == count, let value = String(validating: bytes, as: UTF8.self),
      bytes.endIndex == rest.endIndex || separators.contains(rest[bytes.endIndex])
    else { throw failure("a value is not as long as its '%\(count)%' has it") }
    rest = rest[bytes.endIndex...]
    return value
  }
}
