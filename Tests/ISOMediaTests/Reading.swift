import Support

@testable import ISOMedia

extension ClipBuilder {
  /// This file written and read again.
  func read(limits: ISOLimits = ISOLimits()) throws -> ISOMovie {
    try ISOMovie(reading: InMemoryBytes(bytes), limits: limits)
  }

  /// The default file with changes to its only track.
  static func with(_ change: (inout Track) -> Void) -> ClipBuilder {
    var clip = ClipBuilder()
    change(&clip.tracks[0])
    return clip
  }
}

extension ISOMovie {
  var problemKinds: Set<ISOProblem.Kind> { Set(problems.map(\.kind)) }
}

extension ISOSampleTable {
  var allDecodeTimes: [Int64] { (0..<count).map { decodeTimes[$0] } }
  var allPresentationTimes: [Int64] { (0..<count).map { presentationTime($0) } }
  var allDurations: [UInt32] { (0..<count).map { durations[$0] } }
  var allSizes: [UInt32] { (0..<count).map { sizes[$0] } }
  var allSyncIndices: [Int] { (0..<count).filter { isSync($0) } }
}

extension ISOSampleGroup {
  /// The roll distance of a sample, counted from 0, from `roll` and `prol`; `nil` if it is in no group.
  func rollDistance(ofSample index: Int) -> Int16? {
    guard let run = runs.first(where: { $0.end > index }), run.entry > 0,
      run.entry <= entries.count, case let entry = entries[Int(run.entry) - 1], entry.count >= 2
    else { return nil }
    return Int16(bitPattern: UInt16(entry[0]) << 8 | UInt16(entry[1]))
  }
}

extension ISOTrack {
  /// The types of all sample groups that `moov` describes.
  var sampleGroupTypes: [FourCC] {
    tables.groups.filter { $0.type == "sbgp" }.map { $0.payload.fourCC(4) }
  }
}
