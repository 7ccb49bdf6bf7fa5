package import Libav
package import MediaFiles

/// A demuxer, with the stream that is read from it.
package struct OpenedStream: ~Copyable {
  package var demuxer: Demuxer
  package var stream: Int

  package consuming func intoDemuxer() -> Demuxer { demuxer }
}

/// The limits for reading a track: a deadline and cancellation.
package struct ReadingBounds: Sendable {
  package var limits: Limits
  /// When all work with the track must have finished.
  package var deadline: ContinuousClock.Instant?
  package var isCancelled: @Sendable () -> Bool

  /// - Throws: ``MediaError`` once the work must end.
  package func checkTime() throws(MediaError) {
    if isCancelled() { throw MediaError.cancelled }
    if let deadline, ContinuousClock.now > deadline {
      throw MediaError(.timedOut, "it took longer than the limit allows")
    }
  }

  /// Opens a demuxer that reads only one track.
  ///
  /// - Parameters:
  ///   - id: the track's identifier, used where a file was read natively.
  ///   - index: its stream index, used otherwise.
  func open(
    _ input: any ByteInput, _ kind: LibavTrack.Kind, id: Int, index: Int, isNative: Bool
  ) throws(MediaError) -> OpenedStream {
    do throws(LibavError) {
      try LibavLibrary.limitAllocations(to: limits.allocation)
      // The sample table already states what probing the stream would find.
      var demuxer = try Demuxer(
        input, preparation: isNative ? .headers : .streams,
        editLists: isNative ? .ignored : .applied, limits: limits.demuxer, deadline: deadline,
        isCancelled: isCancelled)
      let named = demuxer.tracks.first { $0.kind == kind && $0.id == id && isNative }
      let stream = named?.index ?? index
      guard demuxer.tracks.indices.contains(stream) else {
        throw LibavError(.invalidData, "its track cannot be found again")
      }
      guard !demuxer.tracks[stream].isEncrypted else {
        throw LibavError(.notAllowed, "its samples are encrypted")
      }
      demuxer.discard(allBut: [stream])
      return OpenedStream(demuxer: demuxer, stream: stream)
    } catch {
      throw MediaError(error)
    }
  }
}
