import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

extension MadePictures {
  /// Whether they can be made here.
  static var isPossible: Bool {
    EncoderChoice(codec: codec, video: nil, configuration: []).map { Encoder.isAvailable($0.name) }
      ?? false
  }

  /// - Parameter track: whose pictures they show: upright, and as they are otherwise.
  /// - Throws: ``MediaError`` where the encoder rejects such pictures.
  init(like track: SourceTrack, of source: any CutSource) throws(MediaError) {
    let facts = Self.facts(like: track.facts)
    guard let video = facts.video,
      let choice = EncoderChoice(codec: Self.codec, video: video, configuration: [])
    else { throw MediaError.notUnderstood }
    let (sets, parameters): ([UInt8], CodecParameters)
    do throws(LibavError) {
      let black = try PictureFitter(PictureFitter.Target(video))
      try black.makeBlack()
      let encoder = try Encoder(choice.settings(video), matching: black.fitted)
      (sets, parameters) = (encoder.extradata, try encoder.parameters)
    } catch {
      throw MediaError(cutting: error)
    }
    var described = track
    described.facts = facts
    described.parameters = parameters
    let record = try source.withDemuxer { (demuxer) throws(MediaError) in
      ISODescription.configuration(of: described, sets: sets, demuxer)
    }
    guard let record else { throw MediaError.notUnderstood }
    self.init(facts: facts, configuration: record, parameters: parameters)
  }
}

extension PictureFitter.Target {
  /// Frames that are described as a track's.
  init(_ video: VideoFacts) {
    self.init(
      width: video.width, height: video.height,
      sampleAspectRatio: video.sampleAspectRatio ?? .one, pixelFormat: video.pixelFormat)
    primaries = video.colorPrimaries
    transfer = video.colorTransfer
    matrix = video.colorMatrix
    range = video.colorRange
    // The second letter is the field that is shown first.
    if video.isInterlaced { isTopFieldFirst = video.fieldOrder?.hasSuffix("t") }
  }
}
