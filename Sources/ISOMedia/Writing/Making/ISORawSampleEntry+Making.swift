extension ISORawSampleEntry {
  /// The sample entry of chapter titles in a QuickTime text track.
  package static let chapterTitle = ISORawSampleEntry(
    ISORawBox("text") {
      $0.zeros(6)
      $0.u16(1)
      // Display flags and justification, background, text box, font, foreground, no font name.
      $0.zeros(44)
    }, kind: .other)

  /// The sample entry of a timecode track (QuickTime File Format, Timecode Media).
  ///
  /// - Parameters:
  ///   - flags: bit 0 drop frame, bit 1 at most 24 hours, bit 2 negative times, bit 3 a counter.
  ///   - timescale: ticks per second.
  ///   - frameDuration: ticks per frame.
  ///   - framesPerSecond: rounded up.
  package static func timecode(
    flags: UInt32, timescale: UInt32, frameDuration: UInt32, framesPerSecond: UInt8
  ) -> ISORawSampleEntry {
    ISORawSampleEntry(
      ISORawBox("tmcd") {
        $0.zeros(6)
        $0.u16(1)
        $0.u32(0)
        $0.u32(flags)
        $0.u32(timescale)
        $0.u32(frameDuration)
        $0.u8(framesPerSecond)
        $0.u8(0)
      }, kind: .other)
  }

  /// The entry without the pre-skip of its `dOps` (Encapsulation of Opus in ISO Base Media, 4.3.2); unchanged if
  /// it has no such box.
  package var withoutPreSkip: ISORawSampleEntry {
    guard var payload = payload(of: "dOps"), payload.count >= 11 else { return self }
    (payload[2], payload[3]) = (0, 0)
    return (try? replacing(box: "dOps", with: payload)) ?? self
  }

  /// The entry with another decoder configuration in its `esds`: an AudioSpecificConfig, or the
  /// VOL header of MPEG-4 video.
  ///
  /// - Throws: ``ISOWriteError`` when there is no `esds`, or one without a configuration.
  package func replacingDecoderConfiguration(
    with configuration: [UInt8]
  ) throws(ISOWriteError) -> ISORawSampleEntry {
    guard let payload = payload(of: "esds") else {
      throw ISOWriteError(.missingBox, "the sample entry “\(format)” has no “esds” box")
    }
    guard let changed = Descriptor.replacing(configuration, in: payload) else {
      throw ISOWriteError(
        .malformedBox, "the “esds” box of “\(format)” has no decoder configuration")
    }
    return try replacing(box: "esds", with: changed)
  }
}
