package import MediaFacts

extension MediaFacts {
  /// The pixel count of the largest picture that a track states, regardless of the limits.
  package var mostPixels: Int64 {
    tracks.reduce(0) { most, track in
      guard let video = track.video else { return most }
      let (pixels, overflow) = Int64(video.width).multipliedReportingOverflow(
        by: Int64(video.height))
      return max(most, overflow ? .max : pixels)
    }
  }
}
