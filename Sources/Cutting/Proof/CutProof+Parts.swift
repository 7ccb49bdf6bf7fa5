import ExactTime
import ISOMedia
import MediaFiles
import Trimming

extension CutProof {
  /// Checks the audio of several parts: each has an edit that begins and ends on time, in media
  /// without gaps.
  func checkEdits(_ written: any CutSource, _ index: Int) throws(MediaError) {
    let track = tracks[index]
    guard written.isISO, let native = written.native, native.movie.tracks.indices.contains(index),
      let timescale = native.movie.timescale
    else { throw failure("track \(index + 1) has no edit list") }
    let packets = native.tracks[index].coded.packets
    var starts: [Int64] = []
    var next = packets.first?.pts ?? 0
    for packet in track.packets {
      starts.append(next)
      next &+= packet.duration
    }
    if !container.forgetsPackets(of: track.codec(in: source)) {
      for (place, packet) in packets.enumerated() where packet.pts != starts[place] {
        throw failure("packet \(place) of track \(index + 1) plays at the wrong time")
      }
    }
    let edits = native.movie.tracks[index].edits
    var (place, instant) = (0, MediaTime.zero)
    do throws(ExactTimeError) {
      for sound in track.sounds where sound.shown.length.isPositive {
        while place < edits.count, edits[place].isEmpty {
          instant = try instant.advanced(by: edits[place].length(timescale))
          place += 1
        }
        guard place < edits.count, starts.indices.contains(sound.first),
          edits[place].mediaTime == starts[sound.first] &+ sound.hiddenStart,
          try isNear(instant, sound.shown.start)
        else { throw ExactTimeError.notPositive }
        instant = try instant.advanced(by: edits[place].length(timescale))
        guard try isNear(instant, sound.shown.end) else { throw ExactTimeError.notPositive }
        place += 1
      }
    } catch {
      throw failure("the parts of track \(index + 1) play at the wrong times")
    }
  }

  /// Checks uncompressed audio, whose samples a reader may group as it likes: start, duration,
  /// and that there is no gap.
  func checkRun(_ written: any CutSource, _ index: Int) throws(MediaError) {
    let (track, found) = (tracks[index], written.tracks[index].coded)
    guard let first = track.packets.first else { return }
    if track.sounds.count > 1 { return try checkEdits(written, index) }
    if let obstacle = written.tracks[index].obstacle {
      throw failure("track \(index + 1): \(obstacle)", index)
    }
    let isOne = zip(found.packets, found.packets.dropFirst()).allSatisfy {
      $0.pts &+ $0.duration == $1.pts
    }
    let planned = track.packets.reduce(Int64(0)) { $0 &+ $1.duration }
    let length = found.packets.reduce(Int64(0)) { $0 &+ $1.duration }
    let tolerance = MediaDuration(seconds: track.grid.secondsPerTick)
    do throws(ExactTimeError) {
      let expected = try Rational(first.pts).subtracting(track.zero)
        .multiplied(by: track.grid.secondsPerTick).subtracting(shownStart.seconds)
      guard isOne, let begin = found.packets.first,
        try distance(expected, found.time(atTick: begin.pts).seconds) <= tolerance,
        try distance(
          track.grid.duration(ofTicks: planned).seconds,
          found.grid.duration(ofTicks: length).seconds) <= tolerance
      else { throw ExactTimeError.notPositive }
    } catch {
      throw failure("the audio of track \(index + 1) plays at the wrong time", index)
    }
  }

  private func distance(
    _ first: Rational, _ second: Rational
  ) throws(ExactTimeError) -> MediaDuration {
    try MediaDuration(seconds: first.subtracting(second)).checkedMagnitude()
  }

  private func isNear(_ first: MediaTime, _ second: MediaTime) throws(ExactTimeError) -> Bool {
    try first.distance(from: second).checkedMagnitude() <= MediaDuration(1, 10_000)
  }
}

extension ISOEdit {
  fileprivate func length(_ timescale: Int64) throws(ExactTimeError) -> MediaDuration {
    MediaDuration(
      seconds: try Rational(checked: Int128(segmentDuration), over: Int128(timescale)))
  }
}
