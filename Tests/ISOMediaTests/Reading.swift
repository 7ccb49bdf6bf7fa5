import ISOMedia
import Support

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
