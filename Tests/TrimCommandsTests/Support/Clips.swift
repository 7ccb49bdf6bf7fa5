import ExactTime
import MediaFacts

/// Facts as the engine might find them.
enum Clips {
  /// A valid file of 60.394 s with B-frames, an edit list and primed sound.
  static var good: MediaFacts {
    let length = MediaDuration(30197, 500)
    var facts = MediaFacts(
      container: ContainerFacts(
        format: "mp4", longName: "MPEG-4", brands: ["isom", "iso2", "avc1"], bitRate: 3_192_113),
      depth: .header, byteCount: 24_097_552)
    facts.tracks = [picture(length), sound(length)]
    facts.durations = Durations(
      declared: DurationFact(length: MediaDuration(60417, 1000), source: .containerHeader),
      track: DurationFact(length: MediaDuration(60417, 1000), source: .trackHeader, trackID: 2),
      indexed: DurationFact(length: MediaDuration(60421, 1000), source: .sampleTable, trackID: 2),
      presented: DurationFact(length: length, start: .zero, source: .sampleTable, trackID: 1))
    facts.chapters = [
      ChapterFacts(number: 1, title: "Morning", start: .zero, end: MediaTime(30)),
      ChapterFacts(number: 2, title: nil, start: MediaTime(30), end: MediaTime(30197, 500)),
    ]
    facts.tags = [Tag(key: "title", value: "A walk"), Tag(key: "encoder", value: "Lavf59.27.100")]
    facts.notes = [
      Note(
        .declaredTooLong, "the header says 60.417 s, a player shows 60.394 s"),
      Note(.editListStartOffset, track: 1, "the edit list skips the first 0.067 s"),
    ]
    return facts
  }

  static func picture(_ length: MediaDuration) -> TrackFacts {
    var track = TrackFacts(id: 1, index: 0, kind: .video, codec: "h264")
    track.codecTag = "avc1"
    track.profile = "High"
    track.level = "4.0"
    track.language = "und"
    track.dispositions = ["default"]
    track.grid = TickGrid(ticksPerSecond: 15360)
    track.durations.presented = DurationFact(
      length: length, start: .zero, source: .sampleTable, trackID: 1)
    track.sampleCount = 1812
    track.frameCount = 1812
    var video = VideoFacts(width: 1920, height: 1080)
    video.rotation = 90
    video.pixelFormat = "yuv420p"
    video.bitDepth = 8
    video.colorPrimaries = "bt709"
    video.colorTransfer = "bt709"
    video.nominalFrameRate = Rational(30000, 1001)
    video.isConstantFrameRate = true
    track.video = video
    track.edits = [
      EditFacts(length: length, mediaStart: MediaTime(1024, 15360), rate: .one)
    ]
    track.gops = GOPFacts(
      count: 8, closedCount: 7, openCount: 1, shortestFrames: 62, longestFrames: 250,
      longestLength: MediaDuration(25, 3))
    track.keyframes = [
      KeyframeFacts(frame: 0, time: .zero, access: .idr, byteOffset: 48),
      KeyframeFacts(
        frame: 250, time: MediaTime(25, 3), access: .recoveryPoint, leadingFrames: 2),
    ]
    return track
  }

  /// HDR10+ with Dolby Vision on top, and two frames of different durations.
  static var bright: MediaFacts {
    var facts = lasting(MediaDuration(3, 2))
    var track = picture(MediaDuration(3, 2))
    track.codec = "hevc"
    track.gops = nil
    track.keyframes = []
    track.shownFrames = [
      ShownFrame(time: .zero, duration: MediaDuration(1)),
      ShownFrame(time: MediaTime(1), duration: MediaDuration(1, 2)),
    ]
    track.video?.colorPrimaries = "bt2020"
    track.video?.colorTransfer = "smpte2084"
    var display = HDRFacts.MasteringDisplay()
    display.red = HDRFacts.Chromaticity(x: Rational(177, 250), y: Rational(73, 250))
    display.white = HDRFacts.Chromaticity(x: Rational(3127, 10_000), y: Rational(329, 1000))
    display.minimumLuminance = Rational(1, 200)
    display.maximumLuminance = Rational(1000)
    var hdr = HDRFacts()
    hdr.masteringDisplay = display
    hdr.contentLight = HDRFacts.ContentLight(maximum: 1000, maximumFrameAverage: 400)
    hdr.hasHDR10Plus = true
    hdr.dolbyVision = HDRFacts.DolbyVision(
      profile: 8, level: 6, compatibility: 1, hasEnhancementLayer: false)
    track.video?.hdr = hdr
    facts.tracks = [track]
    return facts
  }

  static func sound(_ length: MediaDuration) -> TrackFacts {
    var track = TrackFacts(id: 2, index: 1, kind: .audio, codec: "aac")
    track.codecTag = "mp4a"
    track.profile = "LC"
    track.language = "eng"
    track.title = "Stereo mix"
    track.grid = TickGrid(ticksPerSecond: 48000)
    track.durations.presented = DurationFact(
      length: MediaDuration(60373, 1000), start: .zero, source: .sampleTable, trackID: 2)
    track.bitRate = 128_000
    track.audio = AudioFacts(sampleRate: 48000, channels: 2, channelLayout: "stereo")
    track.audio?.priming = 1024
    track.audio?.padding = 568
    return track
  }

  /// A file with only a presented length.
  static func lasting(_ length: MediaDuration) -> MediaFacts {
    MediaFacts(
      container: ContainerFacts(format: "wav", longName: "WAV"),
      durations: Durations(
        presented: DurationFact(length: length, start: .zero, source: .packets, trackID: 1)),
      depth: .packets, byteCount: 985)
  }

  /// Truncated in the middle: it has the index, but not all of the media.
  static var truncated: MediaFacts {
    var facts = lasting(MediaDuration(12))
    facts.durations.declared = DurationFact(length: MediaDuration(60), source: .containerHeader)
    facts.damage = [
      Damage(
        .truncated, at: 4096, count: 720, "the file ends where 720 samples should follow")
    ]
    return facts
  }

  /// A file in which every text tries to act on the terminal.
  static var hostile: MediaFacts {
    let escape = "\u{1B}]0;owned\u{07}\u{1B}[2J\u{9B}31m\u{202E}gnp\u{0}\n\u{200B}\u{E0041}"
    var facts = good
    facts.container.longName += escape
    facts.container.brands = [escape]
    facts.tags = [Tag(key: escape, value: String(repeating: escape, count: 5000))]
    facts.chapters = [ChapterFacts(number: 1, title: escape, start: .zero, end: nil)]
    facts.notes = [Note(.startsLate, escape)]
    facts.damage = [Damage(.garbage, escape)]
    facts.tracks[0].codec = Codec(escape)
    facts.tracks[0].profile = escape
    facts.tracks[0].level = escape
    facts.tracks[0].title = escape
    facts.tracks[0].language = escape
    facts.tracks[0].dispositions = [escape]
    facts.tracks[0].timecode = escape
    facts.tracks[0].video?.pixelFormat = escape
    facts.tracks[0].video?.colorPrimaries = escape
    facts.tracks[0].video?.colorTransfer = escape
    facts.tracks[0].video?.fieldOrder = escape
    facts.tracks[1].audio?.channelLayout = escape
    return facts
  }
}
