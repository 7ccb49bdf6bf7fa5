import Bitstreams
import ExactTime
import Libav
import MediaFacts

/// The encoder for a codec's edges, and its settings: visually lossless, without reordering, so
/// that frames are output in input order.
struct EncoderChoice {
  private let codec: Codec
  var name: String
  var options: [(key: String, value: String)]
  /// Whether parameter sets are delivered separately from the packets.
  var hasGlobalHeader = false
  /// The number of encoder threads, besides the decoder's; each holds dozens of MiB of 1080p
  /// frames.
  var threads: Int32 = 2
  /// Copied pictures are reordered, and the decoder must wait for them from the start.
  var announcesReordering = false
  /// Maximum number of pictures in a GOP.
  let interval: Int
  /// For codecs with one header for all pictures: the encoder must write the source's.
  var header: Encoder.Header?
  /// Bytes per pixel that the encoder allocates at once, where that is a lot.
  var bytesPerPixel: Int?
  /// Whether macroblocks are coded as fields; `nil` follows the stated field order.
  var codesFields: Bool?
  var planes = Encoder.Planes.asDecoded

  /// `nil` for codecs that are only ever copied.
  ///
  /// - Parameter configuration: the source's.
  init?(codec: Codec, video: VideoFacts?, configuration: [UInt8]) {
    let rate = video?.nominalFrameRate ?? video?.averageFrameRate ?? Rational(30)
    // As encoders of MPEG-1 and MPEG-2 do: their players seek to keyframes, and in streams without an index
    // some (VLC) end where they are sent behind the last one.
    let seconds = codec.isMPEG12 ? Rational(1, 2) : Rational(2)
    let interval = (try? rate.multiplied(by: seconds).rounded(.up)) ?? 60
    self.codec = codec
    self.interval = Int(clamping: max(1, interval))
    switch codec {
    case .h264:
      name = "libx264"
      hasGlobalHeader = true
      threads = 1
      let coding = H264Coding(configuration)
      codesFields = coding.codesFields
      planes = coding.isMonochrome ? .luma : .components
      options = [
        // Better than superfast at CRF 17, in two thirds of its time with a quarter more bytes;
        // CRF 18 without macroblock tree (H264Coding) equals 14 with it.
        ("preset", "ultrafast"), coding.quality, ("forced-idr", "1"),
        ("x264-params", coding.parameters),
      ]
    case .hevc:
      name = "libx265"
      hasGlobalHeader = true
      // With several frames in parallel, one may wait forever for another that never starts (seen
      // in x265 4.1, when flushing).
      let parameters = [
        "log-level=none", "bframes=0", "open-gop=0", "scenecut=0", "info=0", "keyint=\(interval)",
        "min-keyint=1", "repeat-headers=0", "frame-threads=1", "weightp=0",
        // Given a number, it does not count processors: in a sandboxed process it finds none, and
        // then codes no rows in parallel, which the source's PPS may require.
        "pools=2",
      ]
      options = [
        ("preset", "veryfast"), ("crf", "12"), ("forced-idr", "1"),
        (
          "x265-params",
          (parameters + HEVCCoding.parameters(configuration)).joined(separator: ":")
        ),
      ]
    case .vp9:
      name = "libvpx-vp9"
      options = [
        ("crf", "10"), ("b", "0"), ("deadline", "good"), ("cpu-used", "4"), ("row-mt", "1"),
        ("lag-in-frames", "0"), ("auto-alt-ref", "0"),
      ]
    case .vp8:
      name = "libvpx"
      options = [
        ("crf", "4"), ("b", "100M"), ("deadline", "good"), ("cpu-used", "2"),
        ("lag-in-frames", "0"), ("auto-alt-ref", "0"), ("qmax", "20"),
      ]
    case .av1 where Self.isForSVT(video):
      name = "libsvtav1"
      options = [
        ("preset", "8"), ("crf", "14"), ("svtav1-params", Self.svtParameters(video)),
      ]
    case .av1:
      name = "libaom-av1"
      options = [
        ("crf", "10"), ("b", "0"), ("cpu-used", "6"), ("lag-in-frames", "0"), ("row-mt", "1"),
      ]
    case .mpeg2Video, .mpeg1Video:
      name = codec.rawValue
      options = [
        ("flags", "+qscale"), ("global_quality", "236"), ("qmin", Self.finestStep(of: codec)),
      ]
      // progressive_sequence is that of the source's first sequence, whatever its frames are: it
      // determines the number of macroblock rows (ISO 13818-2, 6.3.3), and may only change at the
      // end of a sequence.
      codesFields = VideoHeader(mpeg2: configuration[...])?.isProgressive.map { !$0 }
    case .mpeg4:
      name = codec.rawValue
      options = [("flags", "+qscale"), ("global_quality", "236"), ("qmin", "1")]
      // Each of FFmpeg's decoder threads relies on the last header that it read for these.
      let layer = MPEG4Layer(configuration[...])
      if layer?.quantisesByMatrices == true { options.append(("mpeg_quant", "1")) }
      if layer?.hasDataPartitions == true { options.append(("data_partitioning", "1")) }
      // Decoders follow low_delay (ISO 14496-2, 6.3.3), regardless of timestamps.
      announcesReordering = layer?.header.maxReorderFrames != 0
    case .flv1, .wmv1, .h263, .msmpeg4v2, .msmpeg4v3:
      name = Self.encoder(ofH263: codec, video)
      options = [("flags", "+qscale"), ("qmin", Self.finestStep(of: codec))]
    case .wmv2:
      name = codec.rawValue
      options = [("qmin", Self.finestStep(of: codec))]
      header = Encoder.Header(configuration, variants: WMV2Coding.variants(configuration))
    case .theora:
      name = "libtheora"
      options = [("flags", "+qscale"), ("global_quality", "1180")]
    case .ffv1:
      name = codec.rawValue
      options = []
      header = Encoder.Header(configuration, variants: FFV1Coding.variants(configuration))
      bytesPerPixel = FFV1Coding.bytesPerPixel
    case .qtRLE, .zmbv, .flashScreen:
      name = codec.rawValue
      options = []
    default: return nil
    }
    // libtheora outputs nothing for a picture identical to the previous one, unless it is a
    // keyframe.
    options.append(("g", codec == .theora ? "1" : "\(interval)"))
  }

