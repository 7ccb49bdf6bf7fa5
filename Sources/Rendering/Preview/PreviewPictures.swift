public import ExactTime
import Libav
public import MediaFiles

/// Encodes the pictures of a video as H.264 that browsers play, range by range.
///
/// Blocking: run it on a separate thread. Consecutive ranges are decoded in one pass.
public final class PreviewPictures: Sendable {
  private let track: PictureTrack
  private let reader: FrameReader

  /// - Parameter size: the size of the pictures; HDR is tone-mapped, and all are upright.
  /// - Throws: ``MediaError``.
  public init(_ track: PictureTrack, size: PictureSize) throws(MediaError) {
    self.track = track
    reader = try FrameReader(track, size: size, threads: 2)
  }

  /// An MP4 header and a fragment that shows what is on screen in a range, from its first instant
  /// to its last; times count from the track's origin.
  ///
  /// - Returns: no bytes where nothing is on screen.
  /// - Throws: ``MediaError``.
  public func segment(_ range: MediaTimeRange) throws(MediaError) -> [UInt8] {
    var number = track.frame(at: range.start).number
    let behind = track.frame(at: range.end)
    let last = behind.start < range.end ? behind.number : behind.number - 1
    var coding = SegmentCoding()
    var failure: MediaError?
    reader.move(to: range.start)
    while number <= last {
      do throws(MediaError) {
        guard let grabbed = try reader.next() else { break }
        let start = max(track.frame(number: number).start, range.start)
        // The first picture is shown from the beginning, because a player stalls at gaps.
        try coding.add(
          grabbed.picture, at: tick(coding.isEmpty ? range.start : start))
      } catch {
        if [.cancelled, .timedOut, .limitExceeded].contains(error.code) { throw error }
        // Damaged pictures are not shown; later ones may be.
        failure = error
        reader.move(to: track.frame(number: number + 1).start)
      }
      number += 1
    }
    if let failure, coding.isEmpty { throw failure }
    return try coding.finished(until: tick(range.end), Self.grid.secondsPerTick)
  }

  /// The time base of MPEG and browsers.
  fileprivate static let grid = TickGrid(ticksPerSecond: 90_000)

  private func tick(_ time: MediaTime) throws(MediaError) -> Int64 {
    do throws(ExactTimeError) {
      return try Self.grid.tick(of: time, rounding: .nearest)
    } catch {
      throw MediaError(.limitExceeded, "its timestamps overflow 64-bit arithmetic")
    }
  }
}

/// Encodes the pictures of one segment.
private struct SegmentCoding: ~Copyable {
  private var encoder: PreviewEncoder?
  private var size: (width: Int, height: Int) = (0, 0)
  private var newest = Int64.min
  private var packets: [EncodedPacket] = []

  var isEmpty: Bool { encoder == nil }

  /// - Parameter start: in ticks; a picture that begins at the same time as the previous one is
  ///   skipped.
  mutating func add(_ picture: Picture, at start: Int64) throws(MediaError) {
    guard start > newest else { return }
    do throws(LibavError) {
      let isFirst = encoder == nil
      if isFirst {
        encoder = try PreviewEncoder(
          width: picture.width, height: picture.height,
          tick: PreviewPictures.grid.secondsPerTick)
        size = (picture.width, picture.height)
      }
      guard size == (picture.width, picture.height) else { return }
      try encoder?.send(rgb: picture.pixels, pts: start, isKey: isFirst)
      newest = start
      try receive()
    } catch {
      throw MediaError(error)
    }
  }

  private mutating func receive() throws(LibavError) {
    while let packet = try encoder?.receive() { packets.append(packet) }
  }

  mutating func finished(
    until end: Int64, _ tick: Rational
  ) throws(MediaError) -> [UInt8] {
    do throws(LibavError) {
      encoder?.finish()
      try receive()
    } catch {
      throw MediaError(error)
    }
    guard let parameters = try parameters() else { return [] }
    var made: [MP4Segment.Packet] = []
    for (place, packet) in packets.enumerated() {
      let next = place + 1 < packets.count ? packets[place + 1].pts : end
      made.append(
        MP4Segment.Packet(
          bytes: packet.bytes, pts: packet.pts, duration: max(1, next - packet.pts),
          isKey: packet.isKey))
    }
    return try MP4Segment(of: parameters, tick: tick).bytes(made)
  }

  private mutating func parameters() throws(MediaError) -> CodecParameters? {
    do throws(LibavError) {
      return try encoder?.parameters
    } catch {
      throw MediaError(error)
    }
  }
}
