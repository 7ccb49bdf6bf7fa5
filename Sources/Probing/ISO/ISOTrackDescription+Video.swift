package import Bitstreams
import ExactTime
package import ISOMedia
package import MediaFacts

extension ISOTrackDescription {
  /// Size, aspect ratio and color: the container takes precedence over the codec's header, as in
  /// players.
  package static func video(
    _ entry: ISOSampleEntry.Video, _ description: ISOSampleEntry, _ track: ISOTrack,
    _ facts: inout TrackFacts
  ) -> VideoFacts {
    var video = VideoFacts(width: entry.width, height: entry.height)
    video.sampleAspectRatio = entry.sampleAspectRatio
    video.rotation = track.orientation.degreesClockwise
    video.isMirrored = track.orientation.isMirrored
    if let color = entry.color {
      video.colorPrimaries = CodePoints.primaries(Int(color.primaries))
      video.colorTransfer = CodePoints.transfer(Int(color.transfer))
      video.colorMatrix = CodePoints.matrix(Int(color.matrix))
      video.colorRange = color.isFullRange.map { $0 ? "pc" : "tv" }
    }
    let light = lightFacts(of: description)
    video.hdr = light.isEmpty ? nil : light
    if let fields = entry.fields { video.fieldOrder = fieldOrder(fields) }
    if let header = videoHeader(of: description, codec: facts.codec) {
      complete(&video, with: header)
      facts.profile = header.profile
      facts.level = header.level
    }
    if facts.codec == .prores { facts.profile = proResProfile(description.codec) }
    return video
  }

  /// The HDR metadata in the boxes of a sample entry; `SmDm` and `CoLL` are full boxes.
  private static func lightFacts(of entry: ISOSampleEntry) -> HDRFacts {
    var facts = HDRFacts()
    facts.masteringDisplay =
      entry.configuration("mdcv").flatMap { HDRReader.masteringDisplay($0[...]) }
      ?? entry.configuration("SmDm").flatMap {
        HDRReader.masteringDisplay(fixed: $0.dropFirst(4))
      }
    facts.contentLight =
      entry.configuration("clli").flatMap { HDRReader.contentLight($0[...]) }
      ?? entry.configuration("CoLL").flatMap { HDRReader.contentLight($0.dropFirst(4)) }
    let types: [FourCC] = ["dvcC", "dvvC", "dvwC"]
    facts.dolbyVision = types.lazy.compactMap { entry.configuration($0) }.first
      .flatMap { HDRReader.dolbyVision($0[...]) }
    if let configuration = entry.configuration("hvcC") {
      facts.complete(with: HDRReader.facts(hvcC: configuration))
    }
    return facts
  }

  private static func videoHeader(of entry: ISOSampleEntry, codec: Codec) -> VideoHeader? {
    let types: [FourCC] = ["avcC", "hvcC", "av1C", "vpcC"]
    for type in types {
      if let bytes = entry.configuration(type) {
        return VideoHeader(codec: codec, configuration: bytes)
      }
    }
    guard let stream = entry.elementaryStream else { return nil }
    return VideoHeader(codec: codec, configuration: stream.decoderConfiguration)
  }

  /// True where the first sample may state more than the headers did.
  package static func isIncomplete(_ facts: TrackFacts, _ track: ISOTrack) -> Bool {
    guard let video = facts.video else { return false }
    return video.pixelFormat == nil || (video.fieldOrder == nil && facts.codec == .h264)
      || track.firstEntry.map { statesNoSize($0, facts.codec) } == true
  }

  /// True for codecs whose size is stated in frames, not in the configuration.
  private static func statesNoSize(_ entry: ISOSampleEntry, _ codec: Codec) -> Bool {
    codec.isOne(of: .vp8, .vp9, .av1) && videoHeader(of: entry, codec: codec)?.width == nil
  }

  /// Fills in what the configuration left open from the headers before the first picture.
  package static func complete(
    _ facts: inout TrackFacts, _ entry: ISOSampleEntry, firstSample sample: ArraySlice<UInt8>,
    framing: Framing
  ) {
    guard var video = facts.video else { return }
    let configured = videoHeader(of: entry, codec: facts.codec)
    if facts.codec == .prores {
      let header = ProResHeader(sample)
      video.pixelFormat = header?.pixelFormat
      video.bitDepth = header?.bitDepth
    } else if let header = configured
      ?? VideoHeader(codec: facts.codec, firstSample: sample, framing: framing)
    {
      complete(&video, with: header)
      if statesNoSize(entry, facts.codec),
        let own = VideoHeader(codec: facts.codec, firstSample: sample, framing: framing),
        let width = own.width, let height = own.height, width > 0, height > 0
      {
        (video.width, video.height) = (width, height)
      }
      facts.profile = facts.profile ?? header.profile
      facts.level = facts.level ?? header.level
      video.fieldOrder =
        video.fieldOrder ?? header.fieldOrder(ofFirstSample: sample, framing: framing)
    }
    facts.video = video
  }

  /// Fills in what the container leaves open.
  private static func complete(_ video: inout VideoFacts, with header: VideoHeader) {
    video.pixelFormat = header.pixelFormat
    video.bitDepth = header.bitDepth
    if let width = header.width, let height = header.height {
      video.width = width
      video.height = height
    }
    video.sampleAspectRatio = video.sampleAspectRatio ?? header.sampleAspectRatio
    video.colorPrimaries =
      video.colorPrimaries ?? header.color.primaries.flatMap(CodePoints.primaries)
    video.colorTransfer = video.colorTransfer ?? header.color.transfer.flatMap(CodePoints.transfer)
    video.colorMatrix = video.colorMatrix ?? header.color.matrix.flatMap(CodePoints.matrix)
    // The color range is part of the coded samples: a decoder follows its own header.
    video.colorRange = header.isFullRange.map { $0 ? "pc" : "tv" } ?? video.colorRange
    video.fieldOrder = video.fieldOrder ?? (header.isProgressive == true ? "progressive" : nil)
    video.nominalFrameRate = header.frameRate
  }

  private static func proResProfile(_ format: FourCC) -> String? {
    switch format {
    case "apco": "Proxy"
    case "apcs": "LT"
    case "apcn": "Standard"
    case "apch": "HQ"
    case "ap4h": "4444"
    case "ap4x": "XQ"
    default: nil
    }
  }

  /// QuickTime File Format, "Field Handling": the order in time and the order in memory.
  private static func fieldOrder(_ fields: ISOSampleEntry.Fields) -> String? {
    guard fields.count == 2 else { return fields.count == 1 ? "progressive" : nil }
    switch fields.order {
    case 1: return "tt"
    case 6: return "bb"
    case 9: return "tb"
    case 14: return "bt"
    default: return nil
    }
  }
}
