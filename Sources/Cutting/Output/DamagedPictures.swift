import ExactTime
import MediaFacts
import MediaFiles
import Trimming

extension OutputTrack {
  /// What was damaged in pictures of which others were made: those that decode with errors, and those that do
  /// not decode, in whose place the ones before them are shown.
  func replacedPictures(in source: any CutSource) throws(MediaError) -> [CutDamage] {
    var result: [CutDamage] = []
    var last: Int?
    for (number, packet) in packets.enumerated() {
      guard let kind = packet.fault else { continue }
      let file = source.fileNumber(ofTrack: self.source, packet.place)
      let times: (source: MediaTimeRange, output: MediaTimeRange)
      do throws(ExactTimeError) {
        times = (try sourceTime(of: packet, in: source), try outputTime(of: packet))
      } catch {
        throw MediaError.beyondNumbers
      }
      // Those close together form one section, within a file; packets are in decode order.
      if let before = last, number - before <= 2, let section = result.last,
        section.kind == kind, section.sourceNumber == file
      {
        result[result.count - 1].source = section.source.union(times.source)
        result[result.count - 1].output = section.output.union(times.output)
        result[result.count - 1].packets += 1
      } else {
        let facts = source.tracks[self.source].facts
        var damage = CutDamage(
          track: self.source, id: facts.id, type: facts.kind, codec: facts.codec, kind: kind,
          source: times.source, output: times.output, packets: 1,
          text: kind == .missing
            ? "the decoder outputs no frame: the one before it is shown"
            : "the decoder reports errors", sourceNumber: file)
        damage.isReencoded = true
        result.append(damage)
      }
      last = number
    }
    return result
  }

  private func sourceTime(
    of packet: OutputPacket, in source: any CutSource
  ) throws(ExactTimeError) -> MediaTimeRange {
    let holder = source.holder(ofTrack: self.source, packet.place)
    let coded = holder.source.tracks[self.source].coded
    let own = coded.packets[packet.place - holder.places.lowerBound]
    return try MediaTimeRange(
      from: coded.time(atTick: own.pts), length: coded.grid.duration(ofTicks: max(0, own.duration)))
  }

  private func outputTime(of packet: OutputPacket) throws(ExactTimeError) -> MediaTimeRange {
    try MediaTimeRange(
      from: instant(atTick: packet.pts), length: grid.duration(ofTicks: max(0, packet.duration)))
  }
}
