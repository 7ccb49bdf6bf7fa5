import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles

/// Audio of an FLV whose codec FFmpeg does not support, read natively, replacing the streams that
/// FFmpeg makes of it.
struct ForeignAudio {
  /// By stream.
  private var sounds: [Int: FLVAudio] = [:]

  /// Replaces what FFmpeg read; `nil` where FFmpeg supports the audio.
  init?(_ file: InputFile, facts: inout MediaFacts, scan: inout FileScan) {
    let places = facts.tracks.indices.filter {
      facts.tracks[$0].kind == .audio && facts.tracks[$0].codec == .unstated
    }
    guard !places.isEmpty else { return nil }
    // Each stream corresponds to one of them, in order.
    let found = FLVAudio.tracks(in: file)
    for (place, sound) in zip(places, found) { put(sound, at: place, &facts, &scan) }
    guard !sounds.isEmpty else { return nil }
    if found.count > places.count {
      facts.notes.append(
        Note(
          .limitReached,
          "It has \(found.count) audio tracks with codecs named by FourCC (Enhanced RTMP); only "
            + "the first \(places.count) of them are reported."))
    }
  }

  private mutating func put(
    _ sound: FLVAudio, at place: Int, _ facts: inout MediaFacts, _ scan: inout FileScan
  ) {
    let index = facts.tracks[place].index
    let id = facts.tracks[place].id
    sounds[index] = sound
    var track = TrackFacts(id: id, index: index, kind: .audio, codec: sound.codec ?? .unstated)
    track.codecTag = sound.codecTag
    let grid = TickGrid(ticksPerSecond: 1000)
    track.grid = grid
    let header = sound.header
    track.audio = AudioFacts(
      sampleRate: header?.sampleRate, channels: header?.channels,
      channelLayout: header?.channelLayout)
    track.profile = header?.profile
    facts.tracks[place] = track
    facts.notes.append(
      Note(
        .soundByName, track: id,
        "Its audio codec is “\(sound.codecTag)” (Enhanced RTMP), which this version of FFmpeg "
          + "does not support in FLV."))
    scan.unfollow(index)
    scan.follow(
      index,
      as: StreamScan(
        isVideo: false, grid: grid, sampleRate: header?.sampleRate.map { Int64($0) },
        mayJump: false))
  }

  /// The streams that FFmpeg makes of them.
  var misread: Set<Int> { Set(sounds.keys) }

  /// Adds them to the scan.
  func add(to scan: inout FileScan) {
    for (index, sound) in sounds.sorted(by: { $0.key < $1.key }) {
      for stamp in sound.stamps { scan.add(stamp, to: index) }
    }
  }
}
