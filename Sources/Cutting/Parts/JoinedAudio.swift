import ExactTime
import MediaFacts
import MediaFiles
import Trimming

/// Re-encodes the audio of several parts as one stream: parts need not begin or end with a
/// packet.
struct JoinedAudio {
  let source: any CutSource
  let plan: CutPlan
  let spool: PayloadSpool
  let limits: Limits
  let meter: WorkMeter

  func tracks() throws(MediaError) -> [OutputTrack] {
    let encoded = plan.parts.flatMap(\.tracks).filter(\.encodesSound)
    var tracks: [OutputTrack] = []
    for index in Set(encoded.map(\.source)).sorted() {
      let facts = source.tracks[index].facts
      let codec = encoded.first { $0.source == index }?.soundCodec
      do throws(MediaError) {
        tracks.append(try track(index, .required(for: facts, as: codec, in: plan)))
      } catch {
        throw error.naming(source.tracks[index])
      }
    }
    return tracks
  }

  private func track(_ index: Int, _ coding: AudioCoding) throws(MediaError) -> OutputTrack {
    let parts: [AudioPart]
    do throws(ExactTimeError) {
      parts = try self.parts(of: index)
    } catch {
      throw MediaError.beyondNumbers
    }
    let making = AudioMaking(
      source: source, index: index, spool: spool, limits: limits,
      isCancelled: meter.isStopped, meter: meter,
      measuresBand: plan.measuresBand(of: source.tracks[index].facts))
    let result = try making.make(parts, coding)
    do throws(ExactTimeError) {
      let length = try result.sound.grid.duration(
        ofTicks: result.heardCount(in: plan.container))
      var track = OutputTrack(
        source: index, audio: AudioCut(), zero: .zero, grid: result.sound.grid,
        shown: try MediaTimeRange(from: .zero, length: length))
      track.take(result)
      return track
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  /// What is heard of a track in each part: silence where it has none.
  private func parts(of index: Int) throws(ExactTimeError) -> [AudioPart] {
    var parts: [AudioPart] = []
    var offset = MediaDuration.zero
    for part in plan.parts {
      var cut = part.tracks.first { $0.source == index }?.audio ?? AudioCut()
      var range = try MediaTimeRange(from: part.start, length: part.length)
      range = try source.moved(range, of: part.source)
      let first = source.place(0, ofTrack: index, in: part.source)
      cut.copied = cut.copied.lowerBound + first..<cut.copied.upperBound + first
      parts.append(AudioPart(cut: cut, range: range, offset: offset))
      offset = try offset.adding(part.length)
    }
    return parts
  }
}

extension OutputTrack {
  /// Adopts re-encoded audio.
  mutating func take(_ result: AudioMaking.Result) {
    packets = result.packets
    made = result.sound
    grid = result.sound.grid
    audio?.hiddenStart = result.hiddenStart
    audio?.hiddenEnd = result.hiddenEnd
  }
}
