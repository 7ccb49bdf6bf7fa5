package import ISOMedia
package import MediaFacts

/// Turns errors that the reader recovered from into damage (data is lost) or notes (an oddity).
package enum ISODamage {
  package static func of(_ movie: ISOMovie) -> [Damage] {
    var damage: [Damage] = []
    if let cut = movie.truncation, cut.type != "free", cut.type != "skip" {
      let outside = movie.samplesOutsideFile
      // A box that claims too much loses nothing where every sample is present.
      if outside.count > 0 || movie.isFragmented || cut.type != "mdat" {
        damage.append(
          Damage(
            .truncated, at: movie.byteCount,
            "The file ends at byte \(movie.byteCount), inside its “\(cut.type)” box, which should "
              + "extend to byte \(cut.offset &+ cut.size)."))
      }
    }
    for track in movie.tracks where track.placement.outsideCount > 0 {
      damage.append(
        Damage(
          .missingMedia, at: track.placement.firstOutsideOffset, track: Int(track.id),
          count: Int(exactly: track.placement.outsideCount),
          "\(track.placement.outsideCount) of \(track.sampleCount) samples \(track.placement.outsideCount == 1 ? "is" : "are") outside the file."
        ))
    }
    for problem in movie.problems {
      guard let kind = damageKind(problem.kind) else { continue }
      damage.append(
        Damage(
          kind, at: problem.byteOffset, track: problem.trackID.map { Int($0) },
          count: problem.count.flatMap { Int(exactly: $0) }, sentence(problem.text)))
    }
    return damage
  }

  package static func notes(of movie: ISOMovie) -> [Note] {
    movie.problems.compactMap { problem in
      guard let id = noteID(problem.kind) else { return nil }
      return Note(id, track: problem.trackID.map { Int($0) }, sentence(problem.text))
    }
  }

  private static func damageKind(_ kind: ISOProblem.Kind) -> Damage.Kind? {
    switch kind {
    case .overrunningBox, .malformedBox, .missingBox, .countImpossible, .unplacedSamples,
      .valueOutOfRange, .compressedHeader, .timescaleImpossible:
      .invalidStructure
    case .truncatedBox, .samplesOutsideFile: nil  // Reported once, above, with its consequences.
    default: nil
    }
  }

  private static func noteID(_ kind: ISOProblem.Kind) -> Note.ID? {
    switch kind {
    case .trailingBytes: .trailingBytes
    case .duplicateBox: .duplicateBox
    case .countsDisagree: .sampleCountsDisagree
    case .invalidEntries: .invalidTableEntries
    case .hugeSampleDuration: .hugeSampleDuration
    case .zeroTimescale: .noTimeScale
    case .impossibleDuration: .impossibleDuration
    case .unusualEditRate: .editListRate
    case .externalReference: .externalReference
    case .unknownTrack: .unknownFragmentTrack
    case .limitReached: .limitReached
    case .truncatedBox, .overrunningBox, .malformedBox, .missingBox, .countImpossible,
      .samplesOutsideFile, .unplacedSamples, .valueOutOfRange, .compressedHeader,
      .timescaleImpossible:
      nil
    }
  }

  /// Makes the reader's phrase a sentence, with a capital letter and a period.
  private static func sentence(_ text: String) -> String {
    guard let first = text.first else { return text }
    return first.uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
  }
}
