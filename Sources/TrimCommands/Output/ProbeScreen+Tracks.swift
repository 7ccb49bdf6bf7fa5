import CommandLineKit
import ExactTime
import MediaFacts

extension ProbeScreen {
  func addTracks(to sheet: inout Sheet) {
    guard !facts.tracks.isEmpty else { return }
    sheet.heading("Tracks")
    sheet.table(
      facts.tracks.prefix(Self.mostTracks).map { track in
        [
          .init("\(track.id)", right: true),
          .init(track.isCoverArt ? "cover" : track.kind.rawValue),
          .init(sheet.foreign(track.codec.rawValue, cells: 16)),
          .init(details(of: track, on: sheet)),
        ]
      })
    addRest(facts.tracks.count - Self.mostTracks, to: &sheet)
  }

  private func details(of track: TrackFacts, on sheet: Sheet) -> String {
    var parts: [String] = []
    if track.isEncrypted { parts.append("ENCRYPTED") }
    if let profile = track.profile {
      let level = track.level.map { " level \(sheet.foreign($0, cells: 10))" } ?? ""
      parts.append(sheet.foreign(profile, cells: 30) + level)
    }
    if let video = track.video { parts += videoDetails(video, on: sheet) }
    if let audio = track.audio { parts += audioDetails(audio, of: track, on: sheet) }
    if let rate = track.bitRate { parts.append("\(rate / 1000) kb/s") }
    if let presented = track.durations.presented?.length,
      presented != facts.durations.presented?.length
    {
      parts.append("\(DecimalText.fixed(presented.seconds, places: 3)) s")
    }
    if let timecode = track.timecode {
      parts.append("timecode \(sheet.foreign(timecode, cells: 16))")
    }
    if let language = track.language { parts.append(sheet.foreign(language, cells: 16)) }
    let dispositions = track.dispositions.filter { $0 != "attached_pic" }
    parts += dispositions.prefix(8).map { sheet.foreign($0, cells: 20) }
    if let title = track.title { parts.append("\"\(sheet.foreign(title, cells: 60))\"") }
    return parts.joined(separator: ", ")
  }

  private func videoDetails(_ video: VideoFacts, on sheet: Sheet) -> [String] {
    var parts = ["\(video.width)x\(video.height)"]
    if let ratio = video.sampleAspectRatio, ratio != .one {
      parts.append("pixels \(ratio.numerator):\(ratio.denominator)")
    }
    if video.rotation != 0 { parts.append("rotated \(video.rotation) degrees") }
    if video.isMirrored { parts.append("mirrored") }
    if let rate = frameRate(video) { parts.append(rate) }
    if let order = video.fieldOrder, order != "progressive" {
      parts.append("interlaced (\(sheet.foreign(order, cells: 8)))")
    }
    let names = [video.pixelFormat, video.colorPrimaries, video.colorTransfer]
    for name in names.compactMap({ $0 }).map({ sheet.foreign($0, cells: 20) })
    where !parts.contains(name) {
      parts.append(name)
    }
    parts += lightNames(video)
    return parts
  }

  /// `HDR10+`, `Dolby Vision 8.1`.
  private func lightNames(_ video: VideoFacts) -> [String] {
    var names: [String] = []
    if video.colorTransfer == "smpte2084" {
      let isStated = video.hdr?.masteringDisplay != nil || video.hdr?.contentLight != nil
      names.append(video.hdr?.hasHDR10Plus == true ? "HDR10+" : isStated ? "HDR10" : "PQ")
    } else if video.colorTransfer == "arib-std-b67" {
      names.append("HLG")
    }
    if let vision = video.hdr?.dolbyVision {
      let profile = vision.profile.map { " \($0)" } ?? ""
      let compatibility = vision.compatibility.map { $0 > 0 ? ".\($0)" : "" } ?? ""
      names.append("Dolby Vision" + profile + (profile.isEmpty ? "" : compatibility))
    }
    return names
  }

