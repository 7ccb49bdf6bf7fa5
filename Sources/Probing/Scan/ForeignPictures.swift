import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles

/// Pictures of an FLV whose codec FFmpeg does not support, read natively, and the streams that
/// FFmpeg makes of them instead.
struct ForeignPictures {
  private let pictures: FLVPictures
  /// The streams that FFmpeg makes of them.
  let misread: Set<Int>
  /// The stream that they replace.
  private let index: Int

  /// Replaces what FFmpeg read; `nil` where FFmpeg supports all pictures.
  init?(
    _ demuxer: borrowing Demuxer, _ file: InputFile, facts: inout MediaFacts, scan: inout FileScan
  ) {
    let known = Set(demuxer.tracks.filter { $0.kind == .video }.map(\.codec))
    guard let first = facts.tracks.first(where: { $0.kind == .video })?.index else { return nil }
    guard let pictures = FLVPictures(file, isKnown: { known.contains($0) }) else {
      // Versions of FFmpeg that recognize a codec by its FourCC do not keep it.
      facts.tracks[first].codecTag = facts.tracks[first].codecTag ?? FLVPictures.tag(in: file)
      return nil
    }
    self.pictures = pictures
    index = first
    misread = Set(facts.tracks.filter { $0.kind == .video }.map(\.index))
    let grid = TickGrid(ticksPerSecond: 1000)
    var track = TrackFacts(
      id: facts.tracks[first].id, index: first, kind: .video, codec: pictures.codec)
    track.codecTag = pictures.codecTag
    track.grid = grid
    var video = VideoFacts(width: 0, height: 0)
    if let header = pictures.header {
      video = CodedSize.facts(header)
      track.profile = header.profile
      track.level = header.level
    }
    track.video = video
    facts.tracks[first] = track
    for index in misread { scan.unfollow(index) }
    scan.follow(
      first, as: StreamScan(isVideo: true, grid: grid, sampleRate: nil, mayJump: false))
  }

  /// Adds them to the scan.
  func add(to scan: inout FileScan, _ facts: inout MediaFacts) {
    for stamp in pictures.stamps { scan.add(stamp, to: index) }
    let lost = pictures.stamps.count { $0.isHidden }
    guard lost > 0 else { return }
    facts.notes.append(
      FirstKeyframe.note(
        count: lost, of: pictures.stamps.count, track: facts.tracks[index].id))
  }

  /// Removes the other streams that FFmpeg made from them.
  func removeMisread(from tracks: inout [TrackFacts]) {
    tracks.removeAll { misread.contains($0.index) && $0.index != index }
  }
}
