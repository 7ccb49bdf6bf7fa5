import ExactTime
import MediaFacts
import Trimming

/// When audio was recorded, as stated by the `bext` chunk of a Broadcast Wave File (EBU Tech
/// 3285, 2.3): the time of its first sample, in samples since midnight.
struct BroadcastWave {
  /// FFmpeg's name for it.
  static let reference = "time_reference"

  /// Tags that FFmpeg's demuxer reads from the chunk under other names than its muxer's.
  private static let names = [
    "comment": "description", "encoded_by": "originator", "date": "origination_date",
  ]
  /// A time of day without a date, which FFmpeg reads as a creation time.
  private static let time = (read: "creation_time", written: "origination_time")

  /// The tags of a file that begins partway through another.
  ///
  /// - Parameters:
  ///   - tags: the other file's.
  ///   - start: where it begins, on the other file's timeline from its first sample.
  ///   - isWave: the output has such a chunk, too.
  static func tags(
    _ tags: [(key: String, value: String)], from start: MediaTime, samplesPerSecond rate: Int?,
    isWave: Bool
  ) -> [(key: String, value: String)] {
    guard let place = tags.firstIndex(where: { $0.key.lowercased() == reference }) else {
      return tags
    }
    var result = tags.map { tag in
      let isTimeOfDay = tag.key.lowercased() == time.read && !tag.value.contains("-")
      return (key: isTimeOfDay ? time.written : tag.key, value: tag.value)
    }
    result.remove(at: place)
    guard let rate, rate > 0, let count = Int64(tags[place].value), count >= 0,
      let late = try? TickGrid(ticksPerSecond: Int64(rate)).tick(of: start, rounding: .nearest),
      case (let sum, false) = count.addingReportingOverflow(late)
    else { return result }
    result.append((reference, "\(sum)"))
    for (key, value) in tags where isWave {
      if let name = names[key.lowercased()] { result.append((name, value)) }
    }
    return result
  }
}
