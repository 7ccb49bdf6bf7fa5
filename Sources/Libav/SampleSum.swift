import CFFmpeg

/// A checksum of a run of samples, independent of its division into frames.
package struct SampleSum: Hashable, Sendable {
  private var channels: [RunningHash] = []
  package private(set) var count = 0

  package init() {}

  /// - Returns: false where the samples cannot be read.
  package mutating func add(_ sound: borrowing DecodedAudio, _ samples: Range<Int>) -> Bool {
    guard let layout = unsafe SampleLayout(sound.frame.pointee.format),
      let data = unsafe sound.frame.pointee.extended_data
    else { return false }
    let step = layout.width * (layout.isPlanar ? 1 : sound.channelCount)
    grow(to: sound.channelCount)
    for channel in 0..<sound.channelCount {
      guard let plane = unsafe data[layout.isPlanar ? channel : 0] else { return false }
      let first =
        unsafe UnsafeRawPointer(plane) + samples.lowerBound * step
        + (layout.isPlanar ? 0 : channel * layout.width)
      var state = channels[channel]
      for index in 0..<samples.count {
        let place = unsafe first + index &* step
        let value: UInt64 =
          switch layout.width {
          case 1: unsafe UInt64(place.load(as: UInt8.self))
          case 2: unsafe UInt64(place.loadUnaligned(as: UInt16.self))
          case 4: unsafe UInt64(place.loadUnaligned(as: UInt32.self))
          default: unsafe place.loadUnaligned(as: UInt64.self)
          }
        state.add(value)
      }
      channels[channel] = state
    }
    count += samples.count
    return true
  }

  package mutating func addSilence(_ count: Int, channels: Int) {
    grow(to: channels)
    for channel in 0..<channels {
      for _ in 0..<count { self.channels[channel].add(0) }
    }
    self.count += count
  }

  private mutating func grow(to count: Int) {
    while channels.count < count { channels.append(RunningHash()) }
  }
}
