#if FFmpeg
  import Bitstreams
  import MediaFacts
  import MediaFiles

  /// Turns packets as transport streams and raw streams have them into samples of MP4.
  ///
  /// Units stand behind lengths instead of start codes, parameter sets in the configuration alone
  /// (ISO 14496-15, 5.3.3 and 8.3.3), and AAC loses its ADTS headers (ISO 14496-3, 1.A.3).
  struct ISOFraming {
    /// avcC, hvcC or an AudioSpecificConfig.
    let configuration: [UInt8]
    private let kind: Kind
    /// Sets that the configuration does not have stay in the packets: a decoder takes them from there,
    /// and MP4 gets none of them.
    var keepsChangedSets = false

    private enum Kind {
      case h264(H264Sets, size: Int)
      case hevc(HEVCSets, size: Int)
      case aac
    }

    /// For H.264 and HEVC.
    ///
    /// - Parameters:
    ///   - configuration: the record that describes all sets of the stream.
    ///   - sets: the same, as units behind start codes.
    init?(codec: String, configuration: [UInt8], sets: [UInt8]) {
      guard case .lengthPrefixed(let size) = Framing(codec: codec, configuration: configuration)
      else { return nil }
      self.configuration = configuration
      switch codec {
      case "h264": kind = .h264(H264Sets(configuration: sets), size: size)
      case "hevc": kind = .hevc(HEVCSets(configuration: sets), size: size)
      default: return nil
      }
    }

    /// For AAC, from the header of its first frame; `nil` where there is none, or where it leaves
    /// the channels to the frames.
    init?(adts frame: [UInt8]) {
      guard let header = ADTSHeader(frame), header.channels > 0 else { return nil }
      configuration = header.audioSpecificConfig
      kind = .aac
    }

    /// The parameter sets of a stream behind start codes; empty where there are none.
    ///
    /// Those of its configuration, and those of a packet.
    static func sets(codec: String, _ configuration: [UInt8], _ packet: [UInt8]) -> [UInt8] {
      let units = NALUnits(bytes: packet[...], framing: .annexB)
      switch codec {
      case "h264":
        var sets = H264Sets(configuration: configuration)
        sets.add(units)
        guard !sets.sequenceUnits.isEmpty, !sets.pictureUnits.isEmpty else { return [] }
        return Framing.annexB.pack(sets.sequenceUnits + sets.pictureUnits)
      default:
        var sets = HEVCSets(configuration: configuration)
        sets.add(units)
        let types = [HEVCSets.video, HEVCSets.sequence, HEVCSets.picture]
        guard types.allSatisfy({ sets.units[$0] != nil }) else { return [] }
        return Framing.annexB.pack(sets.all)
      }
    }

    /// A packet as a sample.
    ///
    /// - Throws: ``CutError`` of code `notCuttable` where MP4 cannot have it so.
    func sample(_ bytes: [UInt8]) throws(CutError) -> [UInt8] {
      switch kind {
      case .aac:
        guard let header = ADTSHeader(bytes) else { return bytes }
        guard header.isOneFrame else {
          throw Self.refused("its packets hold several frames of AAC")
        }
        return Array(bytes.dropFirst(header.byteCount))
      case .h264(let sets, let size):
        return try packed(bytes, size) { unit throws(CutError) in
          switch (unit.first ?? 0) & 0x1F {
          case 7 where !sets.sequenceUnits.contains(Array(unit)),
            8 where !sets.pictureUnits.contains(Array(unit)):
            if keepsChangedSets { return true }
            throw Self.refused("its parameter sets change in the middle")
          case 7...9, 12: return false
          default: return true
          }
        }
      case .hevc(let sets, let size):
        return try packed(bytes, size) { unit throws(CutError) in
          let type = HEVCSets.type(of: unit)
          guard (HEVCSets.video...HEVCSets.picture).contains(type) else {
            // Access unit delimiters and filler data.
            return type != 35 && type != 38
          }
          guard sets.units[type]?.contains(Array(unit)) == true else {
            if keepsChangedSets { return true }
            throw Self.refused("its parameter sets change in the middle")
          }
          return false
        }
      }
    }

    private func packed(
      _ bytes: [UInt8], _ size: Int, keeps: (ArraySlice<UInt8>) throws(CutError) -> Bool
    ) throws(CutError) -> [UInt8] {
      var units: [[UInt8]] = []
      for unit in NALUnits(bytes: bytes[...], framing: .annexB) where try keeps(unit) {
        units.append(Array(unit))
      }
      return Framing.lengthPrefixed(size).pack(units)
    }

    private static func refused(_ reason: String) -> CutError {
      CutError(
        .notCuttable, "it cannot be written as MP4: \(reason)",
        hint: "Write .mkv or the source's own container here, or re-encode all of its pictures.")
    }
  }
#endif
