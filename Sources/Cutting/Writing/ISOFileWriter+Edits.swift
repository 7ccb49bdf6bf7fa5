import ExactTime
import ISOMedia
import Trimming

extension ISOFileWriter {
  /// The edits of a track: when each part is shown, and which part of its media.
  func edits(of track: OutputTrack) throws(ExactTimeError) -> [ISOOutputEdit] {
    if track.sounds.count > 1 { return try edits(ofParts: track) }
    var edits: [ISOOutputEdit] = []
    if track.shown.start > .zero {
      edits.append(.empty(MediaDuration(seconds: track.shown.start.seconds)))
    }
    guard let first = track.packets.first else { return edits }
    let start: Int64
    if let cut = track.audio {
      start = cut.hiddenStart
    } else {
      start = (track.firstShown ?? track.packets.map(\.pts).min() ?? first.pts) - first.dts
    }
    edits.append(ISOOutputEdit(length: track.shown.length, mediaTime: start))
    return edits
  }

  /// Each part of the audio has its own edit, which hides the rest of what its packets hold.
  private func edits(ofParts track: OutputTrack) throws(ExactTimeError) -> [ISOOutputEdit] {
    var edits: [ISOOutputEdit] = []
    var end = MediaTime.zero
    var place = 0
    var mediaTime: Int64 = 0
    for sound in track.sounds {
      while place < sound.first {
        mediaTime &+= track.packets[place].duration
        place += 1
      }
      let start = max(end, sound.shown.start)
      if start > end { edits.append(.empty(try start.distance(from: end))) }
      guard sound.shown.end > start else { continue }
      edits.append(
        ISOOutputEdit(
          length: try sound.shown.end.distance(from: start),
          mediaTime: mediaTime &+ sound.hiddenStart))
      end = sound.shown.end
    }
    return edits
  }
}