  /// Whether SVT-AV1 can encode it: the Main profile (AV1, A.2) with chroma, at least the size of
  /// a superblock.
  private static func isForSVT(_ video: VideoFacts?) -> Bool {
    guard let video else { return true }
    return ["yuv420p", "yuv420p10le"].contains(video.pixelFormat ?? "yuv420p")
      && min(video.width, video.height) >= 64
  }

  /// Short pyramids without lookahead hold a third fewer pictures at the same quality and speed;
  /// small pictures are as fast with one thread per encoder stage.
  private static func svtParameters(_ video: VideoFacts?) -> String {
    let pixels = video.map { $0.width * $0.height } ?? .max
    return "hierarchical-levels=3:lookahead=0" + (pixels <= 640 * 480 ? ":lp=1" : "")
  }

  /// The minimum quantizer step: with finer steps, a coefficient, whose level is limited (ITU-T
  /// H.263, 5.4.2; ISO 11172-2, 2.4.3.7), cannot represent a hard edge, and pictures lose more
  /// there than they gain elsewhere.
  private static func finestStep(of codec: Codec) -> String {
    switch codec {
    case .h263, .msmpeg4v2, .msmpeg4v3: "5"
    case .wmv1, .wmv2, .mpeg1Video: "3"
    case .flv1: "2"
    default: "1"
    }
  }

  /// The encoder for H.263 and the codecs derived from it, whose GOPs do not depend on the
  /// previous one.
  private static func encoder(ofH263 codec: Codec, _ video: VideoFacts?) -> String {
    switch codec {
    case .flv1: return "flv"
    case .msmpeg4v3: return "msmpeg4"
    case .h263:
      // The five source formats of ITU-T H.263, table 5; others need PLUSPTYPE (5.1.4).
      let formats = [[128, 96], [176, 144], [352, 288], [704, 576], [1408, 1152]]
      return formats.contains([video?.width ?? 0, video?.height ?? 0])
        ? codec.rawValue : "h263p"
    default: return codec.rawValue
    }
  }

  /// The nearest rate that frame_rate_code can express (ISO 13818-2, table 6-4); encoders accept
  /// no other.
  ///
  /// A shorter first frame changes the average rate.
  private static func codedRate(nearest rate: Rational) -> Rational {
    let rates = [
      Rational(24_000, 1001), Rational(24), Rational(25), Rational(30_000, 1001), Rational(30),
      Rational(50), Rational(60_000, 1001), Rational(60),
    ]
    func distance(_ other: Rational) -> Rational {
      let difference = (try? rate.subtracting(other)) ?? rate
      return difference < .zero ? .zero - difference : difference
    }
    return rates.min { distance($0) < distance($1) } ?? rate
  }

  /// MPEG-4 part 2 has at most 65,535 ticks per second (ISO 14496-2, 6.3.3,
  /// vop_time_increment_resolution): an average frame rate may require more.
  private static func countableRate(near rate: Rational) -> Rational {
    let most: Int64 = 65_535
    if rate.numerator <= most, rate.denominator <= most { return rate }
    for scale in [1000, 100, 10, 1] as [Int64] {
      if let ticks = try? rate.multiplied(by: Rational(scale)).rounded(.nearest),
        (1...most).contains(ticks)
      {
        return Rational(ticks, scale)
      }
    }
    return Rational(30)
  }

  func settings(_ video: VideoFacts?) -> Encoder.Settings {
    var rate = video?.nominalFrameRate ?? video?.averageFrameRate ?? Rational(30)
    if codec.isMPEG12 { rate = Self.codedRate(nearest: rate) }
    if codec == .mpeg4 { rate = Self.countableRate(near: rate) }
    let tick = (try? Rational.one.divided(by: rate)) ?? Rational(1, 30)
    var settings = Encoder.Settings(
      name: name, options: options, tick: tick, frameRate: rate,
      hasGlobalHeader: hasGlobalHeader)
    settings.threads = threads
    settings.announcesReordering = announcesReordering
    settings.header = header
    settings.bytesPerPixel = bytesPerPixel
    settings.planes = planes
    settings.isInterlaced =
      codesFields ?? ["tt", "bb", "tb", "bt"].contains(video?.fieldOrder ?? "")
    return settings
  }
}
