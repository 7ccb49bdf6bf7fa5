import Bitstreams
import Libav
import MediaFiles
import Trimming

extension AudioMaking {
  /// Primes a new HE-AAC decoder so that it adds the same noise as one that has decoded from the beginning.
  ///
  /// For each of the 32 time slots of a packet, the noise continues by as many of its 512 values as the
  /// replicated band has subbands (ISO/IEC 14496-3, 4.6.18.7.6), so it repeats after 16 packets, counted
  /// from the track's first header (4.4.2.8). A packet with a header is decoded as often as it takes to get
  /// to the same place, and its sound dropped. A packet whose envelopes do not end where it does counts
  /// for more or less than 32 slots, so one before it is used where possible.
  ///
  /// - Parameters:
  ///   - first: the first packet that is decoded afterwards.
  ///   - lead: the first packet of the part, with the header.
  func alignNoise(
    of decoder: DecoderBox, _ packets: ContiguousArray<CodedPacket>, from first: Int, lead: Int
  ) throws(MediaError) {
    guard first > 0, SBRHeaders.mayBe(in: source.tracks[index].facts),
      try source.soundEntry(ofTrack: index, at: lead).before == lead,
      let begin = try source.soundEntry(ofTrack: index, at: 0).next, begin < first
    else { return }
    var bytes = try source.bytes(ofTrack: index, lead)
    if let fixed = try fixedPacket(before: lead) { bytes = fixed }
    // Never none: without a header, the packet before the lead would add no noise.
    for _ in 0...(first - begin - 1) % Self.noisePeriod {
      while try decoder.send(bytes, packets[lead]) == .full { try drop(decoder) }
      try drop(decoder)
    }
  }

  /// The last packet with a header up to another one, of those that count for 32 slots each.
  private func fixedPacket(before lead: Int) throws(MediaError) -> [UInt8]? {
    var place = lead
    for _ in 0..<Self.noisePeriod {
      let bytes = try source.bytes(ofTrack: index, place)
      if SBRHeaders.isHeaderWithFixedBorders(bytes) { return bytes }
      guard place > 0 else { return nil }
      let earlier = try source.soundEntry(ofTrack: index, at: place - 1).before
      guard earlier < place else { return nil }
      place = earlier
    }
    return nil
  }

  private static let noisePeriod = 16

  private func drop(_ decoder: DecoderBox) throws(MediaError) {
    do throws(LibavError) {
      let sound = try DecodedAudio()
      while true {
        switch decoder.value.receive(into: sound) {
        case .frame, .failed: continue
        case .needsInput, .ended: return
        }
      }
    } catch {
      throw MediaError(cutting: error)
    }
  }
}
