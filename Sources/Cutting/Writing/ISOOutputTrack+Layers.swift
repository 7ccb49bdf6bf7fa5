import ISOMedia

extension ISOOutputTrack {
  /// Removes the boxes that declare a second layer: no sample has one once all pictures are
  /// re-encoded.
  ///
  /// The layer's configuration (ISO/IEC 14496-15, 9.5.3) and the groups that describe layers
  /// (9.6), and Apple's stereo views; the field of view (`hfov`) stays true.
  mutating func leaveSecondLayer() {
    boxes.sampleEntries = boxes.sampleEntries.map { entry in
      Self.ofLayers.reduce(entry) { $0.removing(box: $1) }
    }
    boxes.groups.removeAll { ["oinf", "linf", "trif"].contains($0.type) }
  }

  private static let ofLayers: [FourCC] = ["lhvC", "vexu", "stri"]
}
