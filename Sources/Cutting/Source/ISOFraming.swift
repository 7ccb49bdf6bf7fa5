import Bitstreams
import MediaFacts
import MediaFiles
import Trimming

/// Converts packets of transport streams and raw streams to MP4 samples; AVI uses those of AAC.
///
/// Start codes are replaced by lengths, parameter sets are in the configuration only (ISO
/// 14496-15, 5.3.3 and 8.3.3), and AAC loses its ADTS headers (ISO 14496-3, 1.A.3).
struct ISOFraming {
  /// avcC, hvcC or an AudioSpecificConfig.
  let configuration: [UInt8]
  private let kind: Kind
  /// All sets stay in the samples, as in avc3 and hev1.
  var keepsSets = false

  private enum Kind {
    case pictures(ParameterSets, size: Int)
    case aac
  }

  /// For H.264 and HEVC.
  ///
  /// - Parameters:
  ///   - configuration: the record that describes all sets of the stream.
  ///   - sets: the same, in Annex B format.
  init?(codec: Codec, configuration: [UInt8], sets: [UInt8]) {
    guard case .lengthPrefixed(let size) = Framing(codec: codec, configuration: configuration),
      let sets = ParameterSets(codec: codec, configuration: sets)
    else { return nil }
    self.configuration = configuration
    kind = .pictures(sets, size: size)
  }

  /// For AAC, from the header of its first frame; `nil` if there is none, or if it leaves the
  /// channels to the frames.
  init?(adts frame: [UInt8]) {
    guard let header = ADTSHeader(frame) else { return nil }
    self.init(AudioDescriptions.Run(place: 0, header))
  }

  /// For AAC, from what its packets state; `nil` where they leave the channels to the frames.
  init?(_ run: AudioDescriptions.Run) {
    guard run.channels > 0 else { return nil }
    configuration = run.configuration
    kind = .aac
  }

  /// The parameter sets of a stream in Annex B format; empty if there are none.
  ///
  /// Combines those of its configuration with those of a packet.
  static func sets(codec: Codec, _ configuration: [UInt8], _ packet: [UInt8]) -> [UInt8] {
    var sets = ParameterSets(codec: codec, configuration: configuration)
    sets?.renew(NALUnits(bytes: packet[...], framing: .annexB))
    return sets?.bytes ?? []
  }

  /// Converts a packet to a sample.
  ///
  /// Sets that are not in the configuration stay in the sample, for the decoder.
  ///
  /// - Throws: ``MediaError`` of code `notCuttable` for several frames of AAC in a packet.
  func sample(_ bytes: [UInt8]) throws(MediaError) -> [UInt8] {
    switch kind {
    case .aac:
      guard let header = ADTSHeader(bytes) else { return bytes }
      guard header.isOneFrame else {
        throw MediaError(
          .notCuttable,
          "it cannot be written as MP4 or AVI: its packets hold several AAC frames",
          hint: "Write .mkv or the source's own container, or re-encode the audio.")
      }
      return Array(bytes.dropFirst(header.byteCount))
    case .pictures(let sets, let size):
      let all = NALUnits(bytes: bytes[...], framing: .annexB)
      // A new SPS invalidates the PPSs that refer to it, so all sets of the packet are kept
      // (ITU-T H.265, 7.4.2.4.2).
      let keepsSets = keepsSets || all.contains { sets.isSet($0) && sets.lacks($0) }
      let units = all.filter { sets.isSet($0) ? keepsSets : !sets.isEmpty($0) }
      return Framing.lengthPrefixed(size).pack(units.map(Array.init))
    }
  }

  /// The sets in a sample that the configuration does not have.
  func otherSets(in sample: [UInt8]) -> [ArraySlice<UInt8>] {
    guard case .pictures(let sets, let size) = kind else { return [] }
    return NALUnits(bytes: sample[...], framing: .lengthPrefixed(size)).filter(sets.lacks)
  }

  /// The sets active after some samples, starting from the configuration; `nil` for AAC.
  func sets(behind samples: [[UInt8]]) -> ParameterSets? {
    guard case .pictures(var sets, let size) = kind else { return nil }
    for sample in samples {
      sets.renew(NALUnits(bytes: sample[...], framing: .lengthPrefixed(size)))
    }
    return sets
  }
}
