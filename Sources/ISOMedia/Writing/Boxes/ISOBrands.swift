/// The `ftyp` box: the brands that a file declares (ISO 14496-12, 4.3).
package struct ISOBrands: Hashable, Sendable {
  package var major: FourCC
  package var minorVersion: UInt32
  package var compatible: [FourCC]

  package init(major: FourCC, minorVersion: UInt32 = 0, compatible: [FourCC]) {
    self.major = major
    self.minorVersion = minorVersion
    self.compatible = compatible
  }

  package static let mp4 = ISOBrands(
    major: "isom", minorVersion: 512, compatible: ["isom", "iso2", "mp41"])
  package static let m4a = ISOBrands(
    major: "M4A ", minorVersion: 512, compatible: ["M4A ", "isom", "iso2"])
  package static let threeGP = ISOBrands(
    major: "3gp6", minorVersion: 256, compatible: ["3gp6", "3gp4", "isom", "iso2"])
  package static let quickTime = ISOBrands(
    major: "qt  ", minorVersion: 512, compatible: ["qt  "])

  /// True for a QuickTime movie, whose handler names, user data and sound descriptions differ.
  package var isQuickTime: Bool { major == "qt  " }

  /// The brands without those that signal segments or fragments.
  var withoutSegmentBrands: ISOBrands {
    var brands = self
    brands.compatible.removeAll { Self.promisesSegments.contains($0) }
    if Self.promisesSegments.contains(major) {
      brands.major = "isom"
      if !brands.compatible.contains("isom") { brands.compatible.append("isom") }
    }
    return brands
  }

  private static let promisesSegments: Set<FourCC> = [
    "dash", "msdh", "msix", "cmfc", "cmf2", "cmff", "cmfs", "cmfl",
  ]

  /// The brands with one that supports a feature, unless a later version is among them.
  func including(_ brand: FourCC, unlessOneOf others: Set<FourCC>) -> ISOBrands {
    guard !isQuickTime, !compatible.contains(brand), others.isDisjoint(with: compatible),
      !others.contains(major), major != brand
    else { return self }
    var brands = self
    brands.compatible.append(brand)
    return brands
  }

  var box: ISORawBox {
    ISORawBox("ftyp") {
      $0.fourCC(major)
      $0.u32(minorVersion)
      for brand in compatible { $0.fourCC(brand) }
    }
  }
}
