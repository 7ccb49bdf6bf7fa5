import ISOMedia
import MediaFacts

/// What tells a screen that the picture is brighter or wider than usual.
enum HDRNotes {
  /// The transfer characteristics of a track: code points 16 and 18 of ITU-T H.273.
  static func notes(of track: TrackFacts) -> [Note] {
    switch track.video?.colorTransfer {
    case "smpte2084":
      [Note("hdr-pq", track: track.id, "The picture is HDR with PQ transfer (SMPTE ST 2084).")]
    case "arib-std-b67":
      [Note("hdr-hlg", track: track.id, "The picture is HDR with HLG transfer (ARIB STD-B67).")]
    default: []
    }
  }

  /// What the boxes of a sample entry add.
  static func notes(of track: TrackFacts, _ entry: ISOSampleEntry.Video?) -> [Note] {
    var notes: [Note] = []
    if entry?.hasMasteringDisplay == true {
      notes.append(
        Note(
          "hdr-mastering-display", track: track.id,
          "The display it was mastered on is stated (SMPTE ST 2086)."))
    }
    if entry?.hasContentLightLevel == true {
      notes.append(
        Note(
          "hdr-content-light", track: track.id,
          "Its brightest light levels are stated (CTA-861.3)."))
    }
    if entry?.hasDolbyVision == true {
      notes.append(Note("hdr-dolby-vision", track: track.id, "The picture is Dolby Vision."))
    }
    return notes
  }
}
