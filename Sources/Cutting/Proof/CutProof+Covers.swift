import Bitstreams
import ISOMedia
import Libav
import MediaFacts
import MediaFiles
import Trimming

extension CutProof {
  /// Verifies the cover pictures, which are carried over byte for byte.
  func checkCovers(
    _ written: any CutSource, _ budget: DecodingBudget, _ findings: inout Findings
  ) throws(MediaError) {
    let found = written.facts.tracks.filter(\.isCoverArt)
    guard found.count >= covers.count else {
      throw failure("\(covers.count - found.count) covers of the source are missing")
    }
    // From MP4 to MP4 they are among the boxes that are carried over.
    let carried =
      container.isISO && source.native != nil
      ? source.facts.tracks.filter(\.isCoverArt) : covers.map(\.facts)
    for (place, (facts, track)) in zip(carried, found).enumerated() {
      let isRead = examines || covers.indices.contains(place)
      let picture = isRead ? try written.cover(ofTrack: track.index) : []
      if covers.indices.contains(place), picture != covers[place].picture {
        throw failure("cover \(place + 1) differs from that of the source")
      }
      var inspector = PacketInspector(codec: facts.codec, configuration: [], framing: .annexB)
      var cover = Findings.Cover(facts: facts)
      if examines {
        cover.isInspected = inspector.understands
        if let fault = inspector.fault(in: picture) {
          cover.fault = (CutDamage.Kind(fault.kind), fault.text)
        }
        if budget.coversAll, let decoder = try decoder(of: facts.codec, written) {
          cover.isDecoded = true
          let text = try Self.complaint(of: decoder.value, about: picture)
          if let text, cover.fault == nil { cover.fault = (.decoding, text) }
        }
      }
      findings.add(cover)
    }
  }

  /// `nil` for a picture format that cannot be decoded here.
  private func decoder(
    of codec: Codec, _ written: any CutSource
  ) throws(MediaError) -> DecoderBox? {
    let limits = limits
    do throws(MediaError) {
      return try written.withDemuxer { (demuxer) throws(MediaError) -> DecoderBox? in
        let stream = demuxer.tracks.first { $0.isCoverArt && $0.codec == codec }
        guard let stream else { return nil }
        do throws(LibavError) {
          return DecoderBox(
            try demuxer.decoder(forStream: stream.index, limits: limits.demuxer, log: LibavLog()))
        } catch {
          throw MediaError(cutting: error)
        }
      }
    } catch {
      guard error.code == .codecMissing else { throw error }
      return nil
    }
  }

  /// The error a decoder reports about a picture.
  private static func complaint(
    of decoder: borrowing Decoder, about picture: [UInt8]
  ) throws(MediaError) -> String? {
    do throws(LibavError) {
      _ = try decoder.send(picture, pts: 0, dts: 0, isKey: true)
    } catch {
      throw MediaError(cutting: error)
    }
    decoder.finish()
    var isGiven = false
    while case .frame = decoder.receive() { isGiven = true }
    if decoder.log.errorCount > 0 { return StretchDecoder.words(decoder.log.lastError) }
    return isGiven ? nil : StretchDecoder.words(nil)
  }
}
