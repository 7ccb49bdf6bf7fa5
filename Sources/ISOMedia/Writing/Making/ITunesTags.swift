extension ISOMovieBoxes {
  /// Removes the freeform iTunes metadata of a name, such as `iTunSMPB`, which gives sample counts of the
  /// whole file and is wrong for a part of it.
  package mutating func removeFreeformTags(named name: String) {
    boxes = boxes.map { $0.withoutFreeformTags(named: name) }
    userData = userData.map { $0.withoutFreeformTags(named: name) }
  }

  /// Adds tags that the file does not have yet, as freeform metadata, as taggers do.
  package mutating func addFreeformTags(_ tags: [(key: String, value: String)]) {
    var reader = MetadataReader(ISOLimits())
    let list = ISORawBox("udta") { $0.boxes(userData) }
    for box in BoxSequence(ByteView(list.bytes, fileOffset: 0)) { reader.read(box) }
    let known = Set(reader.tags.map { $0.key.lowercased() })
    addItems(
      tags.filter { !known.contains($0.key.lowercased()) }.map { key, value in
        ISORawBox("----") { writer in
          writer.fullBox("mean") { $0.raw("com.apple.iTunes".utf8) }
          writer.fullBox("name") { $0.raw(key.utf8) }
          writer.box("data") {
            // UTF-8, and no locale.
            $0.u32(1)
            $0.u32(0)
            $0.raw(value.utf8)
          }
        }
      })
  }

  /// Adds items to the iTunes tags.
  mutating func addItems(_ items: [ISORawBox]) {
    guard !items.isEmpty else { return }
    if let place = userData.firstIndex(where: { $0.type == "meta" }) {
      userData[place] = userData[place].adding(items)
    } else {
      userData.append(Self.metadata(items))
    }
  }

  private static func metadata(_ items: [ISORawBox]) -> ISORawBox {
    ISORawBox("meta") { writer in
      writer.u32(0)
      writer.fullBox("hdlr") {
        $0.u32(0)
        $0.fourCC("mdir")
        $0.fourCC("appl")
        $0.zeros(9)
      }
      writer.box("ilst") { $0.boxes(items) }
    }
  }
}

extension ISOTrackBoxes {
  /// Removes the freeform iTunes metadata of a name, as for the file.
  package mutating func removeFreeformTags(named name: String) {
    boxes = boxes.map { $0.withoutFreeformTags(named: name) }
  }
}

extension ISORawBox {
  /// A `meta` box, or a `udta` that contains one, without the items of a name.
  fileprivate func withoutFreeformTags(named name: String) -> ISORawBox {
    switch type {
    case "udta": rebuilt(fieldBytes: 0) { $0.withoutFreeformTags(named: name) }
    case "meta":
      rebuilt(fieldBytes: view.fourCC(4) == "hdlr" ? 0 : 4) { $0.withoutFreeformTags(named: name) }
    case "ilst": rebuilt(fieldBytes: 0) { $0.isFreeformTag(name) ? nil : $0 }
    default: self
    }
  }

  /// A `meta` box with items added to its list.
  fileprivate func adding(_ items: [ISORawBox]) -> ISORawBox {
    rebuilt(fieldBytes: view.fourCC(4) == "hdlr" ? 0 : 4) { child in
      guard child.type == "ilst" else { return child }
      return ISORawBox("ilst") {
        $0.raw(child.payload)
        $0.boxes(items)
      }
    }
  }

  private func rebuilt(
    fieldBytes: Int, _ change: (ISORawBox) -> ISORawBox?
  ) -> ISORawBox {
    ISORawBox(type) { writer in
      writer.raw(payload.prefix(fieldBytes))
      for child in BoxSequence(view.slice(from: fieldBytes)) {
        if let kept = change(ISORawBox(child)) { writer.boxes([kept]) }
      }
    }
  }

  private func isFreeformTag(_ name: String) -> Bool {
    type == "----"
      && BoxSequence(view).contains {
        $0.type == "name" && Text.nonEmpty($0.payload.slice(from: 4)) == name
      }
  }
}
