import Bitstreams

/// How libx265 must code so that its slices are valid under the source's parameter sets.
enum HEVCCoding {
  /// - Parameter configuration: hvcC, or the source's units in Annex B format.
  static func parameters(_ configuration: [UInt8]) -> [String] {
    let sets = HEVCSets(configuration: configuration)
    guard let sequence = only(sets), isPossible(sequence) else { return ["wpp=0"] }
    let coding = sequence.coding
    // Tools that are optional in a slice header are off, whatever the source's SPS allows.
    var parameters = [
      "ref=1", "no-sao=1", "no-temporal-mvp=1",
      "ctu=\(1 << coding.largestBlock)", "min-cu-size=\(1 << coding.leastBlock)",
      "max-tu-size=\(1 << coding.largestTransform)",
      "tu-inter-depth=\(coding.interDepth + 1)", "tu-intra-depth=\(coding.intraDepth + 1)",
      coding.smoothsStrongly ? "strong-intra-smoothing=1" : "no-strong-intra-smoothing=1",
    ]
    // libx265 has asymmetric partitions only together with rectangular ones.
    parameters += coding.usesAsymmetricParts ? ["rect=1", "amp=1"] : ["no-amp=1"]
    if sequence.ordering.last?.held == 0 { parameters.append("keyint=1") }
    guard let picture = pictures(sets, of: sequence).first?.set else {
      return parameters + ["wpp=0"]
    }
    if sequence.usesScalingLists { parameters.append("scaling-list=default") }
    return parameters + Self.parameters(picture.coding, largestBlock: 1 << coding.largestBlock)
  }

  private static func parameters(
    _ coding: HEVCPPS.Coding, largestBlock: Int
  ) -> [String] {
    var parameters = [
      coding.hidesSigns ? "signhide=1" : "no-signhide=1",
      // libx265 only tries transform skip at a higher RD level than its preset's.
      coding.skipsTransforms ? "tskip=1:rd=3" : "no-tskip=1",
      "constrained-intra=\(coding.constrainsIntra ? 1 : 0)",
      "cbqpoffs=\(coding.blueOffset)", "crqpoffs=\(coding.redOffset)",
      "wpp=\(coding.startsRowsApart ? 1 : 0)",
      "deblock=\(coding.tcOffset),\(coding.betaOffset)",
    ]
    if coding.bypassesTransforms { parameters.append("cu-lossless=1") }
    if let depth = coding.quantiserDepth {
      parameters += ["aq-mode=1", "qg-size=\(max(8, largestBlock >> Int(depth)))"]
    } else {
      parameters += ["aq-mode=0", "no-cutree=1"]
    }
    return parameters
  }

  /// The only SPS of a stream; `nil` where there are several.
  static func only(_ sets: HEVCSets) -> HEVCSPS? {
    guard let units = sets.units[HEVCSets.sequence], units.count == 1 else { return nil }
    return HEVCSPS(units[0])
  }

  /// The PPSs under which an encoder can code.
  static func pictures(
    _ sets: HEVCSets, of sequence: HEVCSPS
  ) -> [(unit: [UInt8], set: HEVCPPS)] {
    // Explicit scaling lists cannot be passed to libx265; without its deblocking filter it may
    // deadlock (seen in 3.5, with parallel rows).
    guard !sequence.hasOwnLists else { return [] }
    return (sets.units[HEVCSets.picture] ?? []).compactMap { unit in
      guard let set = HEVCPPS(unit), !set.isUnusual, set.sequenceID == sequence.id,
        set.coding.mergeLevel == 0, !set.coding.isDeblockingOff
      else { return nil }
      return (unit, set)
    }
  }

  /// Whether libx265 can code under a set.
  static func isPossible(_ sequence: HEVCSPS) -> Bool {
    let coding = sequence.coding
    return !sequence.isUnusual && coding.leastTransform == 2
      && (4...6).contains(coding.largestBlock) && coding.largestTransform <= 5
      && coding.interDepth <= 3 && coding.intraDepth <= 3
  }
}
