extension ISOBrands {
  /// What kind of file a name promises.
  package enum Family: Sendable, Hashable { case mp4, m4a, threeGP, quickTime }

  /// Those of a file that is rebuilt.
  package init(of family: Family) {
    switch family {
    case .mp4: self = .mp4
    case .m4a: self = .m4a
    case .threeGP: self = .threeGP
    case .quickTime: self = .quickTime
    }
  }

  /// The brands of a file of a kind whose content other brands described.
  ///
  /// Those that go with the kind stay; what they promise besides is kept.
  package func becoming(_ family: Family) -> ISOBrands {
    switch family {
    case .quickTime: return isQuickTime ? self : .quickTime
    case .m4a: return Self.ofSound.contains(major) ? self : taking(.m4a)
    case .threeGP: return isOfTelephones ? self : taking(.threeGP)
    case .mp4: return isQuickTime || isForeign ? taking(.mp4) : self
    }
  }

  private static let ofSound: Set<FourCC> = ["M4A ", "M4B ", "M4P "]

  /// Brands of files with another ending: sound, telephones, Flash.
  private var isForeign: Bool {
    Self.ofSound.contains(major) || major == "f4v " || major == "f4a " || isOfTelephones
  }

  /// 3GPP TS 26.244, 5.3, and 3GPP2 C.S0050, 8.
  private var isOfTelephones: Bool {
    major.rawValue >> 16 == FourCC("3g  ").rawValue >> 16
  }

  private func taking(_ brands: ISOBrands) -> ISOBrands {
    var result = brands
    result.compatible += compatible.filter { $0 != "qt  " && !result.compatible.contains($0) }
    return result
  }
}

extension ISOSourceBoxes {
  /// Makes it the header of a file of another kind.
  ///
  /// Between QuickTime and ISO 14496-12 what they write differently is written as the new one does.
  /// Descriptions of sound are not: their layout differs as a whole.
  package mutating func become(_ family: ISOBrands.Family) {
    let wasQuickTime = movie.isQuickTime
    movie.brands = (movie.brands ?? .quickTime).becoming(family)
    guard wasQuickTime, !movie.isQuickTime else { return }
    movie.boxes = movie.boxes.map(\.withVersion)
    movie.userData = movie.userData.map(\.withVersion)
    for index in tracks.indices { tracks[index].leaveQuickTime() }
  }
}

extension ISOTrackBoxes {
  fileprivate mutating func leaveQuickTime() {
    language = Language.packed(language)
    boxes = boxes.filter { !Self.ofQuickTime.contains($0.type) }.map(\.withVersion)
    informationBoxes = informationBoxes.map { box in
      // A mode of drawing: ISO 14496-12, 12.1.2 knows “copy” alone.
      box.type == "vmhd"
        ? ISORawBox("vmhd", payload: [0, 0, 0, 1] + [UInt8](repeating: 0, count: 8)) : box
    }
    sampleEntries = sampleEntries.map { entry in
      guard entry.kind == .video, let colour = entry.payload(of: "colr"), colour.count >= 10,
        colour.starts(with: "nclc".utf8)
      else { return entry }
      // ISO 14496-12, 12.1.5: the same three numbers, and whether the range is full.
      return entry.setting(box: "colr", to: Array("nclx".utf8) + colour[4..<10] + [0])
    }
  }

  /// Boxes of `trak` that only QuickTime has: apertures and how to load the media.
  private static let ofQuickTime: Set<FourCC> = ["tapt", "load", "clip", "matt", "imap"]
}

extension ISORawBox {
  /// A `meta` box is a full one in ISO 14496-12 (8.11.1), and a plain one in QuickTime.
  fileprivate var withVersion: ISORawBox {
    guard type == "meta", view.fourCC(4) == "hdlr" else { return self }
    return ISORawBox("meta", payload: [0, 0, 0, 0] + payload)
  }
}

extension Language {
  /// The code as letters, for one that may be Macintosh's.
  fileprivate static func packed(_ value: UInt16) -> UInt16 {
    let undetermined: UInt16 = 0x55C4
    guard value < 0x400 || value == 0x7FFF else { return value }
    guard let code = code(value) else { return undetermined }
    return code.utf8.reduce(0) { $0 << 5 | UInt16($1 & 0x1F) }
  }
}
