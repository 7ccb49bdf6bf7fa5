import ExactTime
package import MediaFacts

/// Notes on HDR and wide color signaling.
package enum HDRNotes {
  /// The transfer characteristics of a track (code points 16 and 18 of ITU-T H.273), and other
  /// HDR metadata.
  package static func notes(of track: TrackFacts) -> [Note] {
    var notes: [Note] = []
    switch track.video?.colorTransfer {
    case "smpte2084":
      notes.append(
        Note(.hdrPQ, track: track.id, "The picture is HDR with PQ transfer (SMPTE ST 2084)."))
    case "arib-std-b67":
      notes.append(
        Note(.hdrHLG, track: track.id, "The picture is HDR with HLG transfer (ARIB STD-B67)."))
    default: break
    }
    guard let hdr = track.video?.hdr else { return notes }
    if let display = hdr.masteringDisplay {
      let luminance = [display.minimumLuminance, display.maximumLuminance].compactMap {
        $0.map(SecondsText.text)
      }
      notes.append(
        Note(
          .hdrMasteringDisplay, track: track.id,
          "The mastering display is stated (SMPTE ST 2086)"
            + (luminance.count == 2 ? ": \(luminance[0]) to \(luminance[1]) cd/m²." : ".")))
    }
    if let light = hdr.contentLight {
      notes.append(
        Note(
          .hdrContentLight, track: track.id,
          "Its content light levels are stated (CTA-861.3): MaxCLL \(light.maximum), "
            + "MaxFALL \(light.maximumFrameAverage) cd/m²."))
    }
    if hdr.hasHDR10Plus {
      notes.append(
        Note(.hdrDynamic, track: track.id, "The picture is HDR10+ (SMPTE ST 2094-40)."))
    }
    if let vision = hdr.dolbyVision {
      let profile = vision.profile.map { ", profile \($0)" } ?? ""
      let level = vision.level.map { ", level \($0)" } ?? ""
      notes.append(
        Note(
          .hdrDolbyVision, track: track.id,
          "The picture is Dolby Vision\(profile)\(level)."))
    }
    return notes
  }
}
