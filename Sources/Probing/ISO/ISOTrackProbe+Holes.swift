import ExactTime
import ISOMedia
import MediaFacts

extension ISOTrackProbe {
  /// Codecs whose packets vary in length, so that a longer one is no hole.
  private static let varying: Set<Codec> = [.opus, .vorbis, .flac, .alac]

  /// Where no sound is presented, on the file's timeline: the table states a hole as part of the
  /// duration of the sample before it, or, between fragments, as a later decoding time (ISO
  /// 14496-12, 8.6.1.2 and 8.8.12).
  func missingSound(_ codec: Codec) -> [MediaTimeRange] {
    guard hasPlaces, let times, let timeline, times.sampleCount > 1,
      !table.durations.isLinear || !table.decodeTimesAreEven, !isContiguous,
      let usual = usualDuration, usual > 0,
      let shortest = try? grid.ticks(of: MediaDuration(1, 100), rounding: .up),
      let longest = try? grid.ticks(of: MediaDuration(1, 5), rounding: .up)
    else { return [] }
    let varies = Self.varying.contains(codec)
    let least = max(varies ? max(usual, longest) : usual - usual / 8, shortest)
    var holes = AudioHoles()
    for place in 0..<times.sampleCount {
      let sample = times.present?[place] ?? place
      let duration = table.duration(sample)
      let isLong = duration - usual >= least
      holes.add(
        packet: place, at: table.presentationTime(sample),
        length: isLong ? usual : duration, least: least)
    }
    return holes.holes.compactMap { hole in
      guard let from = timeline.time(of: hole.from), let to = timeline.time(of: hole.to) else {
        return nil
      }
      return MediaTimeRange(from: from, to: to)
    }
  }

  /// Whether each of its samples but the last takes as long as the first, up to the next: most files, in which
  /// nothing can be missing.
  private var isContiguous: Bool {
    guard times?.present == nil, table.count > 2, table.decodeTimesAreEven,
      table.compositionOffsets.common != nil
    else { return false }
    let length = table.decodeTime(1) &- table.decodeTime(0)
    return (0..<table.count - 1).allSatisfy { table.duration($0) == length }
  }

  /// The most frequent duration of its samples.
  private var usualDuration: Int64? {
    var counts: [Int64: Int] = [:]
    for sample in 0..<table.count { counts[table.duration(sample), default: 0] += 1 }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}
