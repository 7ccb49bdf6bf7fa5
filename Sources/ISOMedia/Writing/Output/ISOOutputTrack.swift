package import ExactTime

/// A track to be written: what its header says, its samples, and what of them is shown.
package struct ISOOutputTrack: Sendable {
  package var boxes: ISOTrackBoxes
  package var samples = ISOOutputSamples()
  /// What is shown, in order; empty where all is shown from the start.
  package var edits: [ISOOutputEdit] = []
  package var groups: [ISOOutputGroup] = []

  package init(_ boxes: ISOTrackBoxes) { self.boxes = boxes }
}

/// One entry of an edit list to be written (ISO 14496-12, 8.6.6); its rate is 1.
package struct ISOOutputEdit: Hashable, Sendable {
  /// How long it lasts.
  package var length: MediaDuration
  /// Where in the media it starts, in ticks of the track; `nil` for an empty edit.
  package var mediaTime: Int64?

  package init(length: MediaDuration, mediaTime: Int64?) {
    self.length = length
    self.mediaTime = mediaTime
  }

  /// A time in which nothing of the track is shown.
  package static func empty(_ length: MediaDuration) -> ISOOutputEdit {
    ISOOutputEdit(length: length, mediaTime: nil)
  }
}

/// A sample group to be written: the descriptions of the source, and which samples have which.
package struct ISOOutputGroup: Sendable {
  let source: ISOSourceGroup
  /// For each run of samples where it ends (exclusive) and which description holds.
  private(set) var runs: ContiguousArray<(end: Int, description: UInt32)> = []

  package init(_ source: ISOSourceGroup) { self.source = source }

  /// How many samples something was said of.
  var count: Int { runs.last?.end ?? 0 }

  /// Says of the next samples which description they have, from 1; 0 for none.
  package mutating func append(description: UInt32, count added: Int = 1) {
    guard added > 0 else { return }
    if let last = runs.last, last.description == description {
      runs[runs.count - 1].end += added
    } else {
      runs.append((count + added, description))
    }
  }

  /// Says of the next sample that it has what a sample of the source had.
  ///
  /// - Parameter index: the source's sample, from 0; `nil` for one that is rebuilt.
  package mutating func append(sourceSample index: Int?) {
    append(description: index.map(source.description(ofSample:)) ?? 0)
  }

  /// True when some sample has a description: otherwise there is nothing to write.
  var isUsed: Bool { runs.contains { $0.description > 0 } }

  /// Counts and descriptions of a part of the samples; where nothing was said they have none.
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
package struct ISOOutputFilm: Sendable {
  package var movie: ISOMovieBoxes
  package var tracks: [ISOOutputTrack]
  /// Seconds since 1904, for all headers; 0 says nothing.
  package var modificationTime: UInt64 = 0
  /// Ticks a second in which edits and durations are stated; `nil` for one that is exact.
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
  /// On the file's own timeline.
  package var start: MediaTime
  package var title: String

  package init(start: MediaTime, title: String) {
    self.start = start
    self.title = title
  }
}