  /// `29.97 fps (30000/1001)`, `24.1 fps on average, variable`.
  private func frameRate(_ video: VideoFacts) -> String? {
    guard video.isConstantFrameRate != false else {
      let average = video.averageFrameRate.map {
        "\(DecimalText.fixed($0, places: 2)) fps on average, "
      }
      return (average ?? "") + "variable frame rate"
    }
    guard let rate = video.nominalFrameRate ?? video.averageFrameRate else { return nil }
    if rate.denominator == 1 { return "\(rate.numerator) fps" }
    return "\(DecimalText.fixed(rate, places: 2)) fps (\(rate))"
  }

  private func audioDetails(_ audio: AudioFacts, of track: TrackFacts, on sheet: Sheet) -> [String]
  {
    var parts: [String] = []
    if let rate = audio.sampleRate { parts.append("\(rate) Hz") }
    if let layout = audio.channelLayout {
      parts.append(sheet.foreign(layout, cells: 20))
    } else if let channels = audio.channels {
      parts.append(CountText.of(channels, "channel"))
    }
    if let priming = audio.priming, priming > 0 {
      parts.append(track.isPrimedByEncoder ? "priming \(priming)" : "hidden lead \(priming)")
    }
    if let padding = audio.padding, padding > 0 { parts.append("padding \(padding)") }
    return parts
  }

  func addKeyframes(to sheet: inout Sheet) {
    let tracks = facts.tracks.filter { $0.gops != nil || !$0.keyframes.isEmpty }
    guard !tracks.isEmpty else { return }
    sheet.heading("Keyframes")
    for track in tracks.prefix(Self.mostTracks) {
      if let gops = track.gops { sheet.line("track \(track.id): " + summary(gops), indent: 2) }
      guard listsKeyframes else { continue }
      let places = DecimalText.places(tellingApart: track.keyframes.map(\.time.seconds))
      sheet.table(
        track.keyframes.enumerated().map { number, keyframe in
          row(number, keyframe, places, isCounted: track.frameCount != nil)
        })
    }
  }

  /// Adds every frame that is shown, with its exact time and duration.
  func addFrames(to sheet: inout Sheet) {
    guard listsFrames else { return }
    for track in facts.tracks.prefix(Self.mostTracks) where !track.shownFrames.isEmpty {
      sheet.heading("Frames of track \(track.id)")
      let places = DecimalText.places(tellingApart: track.shownFrames.map(\.time.seconds))
      sheet.table(
        track.shownFrames.enumerated().map { number, frame in
          [
            .init("\(number)", right: true),
            .init(DecimalText.clock(frame.time.seconds, places: places), right: true),
            .init("\(frame.time) s", right: true), .init("for \(frame.duration) s"),
          ]
        })
    }
  }

  private func summary(_ gops: GOPFacts) -> String {
    let kinds: String
    switch (gops.openCount, gops.closedCount) {
    case (0, _): kinds = "all closed"
    case (_, 0): kinds = "all open"
    default: kinds = "\(gops.closedCount) closed, \(gops.openCount) open"
    }
    let frames =
      gops.shortestFrames == gops.longestFrames
      ? "\(CountText.of(gops.longestFrames, "frame")) each"
      : "\(gops.shortestFrames) to \(gops.longestFrames) frames"
    let longest = gops.longestLength.map {
      ", the longest \(DecimalText.fixed($0.seconds, places: 3)) s"
    }
    return "\(CountText.of(gops.count, "GOP")), \(kinds), \(frames)\(longest ?? "")"
  }

  private func row(
    _ number: Int, _ keyframe: KeyframeFacts, _ places: Int, isCounted: Bool
  ) -> [Sheet.Cell] {
    let leading = keyframe.leadingFrames
    let kind = String(keyframe.access.rawValue.map { $0 == "_" ? " " : $0 })
    let access = kind + (leading > 0 ? ", \(leading) leading" : "")
    return [
      .init("k\(number + 1)", right: true),
      .init(DecimalText.clock(keyframe.time.seconds, places: places), right: true),
      .init("\(keyframe.time) s", right: true),
      .init(keyframe.frame.map { "frame \($0)" } ?? (isCounted ? "not shown" : "not counted")),
      .init(access),
    ]
  }
}
