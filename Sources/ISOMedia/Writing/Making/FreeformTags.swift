extension ISOMovieBoxes {
  /// Removes the iTunes metadata of a name that is not one of four letters, such as `iTunSMPB`,
  /// which counts the samples of the whole file and is wrong of a part.
  package mutating func removeFreeformTags(named name: String) {
    boxes = boxes.map { $0.withoutFreeformTags(named: name) }
    userData = userData.map { $0.withoutFreeformTags(named: name) }
  }
}

extension ISOTrackBoxes {
  /// Removes the iTunes metadata of a name, as of the file's.
  package mutating func removeFreeformTags(named name: String) {
    boxes = boxes.map { $0.withoutFreeformTags(named: name) }
  }
}

extension ISORawBox {
  /// A `meta` box, or a `udta` with one, without the items of a name.
  fileprivate func withoutFreeformTags(named name: String) -> ISORawBox {
    switch type {
    case "udta": rebuilt(fieldBytes: 0) { $0.withoutFreeformTags(named: name) }
    case "meta":
      rebuilt(fieldBytes: view.fourCC(4) == "hdlr" ? 0 : 4) { $0.withoutFreeformTags(named: name) }
    case "ilst": rebuilt(fieldBytes: 0) { $0.isFreeformTag(name) ? nil : $0 }
    default: self
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
