import ExactTime
import MediaFacts
import MediaFiles
import Trimming

/// A chunk of a WAV or AIFF that FFmpeg's muxer does not write.
struct AddedChunk: Equatable {
  var type: String
  var content: [UInt8]

  /// Markers and what belongs to them, moved to a cut and clipped; empty where source and output
  /// are not of the same format.
  static func moved(
    _ chunks: SourceChunks, of source: any CutSource, to plan: CutPlan
  ) throws(MediaError) -> [AddedChunk] {
    guard [.wav, .aiff].contains(plan.container),
      let rate = source.facts.tracks.first(where: { $0.kind == .audio })?.audio?.sampleRate,
      rate > 0
    else { return [] }
    let grid = TickGrid(ticksPerSecond: Int64(rate))
    var parts: [Range<Int64>] = []
    do throws(ExactTimeError) {
      for part in plan.parts {
        let start = try grid.tick(of: part.start, rounding: .nearest)
        let length = try grid.ticks(of: part.length, rounding: .nearest)
        parts.append(start..<start + max(0, length))
      }
    } catch {
      throw MediaError.beyondNumbers
    }
    return plan.container == .wav
      ? WaveMarkers(chunks, parts: parts).chunks : AIFFMarkers(chunks, parts: parts).chunks
  }
}
