import CFFmpeg

/// The memory layout of samples.
struct SampleLayout: Equatable {
  enum Kind: Equatable { case unsigned8, signed16, signed32, signed64, float, double }

  var kind: Kind
  var isPlanar: Bool

  private init(kind: Kind, isPlanar: Bool) {
    self.kind = kind
    self.isPlanar = isPlanar
  }

  static let planarFloat = SampleLayout(kind: .float, isPlanar: true)

  init?(_ format: Int32) {
    switch AVSampleFormat(format) {
    case AV_SAMPLE_FMT_U8: (kind, isPlanar) = (.unsigned8, false)
    case AV_SAMPLE_FMT_U8P: (kind, isPlanar) = (.unsigned8, true)
    case AV_SAMPLE_FMT_S16: (kind, isPlanar) = (.signed16, false)
    case AV_SAMPLE_FMT_S16P: (kind, isPlanar) = (.signed16, true)
    case AV_SAMPLE_FMT_S32: (kind, isPlanar) = (.signed32, false)
    case AV_SAMPLE_FMT_S32P: (kind, isPlanar) = (.signed32, true)
    case AV_SAMPLE_FMT_S64: (kind, isPlanar) = (.signed64, false)
    case AV_SAMPLE_FMT_S64P: (kind, isPlanar) = (.signed64, true)
    case AV_SAMPLE_FMT_FLT: (kind, isPlanar) = (.float, false)
    case AV_SAMPLE_FMT_FLTP: (kind, isPlanar) = (.float, true)
    case AV_SAMPLE_FMT_DBL: (kind, isPlanar) = (.double, false)
    case AV_SAMPLE_FMT_DBLP: (kind, isPlanar) = (.double, true)
    default: return nil
    }
  }

  /// The size in bytes of a sample of one channel.
  var width: Int {
    switch kind {
    case .unsigned8: 1
    case .signed16: 2
    case .signed32, .float: 4
    case .signed64, .double: 8
    }
  }

  var silence: UInt8 { kind == .unsigned8 ? 0x80 : 0 }
}
