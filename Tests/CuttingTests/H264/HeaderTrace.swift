import Support

/// The headers of a raw stream as FFmpeg's `trace_headers`, an independent parser, reports them.
struct HeaderTrace {
  struct Element {
    /// In bits from the beginning of the unit.
    var position: Int
    var bitCount: Int
    var value: Int
  }

  /// One unit.
  struct Unit {
    var title: String
    var elements: [(name: String, element: Element)] = []

    subscript(name: String) -> Element? { elements.first { $0.name == name }?.element }

    func value(_ name: String) -> Int { self[name]?.value ?? 0 }

    /// The position of the first of some elements.
    func position(of names: String...) -> Int? {
      elements.first { names.contains($0.name) }?.element.position
    }

    /// The position after the last element of the header.
    var end: Int {
      let last = elements.last { $0.name != "cabac_alignment_one_bit" }?.element
      return (last?.position ?? 0) + (last?.bitCount ?? 0)
    }
  }

  var units: [Unit] = []

  init(ofRawStream path: String) async throws {
    let run = try await EncodedClip.ffmpeg([
      "-i", path, "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-",
    ])
    for line in run.errText.split(separator: "\n") {
      guard line.hasPrefix("[trace_headers"), let end = line.firstIndex(of: "]") else { continue }
      let text = line[line.index(after: end)...].drop { $0 == " " }
      let words = text.split(separator: " ")
      if words.count == 5, words[3] == "=", let position = Int(words[0]),
        let value = Int(words[4]), !units.isEmpty
      {
        // Padding to a whole byte is not part of the header.
        guard !words[1].hasPrefix("rbsp_") else { continue }
        let element = Element(position: position, bitCount: words[2].count, value: value)
        units[units.count - 1].elements.append((String(words[1]), element))
      } else if !text.hasPrefix("Packet") {
        units.append(Unit(title: String(text)))
      }
    }
  }

  func all(_ title: String) -> [Unit] { units.filter { $0.title == title } }
}
