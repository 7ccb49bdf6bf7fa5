import Bitstreams
public import ExactTime
import ISOMedia
import Libav
public import MediaFacts
public import MediaFiles
import Probing

/// The audio track of an opened file, and when its samples are presented.
///
/// It keeps the file open and decodes nothing.
public final class AudioTrack: Sendable {
  /// The track's identifier, as in ``TrackFacts/id``.
  public let trackID: Int
  /// When it is presented, counted from the origin.
  public let presented: MediaTimeRange

  /// The codec as the probe names it, which also knows names that FFmpeg does not.
  public let codec: Codec

  private let input: any ByteInput
  private let facts: TrackFacts
  private let edits: EditedTimeline?
  private let edition: EditionFacts?
  private let mayJump: Bool
  private let origin: MediaTime
  package let bounds: ReadingBounds

  /// Opens a probed file, and takes its first audio track.
  ///
  /// - Parameters:
  ///   - origin: the instant of the file's own timeline from which all times are counted.
  ///   - deadline: when all work with the track must have finished.
  ///   - isCancelled: called often, by all work with the track.
  /// - Throws: ``MediaError``; `noSound` when nothing is audible.
  public init(
    _ path: [UInt8], facts: MediaFacts, origin: MediaTime = .zero, limits: Limits = .standard,
    deadline: ContinuousClock.Instant? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(MediaError) {
    guard
      let track = facts.tracks.first(where: {
        $0.kind == .audio && $0.isPresented && $0.durations.presented?.start != nil
      }),
      let fact = track.durations.presented, let start = try? fact.start?.counted(from: origin),
      let presented = try? MediaTimeRange(from: start, length: fact.length)
    else {
      throw MediaError(.noSound, "it has no audio")
    }
    guard !track.isEncrypted else {
      throw MediaError(
        .encrypted, "its audio is encrypted, so it cannot be decoded",
        hint: "Decrypt it first.")
    }
    let file = try InputFile(path: path, remembers: false)
    let isNative = facts.container.rules.isISO
    edits = isNative ? try Self.edits(file, trackID: track.id, limits: limits) : nil
    edition = facts.edition
    mayJump = facts.notes.contains { $0.id == .timestampDiscontinuity }
    trackID = track.id
    self.presented = presented
    codec = track.codec
    input = file.media(of: facts)
    self.facts = track
    self.origin = origin
    bounds = ReadingBounds(limits: limits, deadline: deadline, isCancelled: isCancelled)
  }

  private static func edits(
    _ file: InputFile, trackID: Int, limits: Limits
  ) throws(MediaError) -> EditedTimeline? {
    do throws(ISOError) {
      let bytes = FileBytes(file)
      let movie = try ISOMovie(reading: bytes, limits: limits.iso)
      guard let track = movie.tracks.first(where: { Int($0.id) == trackID }),
        let timescale = track.timescale
      else { return nil }
      return try ISOTrackProbe(
        track, in: movie, grid: TickGrid(ticksPerSecond: timescale), file: bytes
      ).timeline
    } catch {
      throw MediaError(error)
    }
  }

  package func openDemuxer() throws(MediaError) -> OpenedStream {
    try bounds.open(input, .audio, id: trackID, index: facts.index, isNative: edits != nil)
  }

  /// Where samples are placed, counted from the start of a range.
  ///
  /// - Parameter firstTick: the time of the first decoded sample.
  package func placement(
    in range: MediaTimeRange, sampleRate: Int64, grid: TickGrid, firstTick: Int64
  ) -> AudioPlacement? {
    func position(_ time: MediaTime) throws(ExactTimeError) -> Int64 {
      try time.distance(from: range.start).seconds.multiplied(by: Rational(sampleRate))
        .rounded(.nearest)
    }
    do throws(ExactTimeError) {
      var stretches: [AudioPlacement.Stretch] = []
      if let edits {
        for segment in edits.segments where segment.rate == .one {
          stretches.append(
            AudioPlacement.Stretch(
              mediaStart: segment.mediaStart,
              mediaEnd: try segment.mediaEnd?.rounded(.nearest),
              position: try position(segment.start.counted(from: origin))))
        }
      } else {
        var time = try grid.time(atTick: firstTick).counted(from: origin)
        // The probe knows the start to the sample, where ticks may be coarser.
        let difference = try time.distance(from: presented.start).checkedMagnitude()
        if difference <= MediaDuration(seconds: grid.secondsPerTick) { time = presented.start }
        let whole = AudioPlacement.Stretch(mediaStart: firstTick, position: try position(time))
        for piece in edition?.pieces ?? [] {
          stretches.append(
            AudioPlacement.Stretch(
              mediaStart: try grid.tick(of: piece.media.start, rounding: .nearest),
              mediaEnd: try grid.tick(of: piece.media.end, rounding: .nearest),
              position: try position(piece.start.counted(from: origin))))
        }
        if edition == nil { stretches.append(whole) }
      }
      return try AudioPlacement(grid: grid, sampleRate: sampleRate, stretches: stretches)
    } catch {
      return nil
    }
  }

  /// How much is decoded before the requested samples: overlaps, and SBR headers, which come about
  /// every second.
  private var runUp: MediaDuration {
    SBRHeaders.mayBe(in: facts) ? MediaDuration(-2) : MediaDuration(-1, 2)
  }

  /// The tick to seek to for samples from an instant on: early enough that these are complete,
  /// because they overlap with earlier packets.
  ///
  /// - Returns: `nil` where only starting at the beginning of the file is reliable.
  package func tick(leadingTo time: MediaTime, _ grid: TickGrid) -> Int64? {
    guard !mayJump else { return nil }
    do throws(ExactTimeError) {
      let start = try time.advanced(by: origin.distance(from: .zero))
        .advanced(by: runUp)
      if let edition {
        // Pieces out of order may be anywhere in the file.
        guard edition.isAscending, let media = try edition.media(at: start) else { return nil }
        return try grid.tick(of: media, rounding: .down)
      }
      guard let edits else { return try grid.tick(of: start, rounding: .down) }
      let segments = edits.segments.filter { $0.rate == .one }
      guard let segment = segments.last(where: { $0.start <= start }) else { return nil }
      return try segment.mediaStart
        &+ (grid.ticks(of: start.distance(from: segment.start), rounding: .down))
    } catch {
      return nil
    }
  }

  /// The tick to seek to for complete samples from a tick of the media on; `nil` where only starting at the
  /// beginning of the file is reliable.
  package func tick(leadingToMedia tick: Int64, _ grid: TickGrid) -> Int64? {
    guard !mayJump, let ahead = try? grid.ticks(of: runUp, rounding: .down) else { return nil }
    let (start, overflow) = tick.addingReportingOverflow(ahead)
    return overflow ? nil : start
  }

  /// The audible part of a range, in samples from its start.
  package func heard(in range: MediaTimeRange, sampleRate: Int64) -> Range<Int64>? {
    guard let shown = presented.intersection(range) else { return nil }
    func position(_ time: MediaTime) throws(ExactTimeError) -> Int64 {
      try time.distance(from: range.start).seconds.multiplied(by: Rational(sampleRate))
        .rounded(.nearest)
    }
    guard let first = try? position(shown.start), let end = try? position(shown.end),
      first < end
    else { return nil }
    return first..<end
  }

  /// Whether all of it is presented as one continuous stretch, unchanged.
  package var isOneStretch: Bool {
    guard let edits else { return !mayJump && edition == nil }
    return edits.segments.count == 1 && edits.segments[0].rate == .one
  }

  /// Whether the clock of the container may be reset within the file.
  package var clockMayJump: Bool { mayJump }
}
