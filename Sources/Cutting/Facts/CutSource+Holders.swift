import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// Which containers accept a track, beyond their rules for codecs.
extension CutSource {
  /// The containers whose muxers accept a track.
  func holders(ofTrack index: Int, _ isCounted: Bool) -> Set<OutputContainer> {
    if let parameters = tracks[index].parameters {
      return Set(
        OutputContainer.allCases.filter { Muxer.holds(format: $0.muxer, parameters) ?? true })
    }
    let counted = isCounted ? (try? self.counted(for: OutputContainer.mp4.rules)) : nil
    let described = (counted ?? tracks)[index]
    let track = tracks[index]
    // ADTS headers describe AAC, unless they leave the channels to the frames.
    let isUndescribed =
      track.facts.codec == .aac && track.configuration.isEmpty
      && track.descriptions.runs.first?.channels ?? 0 == 0
    let answer = try? withDemuxer { (demuxer) throws(MediaError) -> Set<OutputContainer> in
      Set(
        OutputContainer.allCases.filter { container in
          !(container.rules.pictures.hasFixedFrameRate && isUndescribed)
            && !isLost(tracks[index], in: container, demuxer)
            && Self.takes(tracks[index], described, in: container, demuxer)
        })
    }
    return answer ?? Set(OutputContainer.allCases)
  }

  /// Whether readers cannot recover what a muxer accepts.
  private func isLost(
    _ track: SourceTrack, in container: OutputContainer, _ demuxer: borrowing Demuxer
  ) -> Bool {
    switch container {
    case .mpegts, .m2ts: if TransportFit.isLost(track) { return true }
    case .matroska: if MatroskaFit.isLost(track, demuxer) { return true }
    default: break
    }
    if RawPictureFit.isLost(
      track, fromISO: native === self, facts.container.format, in: container, demuxer)
    {
      return true
    }
    // QuickTime has no description of Windows Media that any reader supports.
    if container.isISO, track.facts.codec.isWindowsMedia { return true }
    // Each chunk in such a container occupies the time of one picture.
    return container.rules.pictures.hasFixedFrameRate && track.facts.codec == .vp8
      && demuxer.joinedStreams.contains(track.stream)
  }

  /// - Parameter described: the track as MP4's boxes describe it.
  private static func takes(
    _ track: SourceTrack, _ described: SourceTrack, in container: OutputContainer,
    _ demuxer: borrowing Demuxer
  ) -> Bool {
    if container.rules.audio.holdsSomeRates {
      return Muxer.takes(
        track.stream, tick: track.coded.grid.secondsPerTick, shape: track.shape,
        format: container.muxer, demuxer)
    }
    return container.isISO
      ? ISODescription.describes(described, in: container, demuxer)
      : Muxer.holds(
        format: container.muxer, codecOf: track.stream, reorders: track.mayReorder, demuxer)
        ?? true
  }
}
