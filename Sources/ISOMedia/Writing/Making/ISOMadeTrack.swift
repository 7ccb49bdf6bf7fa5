package import ExactTime

/// A track whose few samples are generated: chapter titles, or a timecode.
package struct ISOMadeTrack: Sendable {
  package var track: ISOOutputTrack
  /// The bytes of each sample.
  package private(set) var payloads: [[UInt8]] = []

  private init(_ boxes: ISOTrackBoxes) {
    track = ISOOutputTrack(boxes)
    track.groups = []
  }

  /// A QuickTime text track of chapter titles; the file's other tracks refer to it by `chap`.
  ///
  /// Starts are rounded to the nearest tick of the track; of two chapters that start at the same
  /// tick, the later one is kept. An empty edit precedes the first chapter.
  ///
  /// - Parameters:
  ///   - chapters: in ascending order, none before 0.
  ///   - end: when the last one ends.
  ///   - boxes: the source's chapter track, or one created for ``ISOTrackBoxes/Media/chapters``
  ///     with ``ISORawSampleEntry/chapterTitle``.
  /// - Throws: ``ISOWriteError/Code/timeOutOfRange`` for times out of order or beyond 32-bit ticks.
  package static func chapters(
    _ chapters: [ISOOutputChapter], end: MediaTime, in boxes: ISOTrackBoxes
  ) throws(ISOWriteError) -> ISOMadeTrack {
    var made = ISOMadeTrack(boxes)
    let grid = try boxes.grid
    var starts: [Int64] = []
    for chapter in chapters { starts.append(try grid.checkedTick(of: chapter.start)) }
    starts.append(try grid.checkedTick(of: end))
    for (index, chapter) in chapters.enumerated() {
      let ticks = starts[index + 1] - starts[index]
      guard starts[index] >= 0, ticks >= 0, let duration = UInt32(exactly: ticks) else {
        throw ISOWriteError(
          .timeOutOfRange, "chapter \(index + 1) ends before it starts, or lasts too long")
      }
      if duration > 0 { made.append(title(chapter.title), duration: duration) }
    }
    guard let first = starts.first, made.track.samples.count > 0 else { return made }
    if first > 0 { made.track.edits = [.empty(try grid.checkedLength(ofTicks: first))] }
    let length = try grid.checkedLength(ofTicks: made.track.samples.totalDuration)
    made.track.edits.append(ISOOutputEdit(length: length, mediaTime: 0))
    return made
  }

  /// A timecode track of one sample, which counts from a frame number.
  ///
  /// - Parameters:
  ///   - frame: the file's first frame number in the timecode's count.
  ///   - length: the file's duration, rounded to the nearest tick of the track, at least one.
  ///   - boxes: the source's timecode track, or one created for ``ISOTrackBoxes/Media/timecode``.
  package static func timecode(
    frame: Int32, length: MediaDuration, in boxes: ISOTrackBoxes
  ) throws(ISOWriteError) -> ISOMadeTrack {
    var made = ISOMadeTrack(boxes)
    let ticks = try boxes.grid.checkedTick(of: MediaTime(seconds: length.seconds))
    guard let duration = UInt32(exactly: max(1, ticks)) else {
      throw ISOWriteError(.timeOutOfRange, "the timecode track is longer than 32-bit ticks allow")
    }
    var writer = BoxWriter()
    writer.i32(frame)
    made.append(writer.bytes, duration: duration)
    made.track.edits = [ISOOutputEdit(length: length, mediaTime: 0)]
    return made
  }

  private mutating func append(_ payload: [UInt8], duration: UInt32) {
    track.samples.append(
      ISOOutputSample(byteCount: UInt32(clamping: payload.count), duration: duration))
    payloads.append(payload)
  }

  /// A text sample: its length, UTF-8 text, and the box that marks it as Unicode.
  private static func title(_ text: String) -> [UInt8] {
    let cut = text.prefix(upToBytes: Int(UInt16.max))
    var writer = BoxWriter()
    writer.u16(UInt16(cut.utf8.count))
    writer.raw(cut.utf8)
    writer.box("encd") { $0.u32(0x100) }
    return writer.bytes
  }
}

extension ISOTrackBoxes {
  fileprivate var grid: TickGrid {
    get throws(ISOWriteError) {
      guard timescale > 0 else {
        throw ISOWriteError(.incompleteTrack, "track \(id) has no timescale")
      }
      return TickGrid(ticksPerSecond: Int64(timescale))
    }
  }
}

extension TickGrid {
  fileprivate func checkedTick(of time: MediaTime) throws(ISOWriteError) -> Int64 {
    // Well within 63 bits, so that differences are too.
    guard let tick = try? tick(of: time, rounding: .nearest), abs(tick) < 1 << 60 else {
      throw ISOWriteError(.timeOutOfRange, "\(time.seconds) s is beyond the range of the track")
    }
    return tick
  }

  fileprivate func checkedLength(ofTicks ticks: Int64) throws(ISOWriteError) -> MediaDuration {
    guard let length = try? duration(ofTicks: ticks) else {
      throw ISOWriteError(.timeOutOfRange, "\(ticks) ticks are not an exact time")
    }
    return length
  }
}
