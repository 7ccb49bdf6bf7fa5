package import ExactTime

extension FrameTable {
  /// The frame on screen at an instant; before or after the video, its first or last frame.
  package func frame(at time: MediaTime) -> PresentedFrame {
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = low + (high - low) / 2
      if stretches[middle].start <= time { low = middle + 1 } else { high = middle }
    }
    let stretch = stretches[max(0, low - 1)]
    let place = place(at: time, in: stretch)
    return frame(stretch.firstFrame + place - stretch.places.lowerBound)
  }

  private func place(at time: MediaTime, in stretch: Stretch) -> Int {
    guard time > stretch.start, !stretch.rate.isZero else { return stretch.places.lowerBound }
    guard time < stretch.end, let tick = try? mediaTick(at: time, in: stretch) else {
      return stretch.places.upperBound - 1
    }
    let place = place(ofTick: tick, near: Int(order[stretch.places.lowerBound]))
    return min(max(place, stretch.places.lowerBound), stretch.places.upperBound - 1)
  }

  private func mediaTick(
    at time: MediaTime, in stretch: Stretch
  ) throws(ExactTimeError) -> Int64 {
    try time.distance(from: stretch.start).adding(stretch.lead).seconds.multiplied(by: stretch.rate)
      .divided(by: grid.secondsPerTick).adding(Rational(stretch.mediaStart)).rounded(.down)
  }

  /// A frame by its number, which is clamped to the video.
  package func frame(_ number: Int) -> PresentedFrame {
    let number = min(max(0, number), frameCount - 1)
    let stretch = stretch(ofFrame: number)
    let place = stretch.places.lowerBound + number - stretch.firstFrame
    return PresentedFrame(
      number: number, start: start(ofPlace: place, in: stretch),
      end: place + 1 < stretch.places.upperBound
        ? start(ofPlace: place + 1, in: stretch) : stretch.end)
  }

  package func place(ofFrame number: Int) -> Int {
    let stretch = stretch(ofFrame: number)
    return stretch.places.lowerBound + number - stretch.firstFrame
  }

  /// The frame that shows the picture at a position; of several, the one nearest to a frame.
  package func frame(showing place: Int, near number: Int) -> PresentedFrame? {
    let near = stretch(ofFrame: min(max(0, number), frameCount - 1))
    let stretch =
      near.places.contains(place) ? near : stretches.first { $0.places.contains(place) }
    return stretch.map { frame($0.firstFrame + place - $0.places.lowerBound) }
  }

  /// The stretch that a frame belongs to.
  func stretch(ofFrame number: Int) -> Stretch {
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = low + (high - low) / 2
      if stretches[middle].firstFrame <= number { low = middle + 1 } else { high = middle }
    }
    return stretches[max(0, low - 1)]
  }

  /// When the picture at a position is shown.
  func start(ofPlace place: Int, in stretch: Stretch) -> MediaTime {
    guard place > stretch.places.lowerBound, !stretch.rate.isZero else { return stretch.start }
    do throws(ExactTimeError) {
      let ticks = try Rational(pts(atPlace: place)).subtracting(Rational(stretch.mediaStart))
      let offset = try ticks.multiplied(by: grid.secondsPerTick).divided(by: stretch.rate)
      let shown = try MediaDuration(seconds: offset).subtracting(stretch.lead)
      return min(try stretch.start.advanced(by: shown), stretch.end)
    } catch {
      return stretch.end
    }
  }

  /// The keyframe that is shown nearest to an instant; `nil` when none is shown.
  package func keyframe(nearest time: MediaTime) -> PresentedFrame? {
    let around = frame(at: time)
    guard let key = key(forPlace: place(ofFrame: around.number)) else { return nil }
    var best: (frame: PresentedFrame, distance: MediaDuration)?
    for candidate in max(0, key - 1)..<min(keys.count, key + 3) {
      let index = keys[candidate].index
      guard let place = place(ofPTS: pts[index], near: index),
        let frame = frame(showing: place, near: around.number),
        let distance = try? frame.start.distance(from: time).checkedMagnitude()
      else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (frame, distance) }
    }
    return best?.frame
  }
}
