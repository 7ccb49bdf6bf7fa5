import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// A plan, or its outcome, as human-readable text.
enum CutScreen {
  static func text(
    _ plan: CutPlan, _ report: CutReport?, output: [UInt8], timecodes: CutTimecodes? = nil,
    frameless: [MediaTimeRange] = [], found: CutFindings? = nil, edges: QuietEdges? = nil,
    sources: [[UInt8]] = [], sidecars: [Sidecars.Written] = [], _ traits: StreamTraits,
    isPlain: Bool
  ) -> String {
    var sheet = Sheet(traits: traits, isPlain: isPlain)
    let length = DecimalText.shortest((report?.length ?? plan.length).seconds)
    let name = sheet.foreign(output)
    if let report {
      sheet.row("\(name): \(length) s, \(ByteCount.text(report.byteCount))", .good)
    } else {
      sheet.row("\(name): would be \(length) s", .strong)
    }
    for (part, asked) in zip(plan.shownParts, plan.request.parts) {
      let source = sources.indices.contains(part.source) ? sources[part.source] : nil
      sheet.row("  " + (source.map { sheet.foreign($0) + " " } ?? "") + line(part, asked, of: plan))
      for track in source == nil ? [] : part.tracks {
        sheet.row("    " + sheet.foreign(line(track, of: plan)))
      }
      if let timecodes, let ends = timecodes.ends(of: part) {
        let whose = timecodes.isOwn ? "the source's own" : "counted from 0: the source has none"
        sheet.row("  timecode \(ends.from) up to \(ends.to), \(whose)")
      }
    }
    for rest in frameless {
      let from = DecimalText.shortest(rest.start.seconds)
      let to = DecimalText.shortest(rest.end.seconds)
      sheet.row("  left out: from \(from) up to \(to), where no frame begins")
    }
    for sentence in found?.sentences ?? [] { sheet.row("  " + sheet.foreign(sentence)) }
    if let edges {
      let count = edges.edges.count { $0.stated != $0.moved }
      sheet.row("  \(CountText.of(count, "edge")) moved to the quietest instant nearby")
    }
    for sentence in found?.found.gaps ?? [] { sheet.row("  " + sheet.foreign(sentence), .bad) }
    if let time = plan.creation, time.isMoved {
      let start = plan.shownParts.first.map { DecimalText.shortest($0.start.seconds) } ?? ""
      sheet.row(
        "  " + sheet.foreign("creation time \(time.written): the source's, and \(start) s later"))
    }
    for track in plan.tracks { sheet.row("  " + sheet.foreign(line(track))) }
    for part in report?.leftOut ?? plan.leftOut ?? [] {
      sheet.row("  " + sheet.foreign(line(part)))
    }
    for sidecar in sidecars {
      sheet.row("  \(sheet.foreign(sidecar.output)): \(sheet.foreign(sidecar.sentence))")
      for lost in sidecar.leftOut { sheet.row("    left out: " + sheet.foreign(lost)) }
    }
    if let damage = report?.damage, !damage.isEmpty {
      sheet.row("  " + sheet.foreign(Self.damage(damage, sources)), .bad)
    }
    return sheet.text
  }

  /// What is written, and what was requested where that differs: the file may end earlier, or
  /// endpoints may have moved to keyframes.
  private static func line(
    _ part: PartPlan, _ request: CutRequest.Part, of plan: CutPlan
  ) -> String {
    func text(_ from: MediaTime, _ to: MediaTime) -> String {
      "\(DecimalText.shortest(from.seconds)) up to \(DecimalText.shortest(to.seconds))"
    }
    let asked = text(part.requested.start, part.requested.end)
    guard let end = try? part.start.advanced(by: part.length) else { return "from " + asked }
    let done = text(part.start, end)
    guard done != asked else { return "from " + asked }
    var reason = ""
    if plan.request.mode == .copy, part.range != part.requested {
      reason = "; the ends moved to keyframes"
    } else if request.beyond != nil {
      reason = "; nothing is shown after"
    } else if let lack = try? part.range.end.distance(from: end), lack.isPositive,
      lack > longestPacket || !plan.tracks.contains(where: Self.endsWithPacket)
    {
      reason = "; nothing is shown after"
    }
    return "from \(done) (requested: \(asked)\(reason))"
  }

