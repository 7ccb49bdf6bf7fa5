import ExactTime
import ISOMedia
import MediaFiles
import Trimming

extension CutAssembly {
  /// The number of the first frame that is shown, and the numbers to which the source's samples
  /// reset it within the part (QuickTime File Format, timecode media).
  func timecode(
    _ code: (samples: [ISOTimecode.Sample], length: MediaDuration), _ planned: PartPlan.Track
  ) throws(MediaError) -> ContiguousArray<OutputPacket> {
    let coded = source.tracks[planned.source].coded
    do {
      // The timecode that applies when the part begins.
      let reached = try part.start.advanced(by: TimecodeClock.tolerance)
      var packets: ContiguousArray<OutputPacket> = []
      for sample in code.samples {
        let begin = try coded.time(atTick: sample.tick)
        // Before the first sample, timecodes are counted back.
        if packets.isEmpty || begin <= reached {
          let frames = try reached.distance(from: begin).seconds
            .divided(by: code.length.seconds).rounded(.down)
          packets = [try timecode(sample.frame + frames, at: 0)]
        } else {
          guard begin < part.range.end else { break }
          let tick = try coded.grid.ticks(
            of: begin.distance(from: part.start), rounding: .nearest)
          packets.append(try timecode(sample.frame, at: tick))
        }
      }
      let end = try coded.grid.ticks(of: planned.outputRange.length, rounding: .up)
      for place in packets.indices {
        let next = place + 1 < packets.count ? packets[place + 1].pts : end
        packets[place].duration = max(0, next - packets[place].pts)
      }
      return packets
    } catch let error as MediaError {
      throw error
    } catch {
      throw MediaError.beyondNumbers
    }
  }

  private func timecode(_ frame: Int64, at tick: Int64) throws(MediaError) -> OutputPacket {
    let number = Int32(clamping: frame)
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    return OutputPacket(
      pts: tick, dts: tick, duration: 0, isKey: true, byteCount: 4,
      payload: .made(try spool.add(bytes)), place: 0)
  }
}
