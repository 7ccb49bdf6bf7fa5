import Bitstreams
public import ExactTime
import ISOMedia
import Libav
public import MediaFacts
public import MediaFiles
import Probing

/// The video track of an opened file: when each of its frames is shown, and how to reach it.
///
/// It keeps the file open and decodes nothing itself; that is done by any number of
/// ``FrameGrabber`` and ``FrameReader`` objects.
public final class PictureTrack: Sendable {
  /// The track's identifier, as in ``TrackFacts/id``.
  public let trackID: Int
  /// From the first frame to the end of the last, counted from the origin.
  public let presented: MediaTimeRange
  /// How many frames a player shows; frame numbers go from 0 to one less.
  public let frameCount: Int
  /// Width in pixels as decoded, before aspect ratio and rotation.
  public let storedWidth: Int
  /// Height in pixels as decoded, before aspect ratio and rotation.
  public let storedHeight: Int

  package let table: FrameTable
  package let look: PictureLook
  package let bounds: ReadingBounds
  /// FFmpeg's short name of the codec, such as `h264`.
  public let codec: Codec
  private let file: InputFile
  package let isNative: Bool
  private let streamIndex: Int
  private let format: String

  /// Opens a file and finds its first video track that is not cover art.
  ///
  /// Blocking: MP4 and QuickTime take a few milliseconds, other containers a scan of all packets.
  ///
  /// - Parameters:
  ///   - origin: the instant of the file's own timeline from which all times are counted, such as
  ///     the start of its presented range.
  ///   - deadline: when all work with the track must have finished.
  ///   - isCancelled: called often, by all work with the track.
  /// - Throws: ``MediaError``; `noPicture` when no video is shown, `notDecoded` when trim does
  ///   not decode its codec.
  public convenience init(
    _ path: [UInt8], origin: MediaTime = .zero, limits: Limits = .standard,
    deadline: ContinuousClock.Instant? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(MediaError) {
    try self.init(
      InputFile(path: path, remembers: false), origin: origin, limits: limits, deadline: deadline,
      isCancelled: isCancelled)
  }

  /// The same for a file that is already open.
  package convenience init(
    _ file: InputFile, origin: MediaTime = .zero, limits: Limits = .standard,
    deadline: ContinuousClock.Instant? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(MediaError) {
    let candidate: Candidate
    if let native = try Self.native(file, origin: origin, limits: limits) {
      candidate = native
    } else {
      candidate = try Self.scanned(
        file, origin: origin, limits: limits, deadline: deadline, isCancelled: isCancelled)
    }
    self.init(candidate, file: file, limits: limits, deadline: deadline, isCancelled: isCancelled)
  }

  /// Reopens a file with a known scan.
  ///
  /// - Parameter index: the earlier value of ``index``; if missing, the file is scanned.
  package convenience init(
    _ path: [UInt8], facts: MediaFacts, index: [UInt8], origin: MediaTime,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(MediaError) {
    let file = try InputFile(path: path, remembers: false)
    guard let candidate = try Self.indexed(facts, index) else {
      try self.init(file, origin: origin, isCancelled: isCancelled)
      return
    }
    self.init(candidate, file: file, limits: .standard, deadline: nil, isCancelled: isCancelled)
  }

  /// The result of a scan of all packets, for reopening the same file; empty where opening
  /// requires no scan.
  package var index: [UInt8] {
    guard !isNative, let number = UInt16(exactly: streamIndex) else { return [] }
    return [UInt8(number & 0xFF), UInt8(number >> 8)] + table.bytes
  }

  /// What is determined about the track before anything is decoded.
  private struct Candidate {
    var facts: TrackFacts
    var table: FrameTable
    var format: String
    var isNative: Bool
  }

  private init(
    _ candidate: Candidate, file: InputFile, limits: Limits, deadline: ContinuousClock.Instant?,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    trackID = candidate.facts.id
    table = candidate.table
    presented = candidate.table.presented
    frameCount = candidate.table.frameCount
    storedWidth = candidate.facts.video?.width ?? 0
    storedHeight = candidate.facts.video?.height ?? 0
    look = PictureLook(candidate.facts.video)
    codec = candidate.facts.codec
    streamIndex = candidate.facts.index
    format = candidate.format
    isNative = candidate.isNative
    self.file = file
    bounds = ReadingBounds(limits: limits, deadline: deadline, isCancelled: isCancelled)
  }

  /// The frame on screen at an instant; before or after the video, its first or last frame.
  public func frame(at time: MediaTime) -> PresentedFrame { table.frame(at: time) }

  /// A frame by its number, from 0; a number outside the video gives its first or last frame.
  public func frame(number: Int) -> PresentedFrame { table.frame(number) }

  /// The keyframe that is shown nearest to an instant; `nil` when none is shown.
  public func keyframe(nearest time: MediaTime) -> PresentedFrame? {
    table.keyframe(nearest: time)
  }

  package func openDemuxer() throws(MediaError) -> OpenedStream {
    try bounds.open(file.readable, .video, id: trackID, index: streamIndex, isNative: isNative)
  }

  /// Says that a GOP will be read.
  func expectGroup(ofKey number: Int) {
    if let range = group(ofKey: number) { file.expect(range) }
  }

  /// The bytes of a GOP of which only that is fetched; `nil` for other files.
  private func group(ofKey number: Int) -> Range<Int64>? {
    guard file.isReadSparingly, let start = table.keys[number].byteOffset else { return nil }
    let next = table.keys[(number + 1)...].lazy.compactMap(\.byteOffset).first { $0 > start }
    guard let end = next ?? file.byteCount, start < end else { return nil }
    return start..<end
  }

  /// Says that several frames will be decoded.
  func expectGroups(of frames: [PresentedFrame]) {
    guard file.isReadSparingly else { return }
    for frame in frames {
      let key = table.key(forPlace: table.place(ofFrame: frame.number))
      if let range = key.flatMap(group(ofKey:)) { file.announce(range) }
    }
  }

  /// Whether the file is a raw bitstream without a container.
  var isRaw: Bool { SourceRules(format).isBarePictures }

  /// Whether to seek to packets by byte offset rather than by time.
  package var seeksByByte: Bool { SourceRules(format).seeksByByte }
}

extension PictureTrack {
  private static func native(
    _ file: InputFile, origin: MediaTime, limits: Limits
  ) throws(MediaError) -> Candidate? {
    let candidate: Candidate?
    do throws(ISOError) {
      let bytes = FileBytes(file)
      candidate = try firstCandidate(
        of: ISOMovie(reading: bytes, limits: limits.iso), in: bytes, origin: origin)
    } catch {
      if error.code == .notISO { return nil }
      throw MediaError(error)
    }
    guard let candidate else { throw noPicture }
    return try admitted(candidate)
  }

  private static func firstCandidate(
    of movie: ISOMovie, in bytes: FileBytes, origin: MediaTime
  ) throws(ISOError) -> Candidate? {
    for (index, track) in movie.tracks.enumerated() where track.sampleCount > 0 {
      let facts = ISOTrackDescription.facts(of: track, in: movie, at: index)
      guard facts.kind == .video, facts.isPresented, let timescale = track.timescale else {
        continue
      }
      let probe = try ISOTrackProbe(
        track, in: movie, grid: TickGrid(ticksPerSecond: timescale), marksOf: bytes)
      let reader = ISOSampleReader(file: bytes, track: track, table: probe.table)
      let firstShown = probe.times.flatMap(reader.firstShownTick)
      let empty = probe.times.map(reader.pictureless) ?? []
      guard
        let table = FrameTable(probe, origin: origin, without: empty, firstShown: firstShown)
      else { continue }
      return Candidate(
        facts: facts, table: table, format: SourceRules.isoFormat(isQuickTime: false),
        isNative: true)
    }
    return nil
  }

  private static func scanned(
    _ file: InputFile, origin: MediaTime, limits: Limits, deadline: ContinuousClock.Instant?,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> Candidate {
    if let playlist = PlaylistKind(file.head) { throw MediaError(playlist) }
    do {
      try LibavLibrary.limitAllocations(to: limits.allocation)
      var demuxer = try Demuxer(
        file.readable, limits: limits.demuxer, deadline: deadline, isCancelled: isCancelled)
      var probe = PacketProbe(demuxer, file: file, wantsKeyframes: false)
      try probe.scan(&demuxer) { _ in true }
      let facts = probe.finished()
      let presented = facts.tracks.filter(\.isPresented)
      guard let track = presented.first(where: { $0.kind == .video }),
        let scan = probe.scan(ofStream: track.index)
      else { throw noPicture }
      let beginnings = try ClockBeginning.all(of: probe.presentedTracks, origin: origin)
      guard
        var table = FrameTable(
          scan, stretches: probe.stretches(ofStream: track.index), beginnings: beginnings)
      else { throw noPicture }
      if let edition = probe.following(facts)?.edition {
        guard let followed = table.following(edition, origin: origin) else { throw noPicture }
        table = followed
      }
      return try admitted(
        Candidate(facts: track, table: table, format: facts.container.format, isNative: false))
    } catch {
      throw MediaError(any: error)
    }
  }

  private static func indexed(
    _ facts: MediaFacts, _ index: [UInt8]
  ) throws(MediaError) -> Candidate? {
    guard index.count > 2,
      let track = facts.tracks.first(where: { $0.index == Int(index[0]) | Int(index[1]) << 8 }),
      track.kind == .video, let table = FrameTable(index[2...])
    else { return nil }
    return try admitted(
      Candidate(facts: track, table: table, format: facts.container.format, isNative: false))
  }

  private static let noPicture = MediaError(.noPicture, "it has no video")

  private static func admitted(_ candidate: Candidate) throws(MediaError) -> Candidate {
    guard !candidate.facts.isEncrypted else {
      throw MediaError(
        .encrypted, "its video is encrypted, so it cannot be decoded",
        hint: "Decrypt it first.")
    }
    return candidate
  }
}
