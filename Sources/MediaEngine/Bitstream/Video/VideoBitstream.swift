/// The coded form of one video track: its headers, and what each of its samples is.
///
/// Made from the codec configuration as an MP4 box or FFmpeg's extradata holds it, and fed with
/// samples: the first few kilobytes of one are enough. No bytes make it fail; what they do not
/// tell stays `nil`.
struct VideoBitstream: Sendable {
  private var reader: any CodedVideoReader
  /// Every header that was met, each once, in order: more than one where size or format change.
  private(set) var headers: [VideoHeader] = []

  /// A change with every picture would be an attack.
  private static let mostHeaders = 64

  /// - Parameters:
  ///   - codec: FFmpeg's name, `h264`.
  ///   - configuration: the payload of `avcC`, `hvcC`, `av1C`, `vpcC`, the decoder-specific
  ///     information of `esds`, or extradata in the codec's own form; empty when there is none.
  /// - Returns: `nil` for a codec whose samples are not read here.
  init?(codec: String, configuration: [UInt8]) {
    switch codec {
    case "h264": reader = H264Reader(configuration: configuration)
    case "hevc": reader = HEVCReader(configuration: configuration)
    default: return nil
    }
    noteHeader()
  }

  /// The active header; `nil` when neither the configuration nor a sample held one.
  var header: VideoHeader? { reader.header }

  /// What a sample is; `nil` where its bytes hold no picture that can be told.
  ///
  /// Headers inside the sample are taken over, as a decoder does.
  mutating func picture(in sample: [UInt8]) -> CodedPicture? {
    let picture = reader.picture(in: sample[...])
    noteHeader()
    return picture
  }

  private mutating func noteHeader() {
    guard let header, header != headers.last, headers.count < Self.mostHeaders,
      !headers.contains(header)
    else { return }
    headers.append(header)
  }
}

/// A codec's own way of writing headers and pictures.
protocol CodedVideoReader: Sendable {
  /// What the active sequence header says; `nil` before one was met.
  var header: VideoHeader? { get }

  /// Reads a sample, taking over the headers in it.
  mutating func picture(in sample: ArraySlice<UInt8>) -> CodedPicture?
}