  /// What happens to a track of one of several sources.
  private static func line(_ track: PartPlan.Track, of plan: CutPlan) -> String {
    let reported = plan.tracks.first { $0.index == track.source }
    let work = SourceWork(track)
    var text = "\(reported.map { "track \($0.id), \($0.kind.rawValue)" } ?? "track"): "
    text += "\(work.copied) copied"
    if work.encoded > 0 { text += ", \(work.encoded) re-encoded" }
    if let difference = track.difference {
      text += ": its " + difference
    } else if let reported, let reason = track.video?.reason {
      text += "; " + sentence(reason, reported)
    }
    return text
  }

  /// 8192 samples of Vorbis (Vorbis I, 4.2.2) at 44,100 Hz: no common codec has longer packets.
  private static let longestPacket = MediaDuration(8192, 44_100)

  /// Whether the last whole packet in the range may end before OUT while the source continues.
  private static func endsWithPacket(_ track: TrackPlan) -> Bool {
    track.reasons.contains { [.wholePackets, .beginsWithPacket].contains($0) }
  }

  /// One line that lists the times, on the timeline of the source that holds it.
  private static func damage(_ damage: [CutDamage], _ sources: [[UInt8]]) -> String {
    let named = 4
    let places = damage.prefix(named).map { one in
      if one.isCover { return "in a cover" }
      let time = DecimalText.fixed(one.source.start.seconds, places: 3)
      let name = one.sourceNumber.flatMap { sources.indices.contains($0) ? sources[$0] : nil }
      let file = name.map { " of " + String(decoding: $0, as: UTF8.self) } ?? ""
      let fate = one.isSilenced ? ", now silence" : one.isReencoded ? ", re-encoded" : ""
      return "at \(time) s\(file) (\(one.type.rawValue)\(fate))"
    }
    let more = damage.count > named ? " and \(damage.count - named) more" : ""
    let fate = damage.contains { !$0.isSilenced && !$0.isReencoded } ? " was copied" : ""
    return "damage in the source\(fate), " + places.joined(separator: ", ") + more
  }

  private static func line(_ part: LeftOut) -> String {
    var text = "left out: \(part.type) in \(part.place)"
    if part.count > 1 { text += ", \(part.count) of them" }
    if let bytes = part.byteCount { text += ", \(ByteCount.text(bytes))" }
    return text + ": " + part.reason
  }

  private static func line(_ track: TrackPlan) -> String {
    let kind = track.isCover ? "cover" : track.kind.rawValue
    var text = "track \(track.id), \(kind), \(track.codec): "
    if let reason = track.dropped { return text + "dropped: \(reason)" }
    switch track.kind {
    case .video where track.isCover: text += "copied whole"
    case .video:
      let copied = track.packets - track.encoded
      text += "\(CountText.of(track.packets, "frame")), \(copied) copied"
      if track.encoded > 0 {
        text += ", \(track.encoded) re-encoded"
        if copied > 0 { text += " (\(track.encodedHead) before, \(track.encodedTail) after)" }
      }
      if track.hidden > 0 { text += ", \(track.hidden) of them hidden by the edit list" }
    case .audio where track.encodedAs != nil:
      text +=
        "\(CountText.of(track.packets, "packet")), re-encoded as \(track.encodedAs?.rawValue ?? "")"
    case .audio where track.encoded > 0:
      text += "\(CountText.of(track.packets, "packet")), re-encoded"
    case .audio: text += "\(CountText.of(track.packets, "packet")) copied"
    case .attachment: text += "copied whole"
    default:
      text += "\(CountText.of(track.packets, "packet")) clipped to the range"
      if let codec = track.encodedAs { text += ", converted to \(codec)" }
    }
    if track.hiddenLength.isPositive {
      let length = DecimalText.fixed(track.hiddenLength.seconds, places: 3)
      text += ", with \(length) s outside the range hidden"
    }
    if let offset = track.offset, offset != .zero {
      let size = DecimalText.shortest((try? offset.checkedMagnitude().seconds) ?? .zero)
      text += ", plays \(size) s \(offset < .zero ? "early" : "late")"
    }
    for reason in track.reasons { text += "; " + sentence(reason, track) }
    return text
  }

