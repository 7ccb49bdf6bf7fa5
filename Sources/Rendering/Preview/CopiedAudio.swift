public import ExactTime
import Libav
import MediaFacts
public import MediaFiles
import Synchronization

/// Copies coded audio of a file into segments that browsers append, range by range.
///
/// Blocking: run it on a separate thread. Consecutive ranges are read in one pass.
public final class CopiedAudio: Sendable {
  private let track: AudioTrack
  private let end: MediaTime
  private let core = Mutex(Core())

  private struct Core: ~Copyable {
    var packets: AudioPackets?
    /// Where the previous segment ended.
    var next: MediaTime?
  }

  /// Creates the reader without opening anything.
  ///
  /// - Parameter end: the end of everything that the file plays.
  public init(_ track: AudioTrack, until end: MediaTime) {
    self.track = track
    self.end = end
  }

  /// Codecs that some browsers play, and whose decoders have no delay.
  private static let codecs: Set<Codec> = [.aac, .mp3, .flac]
  /// The longest gap in audio at either end: a player stalls at gaps.
  private static let silence = MediaDuration(1, 2)

  /// The packets presented in a range; times count from the track's origin, and are delayed
  /// by ``PreviewSegment/lead``.
  ///
  /// - Returns: `nil` where they cannot be copied: there are gaps, edits join several parts, or
  ///   no browser supports the codec.
  /// - Throws: ``MediaError``.
  public func segment(_ range: MediaTimeRange) throws(MediaError) -> PreviewSegment? {
    guard Self.codecs.contains(track.codec), lastsThroughout else { return nil }
    return try core.withLock { (core) throws(MediaError) in
      if core.packets == nil || core.next != range.start {
        core.packets = try AudioPackets(track, from: range.start)
      }
      core.next = nil
      let made =
        try core.packets?.segment(range, until: end, isPlain: track.codec == .mp3) ?? nil
      // After a failure the next call reopens the file.
      core.next = made?.range.end
      return made
    }
  }

  private var lastsThroughout: Bool {
    guard let last = try? end.moved(back: Self.silence) else { return false }
    return track.presented.start <= MediaTime(seconds: Self.silence.seconds)
      && track.presented.end >= last
  }
}

extension AudioPackets {
  fileprivate mutating func segment(
    _ range: MediaTimeRange, until end: MediaTime, isPlain: Bool
  ) throws(MediaError) -> PreviewSegment? {
    let (first, last) = (try sample(range.start), try sample(range.end))
    let lead = try PreviewSegment.lead(at: sampleRate)
    var found: [MP4Segment.Packet] = []
    var covered: Range<Int64>?
    while let packet = try hold(), packet.samples.lowerBound < last {
      // Packets before the very beginning are included for decoding.
      let isWanted = packet.samples.upperBound > first || range.start == .zero
      if isWanted, packet.samples.lowerBound >= -lead {
        guard
          due.map({ abs(packet.samples.lowerBound - $0) <= Int64(packet.samples.count) }) ?? true
        else { return nil }
        found.append(
          MP4Segment.Packet(
            bytes: packet.bytes, pts: packet.samples.lowerBound + lead, dts: nil,
            duration: Int64(packet.samples.count), isKey: true))
        covered = (covered?.lowerBound ?? packet.samples.lowerBound)..<packet.samples.upperBound
      }
      take()
    }
    let isOver = try hold() == nil
    guard let covered, !isLost else { return nil }
    let stop = isOver ? max(end, range.end) : try time(covered.upperBound)
    guard let shown = MediaTimeRange(from: range.start, to: max(range.start, stop)) else {
      return nil
    }
    if isPlain {
      var plain = PreviewSegment(
        bytes: found.flatMap(\.bytes), type: "audio/mpeg", range: shown)
      plain.start = try time(covered.lowerBound)
      return plain
    }
    let stream = Muxer.Stream(
      source: stream, tick: TickGrid(ticksPerSecond: sampleRate).secondsPerTick,
      extradata: configuration, tags: [])
    let bytes = try MP4Segment(of: stream, in: demuxer).bytes(found)
    return BrowserCodec.type(of: bytes).map {
      PreviewSegment(bytes: bytes, type: $0, range: shown)
    }
  }

  private func sample(_ time: MediaTime) throws(MediaError) -> Int64 {
    do throws(ExactTimeError) {
      return try TickGrid(ticksPerSecond: sampleRate).tick(of: time, rounding: .up)
    } catch {
      throw PreviewSegment.beyondNumbers
    }
  }

  private func time(_ sample: Int64) throws(MediaError) -> MediaTime {
    do throws(ExactTimeError) {
      return try TickGrid(ticksPerSecond: sampleRate).time(atTick: sample)
    } catch {
      throw PreviewSegment.beyondNumbers
    }
  }
}
