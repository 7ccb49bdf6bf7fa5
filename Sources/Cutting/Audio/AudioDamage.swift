import ExactTime
import MediaFacts
import MediaFiles
import Trimming

/// Finds the packets of re-encoded audio that are damaged in the source.
///
/// Where one does not decode, silence of its length is encoded, so that later sound keeps its time.
struct AudioDamage {
  let source: any CutSource
  /// The index of the track in the source.
  let index: Int
  /// The track counted in samples.
  let coded: CodedTrack

  typealias Entry = DamagedAudio

  /// - Parameters:
  ///   - failed: the packets for which the decoder reported errors.
  ///   - stream: what received all that was decoded.
  func entries(
    in part: AudioPart, failed: Set<Int>, _ stream: SampleStream
  ) throws(MediaError) -> [Entry] {
    var entries: [Entry] = []
    do throws(ExactTimeError) {
      for place in part.cut.copied {
        guard let fault = try fault(of: place, in: part, failed.contains(place), stream),
          let times = try times(of: place, in: part)
        else { continue }
        // Faults close together form one section, as for copied packets.
        if let before = entries.last, before.kind == fault.kind,
          before.isSilenced == fault.isSilenced, place - before.last <= 2
        {
          entries[entries.count - 1].source = before.source.union(times.source)
          entries[entries.count - 1].heard = before.heard.union(times.heard)
          entries[entries.count - 1].packets += 1
          entries[entries.count - 1].last = place
        } else {
          entries.append(
            Entry(
              kind: fault.kind, text: fault.text, isSilenced: fault.isSilenced,
              source: times.source, heard: times.heard, last: place,
              file: source.fileNumber(ofTrack: index, place)))
        }
      }
    } catch {
      throw MediaError.beyondNumbers
    }
    return entries
  }

  private func fault(
    of place: Int, in part: AudioPart, _ hasFailed: Bool, _ stream: SampleStream
  ) throws(ExactTimeError) -> (kind: CutDamage.Kind, text: String, isSilenced: Bool)? {
    let isMarked = source.tracks[index].corrupt.contains(place)
    let heard = try stream.heard(of: coded.packets[place], in: part)
    guard heard.length > 0 else { return nil }
    // Times may be rounded, and sound may end within a packet.
    let isSilent = heard.silent > 0 && heard.silent >= heard.length / 2
    if hasFailed {
      return (
        .decoding, isSilent ? "audio cannot be decoded" : "audio decodes with errors", isSilent
      )
    }
    if isSilent, heard.silent >= heard.packet / 2, !isMute(place) {
      return (.missing, "audio decodes to nothing", true)
    }
    return isMarked ? (.transport, "the container marks it as damaged", false) : nil
  }

  /// Whether nothing is decoded from a packet since it primes an overlap: the first of a file.
  private func isMute(_ place: Int) -> Bool {
    let holder = source.holder(ofTrack: index, place)
    return place == holder.places.lowerBound
      && AudioCodec.mutesFirst(holder.source.tracks[index].facts.codec)
  }

  /// When a packet is heard in the file that holds it, and in the output.
  private func times(
    of place: Int, in part: AudioPart
  ) throws(ExactTimeError) -> (source: MediaTimeRange, heard: MediaTimeRange)? {
    let packet = coded.packets[place]
    let from = max(part.range.start, try coded.time(atTick: packet.pts))
    let to = min(
      part.range.end, try coded.time(atTick: packet.pts &+ max(0, packet.duration)))
    guard let range = MediaTimeRange(from: from, to: to) else { return nil }
    let start = try MediaTime.zero.advanced(by: part.offset)
      .advanced(by: from.distance(from: part.range.start))
    let own = try source.own(range, ofTrack: index, place)
    return (own, try MediaTimeRange(from: start, length: range.checkedLength()))
  }
}
