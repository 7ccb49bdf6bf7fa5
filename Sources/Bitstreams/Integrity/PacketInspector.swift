package import MediaFacts

/// Checks the packets of one track for damage that is detectable without decoding.
///
/// Expects the packets in decode order, since parameter sets may be in them.
package struct PacketInspector {
  private enum Rules {
    case h264(H264Inspector)
    case hevc(HEVCInspector)
    case startCodes(StartCodeInspector)
    case vp8, vp9, av1, prores
    case aac(AACInspector)
    case mpegAudio(MPEGAudioInspector)
    case ac3, opus, vorbis, flac, png
    case none
  }

  private var rules: Rules
  /// The fault in the headers outside the packets; `nil` where none is found.
  package let configurationFault: PacketFault?

  /// - Parameters:
  ///   - codec: FFmpeg's short name.
  ///   - configuration: avcC, hvcC, AudioSpecificConfig and the like; empty if there is none.
  package init(codec: Codec, configuration: [UInt8], framing: Framing) {
    configurationFault =
      codec == .av1 ? AV1Inspector.fault(inConfiguration: configuration) : nil
    rules =
      switch codec {
      case .h264: .h264(H264Inspector(configuration: configuration, framing: framing))
      case .hevc: .hevc(HEVCInspector(configuration: configuration, framing: framing))
      case .mpeg1Video, .mpeg2Video: .startCodes(.mpeg2)
      case .mpeg4: .startCodes(.mpeg4)
      case .vp8: .vp8
      case .vp9: .vp9
      case .av1: .av1
      case .prores: .prores
      case .aac: .aac(AACInspector(configuration: configuration))
      case .mp1, .mp2, .mp3: .mpegAudio(MPEGAudioInspector())
      case .ac3, .eac3: .ac3
      case .opus where OpusPacket.isOneStream(configuration): .opus
      case .vorbis: .vorbis
      case .flac: .flac
      case .png: .png
      default: .none
      }
  }

  /// Whether damage is detectable for this codec.
  package var understands: Bool {
    if case .none = rules { return false }
    return true
  }

  /// The fault in the next packet; `nil` where none is found.
  package mutating func fault(in packet: [UInt8]) -> PacketFault? {
    switch rules {
    case .none: return nil
    case .vorbis: return VorbisPacket.fault(in: packet)
    case _ where packet.isEmpty: return .structure("it is empty")
    case .h264(var inspector):
      // Moved out of the enum, or the sets in it would be copied.
      rules = .none
      defer { rules = .h264(inspector) }
      return inspector.fault(in: packet)
    case .hevc(var inspector):
      rules = .none
      defer { rules = .hevc(inspector) }
      return inspector.fault(in: packet)
    case .mpegAudio(var inspector):
      defer { rules = .mpegAudio(inspector) }
      return inspector.fault(in: packet)
    case .startCodes(let inspector): return inspector.fault(in: packet)
    case .aac(var inspector):
      defer { rules = .aac(inspector) }
      return inspector.fault(in: packet)
    case .vp8: return VPxInspector.vp8Fault(in: packet)
    case .vp9: return VPxInspector.vp9Fault(in: packet)
    case .av1: return AV1Inspector.fault(in: packet)
    case .prores: return ProResHeader.fault(in: packet)
    case .ac3: return DolbyInspector.fault(in: packet)
    case .opus: return OpusPacket.fault(in: packet)
    case .flac: return FLACInspector.fault(in: packet)
    case .png: return PNGInspector.fault(in: packet)
    }
  }
}
