import Bitstreams
import ExactTime
import Libav
import MediaFacts
import Probing
import Trimming

extension PacketColumns {
  /// If a clock jumps back so often that more than one packet is dropped for this many that are
  /// kept, its times are meaningless.
  private static let leastShareKept = 10

  /// The ticks in which the frames of a stream are shown: frames before its first keyframe are
  /// lost, and so are its leading pictures, though later ones may refer to them.
  ///
  /// - Parameter start: where a probe shows the first of them, in ticks of this stream's grid.
  func visible(ofStream stream: Int, from start: Int64?) -> Range<Int64> {
    if starts.isLost(stream) { return Int64.max / 4..<Int64.max / 4 }
    let first =
      starts.hasUncertainStart(stream, timesAreMade: clocks[stream] != nil)
      ? start : starts.firstShown[stream].map { $0 &* (unrolled[stream]?.multiple ?? 1) }
    return (first ?? .min / 4)..<Int64.max / 4
  }

  /// Whether the end of a stream's last packet is not heard.
  func hidesEnd(ofStream stream: Int) -> Bool {
    guard let column = columns[stream] else { return false }
    return column.hidesEnd
      || isOgg && tracks[stream].codec == .opus
        && column.packets.earlyEnd(onPageAt: column.pagePlace) != nil
  }

  /// Numbers of packets without a visible picture: packed-bitstream placeholders, and pictures
  /// that are not meant to be shown.
  func empties(ofStream stream: Int) -> Set<Int> { columns[stream]?.empties ?? [] }

  /// Numbers of packets that belong to the previous one; `nil` where none does.
  func secondFields(ofStream stream: Int) -> Set<Int>? {
    columns[stream].flatMap { $0.seconds.isEmpty ? nil : $0.seconds }
  }

  /// Packets that were not read: the number and the place of the first of each run, and how many they are.
  func unread(ofStream stream: Int) -> [(number: Int, place: Int, count: Int)] {
    columns[stream]?.unread ?? []
  }

  /// Places of packets that the demuxer flags as corrupt.
  func corruptPlaces(ofStream stream: Int) -> Set<Int> { columns[stream]?.corrupt ?? [] }

  /// Number of samples of each audio packet; zero where unknown.
  func samples(ofStream stream: Int) -> [Int32] { columns[stream]?.samples ?? [] }

  /// Places of audio packets before which overlapping ones were dropped.
  func overlaps(ofStream stream: Int) -> Set<Int> { columns[stream]?.overlaps ?? [] }

  /// What the ADTS headers of its packets state.
  func descriptions(ofStream stream: Int) -> AudioDescriptions {
    columns[stream]?.descriptions ?? AudioDescriptions()
  }

  /// - Parameter isWhole: no part of the file is known to be missing, so that a stream without
  ///   packets really has none.
  func obstacle(ofStream stream: Int, isWhole: Bool) -> String? {
    guard let column = columns[stream] else { return isWhole ? nil : "it has no packets" }
    let track = tracks[stream]
    if track.isEncrypted { return "it is encrypted" }
    // CAF files made by FFmpeg have none (RFC 7845, 5.1).
    if track.codec == .opus, track.extradata.count < 19 {
      return "its identification header is missing"
    }
    if track.codec == .opus, !OpusLayout.isValid(track.extradata) {
      return "its header does not describe a channel layout"
    }
    if let clock = clocks[stream] {
      return clock.isLost
        ? "its container does not state when frames are shown, and its bitstream cannot be parsed"
        : nil
    }
    // FFmpeg's parsers give a single frame without a container no timestamp.
    if column.hasNoTime, !(isBare && column.packets.count == 1) {
      return "some of its packets have no timestamp"
    }
    if column.hasImpossibleTime { return "some of its packets have impossible timestamps" }
    if track.codec.usesNALUnits, track.reorderedFrames > 0,
      !column.unstamped.isEmpty
    {
      return "its container does not state when frames are shown"
    }
    if column.leftOut > column.packets.count / Self.leastShareKept {
      return "its timestamps jump backward repeatedly"
    }
    if !column.backs.isEmpty,
      track.kind != .video || storesDecoding && !column.isOrderedByPTS
    {
      return "its timestamps jump backward partway through"
    }
    return nil
  }
}
