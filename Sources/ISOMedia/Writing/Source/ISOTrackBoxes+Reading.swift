extension ISOTrackBoxes {
  init(_ trak: Box) {
    self.init(id: 0, timescale: 0, handler: "    ")
    for box in trak.children().prefix(ISOSourceBoxes.mostBoxes) {
      switch box.type {
      case "tkhd": readHeader(box)
      case "mdia": readMedia(box)
      case "tref":
        for reference in box.children().prefix(1000) {
          references.append(ISOTrackReference(reference))
        }
      // The edit list is regenerated.
      case "edts", "free", "skip": break
      default: boxes.append(ISORawBox(box))
      }
    }
  }

  private mutating func readHeader(_ box: Box) {
    var fields = box.fields
    let header = fields.fullBoxHeader()
    flags = header.flags
    creationTime = fields.u32or64(version: header.version)
    _ = fields.u32or64(version: header.version)
    id = fields.u32()
    fields.skip(4)
    _ = fields.u32or64(version: header.version)
    fields.skip(8)
    layer = fields.i16()
    alternateGroup = fields.i16()
    volume = fields.u16()
    fields.skip(2)
    let matrix = ISOMatrix(&fields)
    width = fields.u32()
    height = fields.u32()
    if !fields.isShort { self.matrix = matrix }
  }

  private mutating func readMedia(_ mdia: Box) {
    // The handler first: the layout of sample entries depends on it.
    let children = Array(mdia.children().prefix(ISOSourceBoxes.mostBoxes))
    if let box = children.first(where: { $0.type == "hdlr" }) { readHandler(box) }
    for box in children {
      switch box.type {
      case "mdhd": readMediaHeader(box)
      case "minf": readInformation(box)
      case "hdlr", "free", "skip": break
      default: mediaBoxes.append(ISORawBox(box))
      }
    }
  }

  private mutating func readHandler(_ box: Box) {
    handler = box.payload.fourCC(8)
    handlerReserved = box.payload.slice(from: 12, count: 12).bytes
    handlerName = Text.handlerName(box.payload.slice(from: 24)) ?? ""
  }

  private mutating func readMediaHeader(_ box: Box) {
    var fields = box.fields
    let version = fields.fullBoxHeader().version
    mediaCreationTime = fields.u32or64(version: version)
    _ = fields.u32or64(version: version)
    timescale = fields.u32()
    _ = fields.u32or64(version: version)
    let packed = fields.u16()
    quality = fields.u16()
    if !fields.isShort { language = packed }
  }

  private mutating func readInformation(_ minf: Box) {
    for box in minf.children().prefix(ISOSourceBoxes.mostBoxes) {
      switch box.type {
      case "stbl": readTable(box)
      case "free", "skip": break
      default: informationBoxes.append(ISORawBox(box))
      }
    }
  }

  /// Boxes of `stbl` that are rebuilt from the samples of the output.
  private static let rebuilt: Set<FourCC> = [
    "stts", "ctts", "cslg", "stss", "stps", "stsc", "stsz", "stz2", "stco", "co64", "sdtp",
    "free", "skip",
  ]
  private static let mostGroups = 64

  private mutating func readTable(_ stbl: Box) {
    var maps: [Box] = []
    var descriptions: [Box] = []
    for box in stbl.children().prefix(ISOSourceBoxes.mostBoxes) {
      switch box.type {
      case "stsd": readEntries(box)
      case "sbgp": maps.append(box)
      case "sgpd": descriptions.append(box)
      case let type where Self.rebuilt.contains(type): break
      default: if !dropped.contains(box.type) { dropped.append(box.type) }
      }
    }
    for map in maps.prefix(Self.mostGroups) {
      let described = descriptions.first { $0.payload.fourCC(4) == map.payload.fourCC(4) }
      if let group = ISOSourceGroup(map: map, descriptions: described) { groups.append(group) }
    }
    let mapped = Set(maps.map { $0.payload.fourCC(4) })
    for box in descriptions where !mapped.contains(box.payload.fourCC(4)) {
      guard groups.count < Self.mostGroups else { break }
      if let group = ISOSourceGroup(byDefault: box) { groups.append(group) }
    }
  }

  private mutating func readEntries(_ stsd: Box) {
    descriptionVersion = stsd.payload.u8(0)
    let kind = ISORawSampleEntry.Kind(handler: handler, descriptionVersion: descriptionVersion)
    // Flash leaves padding after the entries.
    for box in stsd.children(after: 8).prefix(256) where !box.isPadding {
      sampleEntries.append(ISORawSampleEntry(ISORawBox(box), kind: kind))
    }
  }
}

extension ISOTrackReference {
  fileprivate init(_ box: Box) {
    var fields = box.fields
    var ids: [UInt32] = []
    while fields.remaining >= 4, ids.count < 1000 { ids.append(fields.u32()) }
    self.init(box.type, ids: ids)
  }
}
