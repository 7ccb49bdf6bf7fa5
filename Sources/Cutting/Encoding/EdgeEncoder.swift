import Bitstreams
import CSystem
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Rendering
import Trimming

/// Decodes the frames at the edges of a cut and re-encodes them.
struct EdgeEncoder {
  let source: any CutSource
  let track: Int
  var settings: Encoder.Settings
  /// Whether the encoder's own parameter sets state which area of its pictures is shown.
  let takesShown: Bool
  /// Whether its pictures have a different size or format than the track states.
  var isSeparate = false
  var layer = PictureLayer.colours
  let limits: Limits
  let isCancelled: @Sendable () -> Bool
  var meter: WorkMeter?
  /// What makes other pictures of the decoded ones.
  var fitter: PictureFitter?

  /// A re-encoded frame.
  struct Picture {
    /// The packet of the source whose frame it shows.
    var place: Int
    var packet: EncodedPacket
    /// Of the frame before encoding.
    var means: LumaMeans?
    /// Those of the frame, where other pictures are made of it.
    var captions: [UInt8]?
    /// Why it is not the frame as it was meant to be.
    var fault: CutDamage.Kind?
  }

  /// One run of frames, without gaps.
  struct Run {
    /// In display order.
    var places: [Int]
    /// The intra pictures.
    var intra: Set<Int> = []
    /// Packets to decode.
    var source: Range<Int>
  }

  /// Encodes a run.
  ///
  /// - Parameters:
  ///   - isEnough: whether no more pictures are wanted, asked after each that was taken.
  ///   - emit: takes the pictures in order, with the encoder's configuration.
  /// - Throws: ``MediaError`` if a frame does not decode, there is no encoder, or it was cancelled.
  func encode(
    _ run: Run, isEnough: () -> Bool = { false },
    emit: (Picture, _ configuration: [UInt8]) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard !run.places.isEmpty else { return }
    // Frees the frames of decoder and encoder: 100 MiB in 1080p.
    defer { trim_return_memory() }
    var start = run.source.lowerBound
    // At the end of the file a decoder that started in an open GOP keeps its last frames.
    let isAtEnd =
      run.source.upperBound + Self.longestDelay >= source.tracks[track].coded.packets.count
    if isAtEnd, source.access(ofTrack: track, start) == .recoveryPoint {
      start = keyframe(before: start) ?? start
    }
    while true {
      let missing = try attempt(run, from: start, isEnough: isEnough, emit: emit)
      guard missing else { return }
      // Decoding failed from what the bitstream calls an entry point; the previous one may work.
      var earlier = keyframe(before: start)
      if fitter != nil, earlier == nil || start < run.source.lowerBound {
        // A file is not refused because of a frame that players show with errors too.
        if try !attempt(run, from: start, takesFaults: true, isEnough: isEnough, emit: emit) {
          return
        }
        earlier = nil
      }
      guard let earlier else {
        throw MediaError.damaged(
          source.tracks[track], places: run.places,
          "frames at the edge of the range cannot be decoded without errors")
      }
      start = earlier
    }
  }

  /// In packets: no decoder holds more than sixteen frames of two fields.
  static let longestDelay = 32

  private func keyframe(before place: Int) -> Int? {
    let packets = source.tracks[track].coded.packets
    guard place > 0 else { return nil }
    return (0..<place).last { packets[$0].isKey } ?? 0
  }

  /// - Returns: true if the first frame was not decoded, and nothing was emitted.
  private func attempt(
    _ run: Run, from start: Int, takesFaults: Bool = false, isEnough: () -> Bool,
    emit: (Picture, [UInt8]) throws(MediaError) -> Void
  ) throws(MediaError) -> Bool {
    let described = source.tracks[track]
    let packets = described.coded.packets
    // The coded size is part of a parameter set that covers all pictures.
    let isH264 = described.facts.codec == .h264
    let keepsPadding =
      fitter == nil
      && (described.facts.codec == .hevc
        || isH264 && !takesShown && H264Coding(described.configuration).keepsPadding)
    // FFmpeg crops H.264 pictures to the container's size, even an odd one.
    let shown = isH264 && !keepsPadding && !isSeparate ? described.facts.video : nil
    let size = shown.flatMap { $0.width > 0 && $0.height > 0 ? ($0.width, $0.height) : nil }
    // With several threads, whether and how a damaged frame is noticed depends on load.
    let decoder = try source.decoder(
      ofTrack: track, threads: 1, limits: limits.demuxer, size: size, keepsPadding: keepsPadding)
    // A decoder outputs frames as others are input; when flushed early, it may keep some. So it
    // is fed the following packets as long as necessary.
    let behind = min(packets.count, run.source.upperBound + Self.longestDelay)
    let stamps = EdgeStamps(packets, start..<behind)
    var encoding = EdgeEncoding(run, described, stamps, settings, fitter)
    encoding.takesFaults = takesFaults
    try source.prepare([track: [start..<behind]])
    // FFmpeg's MPEG-2 decoder drops the picture it is holding when the size or aspect ratio changes.
    let end = try CodedFormat.change(in: start..<behind, of: source, track: track) ?? behind
    let lead = try LeadIn(to: run.places, from: start, of: described) {
      (place) throws(MediaError) in
      try source.bytes(ofTrack: track, place, layer) ?? []
    }
    for place in start..<max(end, run.source.upperBound) {
      if isCancelled() { throw MediaError.cancelled }
      var packet = packets[place]
      if lead.leads(packet) {
        if run.source.contains(place) { meter?.didDecodeFrame(ofTrack: track) }
        continue
      }
      packet.pts = stamps.stamp(of: place)
      guard let bytes = try source.bytes(ofTrack: track, place, layer) else { continue }
      decoder.value.skipFrames(lead.skip(at: place))
      var result = try decoder.send(bytes, packet)
      while result == .full {
        try encoding.drain(decoder.value, emit)
        result = try decoder.send(bytes, packet)
      }
      try encoding.drain(decoder.value, emit)
      if run.source.contains(place) { meter?.didDecodeFrame(ofTrack: track) }
      if encoding.isAtFault { return true }
      if isEnough() { return false }
      if encoding.isComplete { break }
    }
    if !encoding.isComplete {
      decoder.value.finish()
      try encoding.drain(decoder.value, emit)
    }
    if !encoding.isComplete, !encoding.hasBegun { return true }
    try encoding.finish(emit)
    return false
  }
}