  private static func sentence(_ reason: TrackPlan.Reason, _ track: TrackPlan) -> String {
    // With several parts, the reason applies only to those from which nothing was copied.
    if reason == .noRandomAccessPoint, track.encoded < track.packets {
      return "a part without a keyframe is re-encoded as a whole"
    }
    if reason == .upperBandLater, let time = track.fullBandFrom {
      let text = DecimalText.fixed(time.seconds, places: 3)
      return "its upper band is missing until \(text) s of the source, where the first header for "
        + "it (SBR) comes; --audio reencode keeps it from the start"
    }
    return sentence(reason)
  }

  private static func sentence(_ reason: TrackPlan.Reason) -> String {
    switch reason {
    case .noRandomAccessPoint: "the range has no keyframe from which it could be copied"
    case .askedFor: "as requested"
    case .cannotBeJoined: "its encoding cannot be joined with another"
    case .otherFormat: "pictures of another format are converted to the leading file's"
    case .noPictures: "black is shown for a file without pictures"
    case .soundDiffers: "the files' sound is coded differently"
    case .silenceInserted: "silence is heard where a file has no such track"
    case .endsWithPacket:
      "plays to the end of its last packet, since this container cannot hide part of it"
    case .playersDiffer:
      "players differ: Firefox, mpv and VLC show frames that the edit list hides, and begin early"
    case .fewPackets: "so few packets that some players do not recognize the file"
    case .gapsOrOverlaps: "its packets leave gaps or overlap, which this container cannot express"
    case .exactToTheSample: "losslessly, so that it begins and ends at the exact sample"
    case .codecDoesNotFit: "this container cannot hold the source's codec"
    case .samplesRepacked: "losslessly: every sample in the range is kept"
    case .noEncoder: "there is no encoder for its own codec"
    case .strictRange: "all of it, since its packets contain audio from outside the range"
    case .exactAtTheSeams:
      "as one stream, since copied packets would be late after each seam"
    case .overlapsLeftOut: "packets that overlap those after them in the source are left out"
    case .beginsLate: "since it begins later, which this container cannot express"
    case .openGOPKeyframes:
      "Chromium cannot seek to its keyframes, which are not IDR pictures, here and in the source; "
        + "--mode reencode makes others"
    case .upperBandLater:
      "its upper band is missing, since no packet has the header for it (SBR); --audio reencode "
        + "keeps it"
    case .gapsFilled: "gaps in the source are filled with silence"
    case .beginsWithFrame: "from the start of the frame on screen at the in point"
    case .beginsWithPacket: "from the packet in which the range begins; the end is exact"
    case .captionsNotWritten:
      "captions in its pictures are left out: the codec that these are converted to has no place for them"
    case .alphaNotWritten: "its alpha channel is left out"
    case .fieldOrderNotWritten:
      "interlaced pictures become frames whose field order is not stated: deinterlace before, or when playing"
    case .hdrMetadataNotWritten:
      "the mastering display, light levels or dynamic metadata (HDR) of converted pictures are left out"
    case .secondLayerNotEncoded:
      "re-encoded pictures lose their second layer (another view, or alpha)"
    case .rotationNotWritten:
      "rotation dropped: it cannot be stored in this container; .mp4 and .mov can store it"
    case .timecodeNotWritten:
      "the file's timecode cannot be stored in this container and is left out"
    case .beginsWithNextPacket:
      "from the first packet that begins in the range, since players start with a whole packet; "
        + "the end is exact"
    case .setsInSamples:
      "its parameter sets change and are stored in-band (avc3, hev1), which Apple's players do not "
        + "support"
    case .wholePackets: "cut between packets, since this container cannot hide samples"
    }
  }
}
