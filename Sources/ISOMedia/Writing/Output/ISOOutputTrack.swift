package import ExactTime

/// A track to be written: its header, its samples, and its edits.
package struct ISOOutputTrack: Sendable {
  package var boxes: ISOTrackBoxes
  package var samples = ISOOutputSamples()
  /// The edit list, in order; empty to present everything from the start.
  package var edits: [ISOOutputEdit] = []
  package var groups: [ISOOutputGroup] = []

  package init(_ boxes: ISOTrackBoxes) { self.boxes = boxes }
}

/// One entry of an edit list to be written (ISO 14496-12, 8.6.6); its rate is 1.
package struct ISOOutputEdit: Hashable, Sendable {
  /// The edit's duration.
  package var length: MediaDuration
  /// Where in the media it starts, in ticks of the track; `nil` for an empty edit.
  package var mediaTime: Int64?

  package init(length: MediaDuration, mediaTime: Int64?) {
    self.length = length
    self.mediaTime = mediaTime
  }

  /// An empty edit, during which nothing of the track is presented.
  package static func empty(_ length: MediaDuration) -> ISOOutputEdit {
    ISOOutputEdit(length: length, mediaTime: nil)
  }
}

/// A sample group to be written: the source's descriptions, and the samples each applies to.
package struct ISOOutputGroup: Sendable {
  let source: ISOSourceGroup
  /// The end (exclusive) of each run of samples, and its description.
  private(set) var runs: ContiguousArray<(end: Int, description: UInt32)> = []

  package init(_ source: ISOSourceGroup) { self.source = source }

  /// The number of samples covered so far.
  var count: Int { runs.last?.end ?? 0 }

  /// Sets the description of the next samples, from 1; 0 for none.
  package mutating func append(description: UInt32, count added: Int = 1) {
    guard added > 0 else { return }
    if let last = runs.last, last.description == description {
      runs[runs.count - 1].end += added
    } else {
      runs.append((count + added, description))
    }
  }

  /// Gives the next sample the description of a sample of the source.
  ///
  /// - Parameter index: the source's sample, from 0; `nil` for one that is rebuilt.
  package mutating func append(sourceSample index: Int?) {
    append(description: index.map(source.description(ofSample:)) ?? 0)
  }

  /// True when some sample has a description: otherwise there is nothing to write.
  var isUsed: Bool { runs.contains { $0.description > 0 } }

  /// Counts and descriptions of a part of the samples; samples not covered have none.
  func runs(of samples: Range<Int>) -> [(count: Int, description: UInt32)] {
    var run = runs.indices.partitionPoint { runs[$0].end > samples.lowerBound }
    var position = samples.lowerBound
    var result: [(count: Int, description: UInt32)] = []
    while position < samples.upperBound {
      let isKnown = run < runs.count
      let end = isKnown ? min(runs[run].end, samples.upperBound) : samples.upperBound
      result.append((end - position, isKnown ? runs[run].description : 0))
      position = end
      run += 1
    }
    return result
  }
}

/// A file to be written.
package struct ISOOutputFile: Sendable {
  package var movie: ISOMovieBoxes
  package var tracks: [ISOOutputTrack]
  /// Seconds since 1904, for all headers; 0 for not stated.
  package var modificationTime: UInt64 = 0
  /// Ticks per second of edits and durations; `nil` to choose an exact one.
  package var movieTimescale: UInt32?
  /// The chapters of the `chpl` list; `nil` to write none.
  package var chapterList: [ISOOutputChapter]?

  package init(movie: ISOMovieBoxes, tracks: [ISOOutputTrack]) {
    self.movie = movie
    self.tracks = tracks
  }
}

/// A chapter to be written.
package struct ISOOutputChapter: Hashable, Sendable {
  /// The start on the file's own timeline.
  package var start: MediaTime
  package var title: String

  package init(start: MediaTime, title: String) {
    self.start = start
    self.title = title
  }
}
