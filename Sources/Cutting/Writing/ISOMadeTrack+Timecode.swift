import ExactTime
import ISOMedia

extension ISOMadeTrack {
  /// A track that counts frames from a timecode on (QuickTime File Format, "Timecode Media").
  ///
  /// - Returns: `nil` for a rate that its description cannot express.
  static func timecode(
    from first: Timecode, lasting length: MediaDuration, id: UInt32
  ) throws(ISOWriteError) -> ISOMadeTrack? {
    let rate = first.rate
    guard let frame = Int32(exactly: first.frameNumber),
      let timescale = UInt32(exactly: rate.framesPerSecond.numerator),
      let ticks = UInt32(exactly: rate.framesPerSecond.denominator),
      let labels = UInt8(exactly: rate.labelsPerSecond)
    else { return nil }
    let atMost24Hours: UInt32 = 2
    let entry = ISORawSampleEntry.timecode(
      flags: (rate.isDropFrame ? 1 : 0) | atMost24Hours, timescale: timescale,
      frameDuration: ticks, framesPerSecond: labels)
    return try timecode(
      frame: frame, length: length,
      in: ISOTrackBoxes(
        making: .timecode, id: id, timescale: timescale, sampleEntries: [entry]))
  }
}

extension ISOOutputFile {
  /// Adds a timecode track after the others; the video track at an index refers to it.
  mutating func add(_ timecode: ISOMadeTrack, of place: Int) {
    tracks.append(timecode.track)
    tracks[place].boxes.references.removeAll { $0.type == "tmcd" }
    tracks[place].boxes.references.append(
      ISOTrackReference("tmcd", ids: [timecode.track.boxes.id]))
  }
}
