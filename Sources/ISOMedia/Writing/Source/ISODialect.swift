extension ISOBrands {
  /// The kind of file that a file extension implies.
  package enum Family: Sendable, Hashable { case mp4, m4a, threeGP, quickTime }

  /// The brands of a file that is rebuilt.
  package init(of family: Family) {
    switch family {
    case .mp4: self = .mp4
    case .m4a: self = .m4a
    case .threeGP: self = .threeGP
    case .quickTime: self = .quickTime
    }
  }

  /// The brands of this content in a file of another kind.
  ///
  /// Brands that fit the kind stay; other compatible brands are kept.
  package func becoming(_ family: Family) -> ISOBrands {
    switch family {
    case .quickTime: return isQuickTime ? self : .quickTime
    case .m4a: return Self.ofSound.contains(major) ? self : taking(.m4a)
    case .threeGP: return isOfTelephones ? self : taking(.threeGP)
    case .mp4: return isQuickTime || isForeign ? taking(.mp4) : self
    }
  }

  private static let ofSound: Set<FourCC> = ["M4A ", "M4B ", "M4P "]

  /// Brands of files with other extensions: audio, mobile phones, Flash.
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
  /// Converts the header to that of another kind of file.
  ///
  /// What QuickTime and ISO 14496-12 write differently is written in the new format. Audio sample
  /// entries are not: their layout differs entirely.
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
      // A graphics mode: ISO 14496-12, 12.1.2 has only “copy”.
      box.type == "vmhd"
        ? ISORawBox("vmhd", payload: [0, 0, 0, 1] + [UInt8](repeating: 0, count: 8)) : box
    }
    sampleEntries = sampleEntries.map { entry in
      guard entry.kind == .video, let colour = entry.payload(of: "colr"), colour.count >= 10,
        colour.starts(with: "nclc".utf8)
      else { return entry }
      // ISO 14496-12, 12.1.5: the same three numbers, and the full-range flag.
      return entry.setting(box: "colr", to: Array("nclx".utf8) + colour[4..<10] + [0])
    }
  }

  /// Boxes of `trak` that only QuickTime has: apertures and how to load the media.
  private static let ofQuickTime: Set<FourCC> = ["tapt", "load", "clip", "matt", "imap"]
}

extension ISORawBox {
  /// A `meta` box is a full box in ISO 14496-12 (8.11.1), and a plain one in QuickTime.
  fileprivate var withVersion: ISORawBox {
    guard type == "meta", view.fourCC(4) == "hdlr" else { return self }
    return ISORawBox("meta", payload: [0, 0, 0, 0] + payload)
  }
}

extension Language {
  /// The code as packed letters, from one that may be a Macintosh language code.
  fileprivate static func packed(_ value: UInt16) -> UInt16 {
    let undetermined: UInt16 = 0x55C4
    guard value < 0x400 || value == 0x7FFF else { return value }
    guard let code = code(value) else { return undetermined }
    return code.utf8.reduce(0) { $0 << 5 | UInt16($1 & 0x1F) }
  }
}
