import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// Creates the pictures of a source whose format is not that of the leading one: decoded, fitted and
/// encoded as the leading source's edges are; or black ones.
struct RefitAssembly {
  let source: RefittedSource
  let index: Int
  let choice: EncoderChoice
  let spool: PayloadSpool
  let limits: Limits
  let isCancelled: @Sendable () -> Bool
  var meter: WorkMeter?

  private var described: SourceTrack { source.leader.tracks[index] }

  /// The pictures in display order, not yet with decoding times.
  ///
  /// - Parameter losesCaptions: becomes true where they have captions that the codec has no place for.
  func packets(
    _ cut: VideoCut, _ joiner: inout any EdgeJoiner, losesCaptions: inout Bool
  ) throws(MediaError) -> ContiguousArray<OutputPacket> {
    let coded = source.tracks[index].coded.packets
    let places = cut.tail.sorted { coded[$0].pts < coded[$1].pts }
    var made: ContiguousArray<OutputPacket> = []
    let (codec, framing) = (described.facts.codec, described.framing)
    func add(
      _ picture: EdgeEncoder.Picture, _ configuration: [UInt8]
    ) throws(MediaError) {
      if isCancelled() { throw MediaError.cancelled }
      let isKey = made.isEmpty || picture.packet.isKey
      meter?.didEncodeFrame(ofTrack: index)
      var bytes = try joiner.encoded(
        picture.packet.bytes, configuration: configuration, as: isKey ? .first : .following)
      if let captions = picture.captions {
        if let data = PictureMetadata(captions: captions, codec: codec, framing: framing) {
          bytes = data.added(to: bytes)
        } else if codec != .mpeg2Video {
          // FFmpeg's MPEG-2 encoder writes them itself.
          losesCaptions = true
        }
      }
      let packet = coded[picture.place]
      made.append(
        OutputPacket(
          pts: packet.pts, dts: 0, duration: packet.duration, isKey: isKey,
          byteCount: bytes.count, payload: .made(try spool.add(bytes)), place: picture.place,
          means: picture.means, fault: picture.fault))
    }
    let settings = choice.settings(described.facts.video)
    guard let own = source.place(ofTrack: index) else {
      try encodeBlack(places, settings, add)
      return made
    }
    var encoder = EdgeEncoder(
      source: source.inner, track: own, settings: settings, takesShown: true, limits: limits,
      isCancelled: isCancelled, meter: meter)
    encoder.fitter = try fitter(of: source.inner.tracks[own].facts.video)
    try encoder.encode(
      EdgeEncoder.Run(places: places, source: cut.tailSource), emit: add)
    return made
  }

  private func fitter(of own: VideoFacts?) throws(MediaError) -> PictureFitter {
    guard let video = described.facts.video, video.width > 0, video.height > 0 else {
      throw MediaError.notUnderstood
    }
    var target = PictureFitter.Target(video)
    // Under the leading source's SPS the coded area is larger than what it shows.
    if described.facts.codec == .hevc,
      let size = HEVCCoding.only(HEVCSets(configuration: described.configuration))?.coding
    {
      target.codedWidth = max(target.width, Int(size.width))
      target.codedHeight = max(target.height, Int(size.height))
    }
    var turn = PictureFitter.Turn()
    if let own {
      let angle = video.isMirrored ? video.rotation - own.rotation : own.rotation - video.rotation
      turn.quarters = ((angle / 90) % 4 + 4) % 4
      turn.isMirrored = own.isMirrored != video.isMirrored
    }
    do throws(LibavError) {
      return try PictureFitter(target, turn: turn, sampleAspectRatio: own?.sampleAspectRatio)
    } catch {
      throw MediaError(cutting: error)
    }
  }

  /// One group of black pictures, over and over.
  private func encodeBlack(
    _ places: [Int], _ settings: Encoder.Settings,
    _ emit: (EdgeEncoder.Picture, [UInt8]) throws(MediaError) -> Void
  ) throws(MediaError) {
    let fitter = try fitter(of: nil)
    var group: [EncodedPacket] = []
    var configuration: [UInt8] = []
    var means: LumaMeans?
    let wanted = min(places.count, max(1, choice.interval))
    do throws(LibavError) {
      try fitter.makeBlack()
      means = fitter.fitted.lumaMeans
      let encoder = try Encoder(settings, matching: fitter.fitted)
      for number in 0..<wanted {
        try encoder.send(fitter.fitted, pts: Int64(number), isKey: number == 0)
        while let packet = try encoder.receive() { group.append(packet) }
      }
      encoder.finish()
      while let packet = try encoder.receive() { group.append(packet) }
      configuration = encoder.extradata
    } catch {
      throw MediaError(cutting: error)
    }
    guard group.count == wanted, group.first?.isKey == true else {
      throw MediaError(.internalError, "the encoder lost black pictures")
    }
    for (number, place) in places.enumerated() {
      try emit(
        EdgeEncoder.Picture(place: place, packet: group[number % wanted], means: means),
        configuration)
    }
  }
}
