import Bitstreams
import ExactTime
import Libav
import MediaFacts
import Probing
import Trimming

/// Collects the times of all packets of a scan, stream by stream.
struct PacketColumns {
  let tracks: [LibavTrack]
  var columns = PerStream<PacketColumn>()
  var accesses: [Int: [Int: RandomAccessKind]] = [:]
  /// Parameter sets of streams with start codes in their packets whose configuration indicates
  /// lengths, or that have no configuration.
  var startCodes: [Int: [UInt8]] = [:]

  /// For AAC whose frames state the channels.
  var channels: [Int: ChannelReframing] = [:]

  /// False for Matroska, which has no DTS: FFmpeg guesses them.
  let storesDecoding: Bool
  /// A raw FLAC file: its times come from the frame numbers.
  let isBareFLAC: Bool
  /// The last frame of such a file, which may be truncated.
  var lastFrame: [UInt8] = []
  let isOgg: Bool
  let isAVI: Bool
  let isBare: Bool
  /// Concatenated segments may overlap by audio packets.
  let mayOverlap: Bool
  /// A packet flagged as corrupt is one that is cut off by the end of the file.
  let marksShortReads: Bool

  var starts = PictureStart()
  var fields = PerStream<H264Fields>()
  /// For streams whose container has no presentation times.
  var clocks = PerStream<PictureClock>()
  /// For streams whose pictures may lack timestamps, up to the first that is shown.
  var untimed = PerStream<UntimedPictures>()
  /// For streams whose clock is reset.
  var unrolled = PerStream<UnrolledClock>()

  /// - Parameter format: FFmpeg's name of the demuxer.
  init(_ tracks: [LibavTrack], format: String) {
    self.tracks = tracks
    let rules = SourceRules(format)
    storesDecoding = !rules.isMatroska
    isBareFLAC = rules.isFLAC
    (isOgg, isAVI) = (rules.isOgg, rules.isAVI)
    isBare = rules.isBareSound
    mayOverlap = rules.mayOverlap
    marksShortReads = rules.marksShortPictures
    let isAlone = tracks.count { $0.kind == .video || $0.kind == .audio } == 1
    for track in tracks where track.kind == .video {
      if track.codec == .h264 {
        fields[track.index] = H264Fields(configuration: track.extradata)
      }
      clocks[track.index] = PictureClock(
        format: format, codec: track.codec, configuration: track.extradata, isAlone: isAlone)
      untimed[track.index] = UntimedPictures(
        format: format, codec: track.codec, configuration: track.extradata)
    }
  }

  /// Keeps the container's timestamps where they turn out to be valid.
  mutating func dropUnneededClocks() {
    for stream in tracks.indices where clocks[stream]?.isUnneeded == true {
      clocks[stream] = nil
    }
  }

  /// Sets missing timestamps to those determined by a probe, by packet number.
  mutating func fill(_ stream: Int, _ times: [Int: Int64]) {
    guard !times.isEmpty, var column = columns[stream] else { return }
    columns[stream] = nil
    column.fill(
      times, isVideo: tracks[stream].kind == .video,
      guessesDTS: tracks[stream].codec.isMPEG12,
      storesDTS: storesDecoding)
    columns[stream] = column
  }

  /// Gives packets whose DTS are far from those around them DTS between these.
  mutating func restoreDTS(_ stream: Int, ofPackets numbers: Set<Int>) {
    let missing = empties(ofStream: stream).union(secondFields(ofStream: stream) ?? [])
    let places = numbers.subtracting(missing).map { place(ofPacket: $0, stream) }.sorted()
    columns[stream]?.restoreDTS(ofPlaces: places)
  }

  /// Puts a stream whose clock is reset on one continuous clock.
  mutating func unroll(_ stream: Int, _ steps: [ClockStep]) throws(ExactTimeError) {
    guard clocks[stream] == nil, let grid = tracks[stream].grid,
      let clock = try UnrolledClock(steps, grid: grid), columns[stream] != nil
    else { return }
    unrolled[stream] = clock
    let resets = Set(steps.map { place(ofPacket: $0.packet, stream) })
    columns[stream]?.backs.removeAll(where: resets.contains)
  }

  /// Clears the corrupt flags of packets that are complete.
  mutating func unmark(_ stream: Int, _ numbers: Set<Int>) {
    let places = numbers.map { place(ofPacket: $0, stream) }
    columns[stream]?.corrupt.subtract(places)
  }

  /// The place of a packet among those that are not empty.
  func place(ofPacket number: Int, _ stream: Int) -> Int {
    guard let column = columns[stream] else { return number }
    return number - column.empties.count { $0 < number } - column.seconds.count { $0 < number }
  }

  /// Times of packets by place.
  func places(of times: [Int: Int64], _ stream: Int) -> [Int: MediaTime] {
    guard let grid = tracks[stream].grid else { return [:] }
    return Dictionary(
      times.compactMap { packet, tick in
        (try? grid.time(atTick: tick)).map { (place(ofPacket: packet, stream), $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The grid of all times of a stream that are returned here.
  func grid(ofStream stream: Int) -> TickGrid? {
    unrolled[stream]?.grid ?? tracks[stream].grid
  }
}
