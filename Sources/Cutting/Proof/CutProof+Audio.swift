import Libav
import MediaFacts
import MediaFiles
import Trimming

extension CutProof {
  /// Decodes re-encoded audio and checks that the number of samples is unchanged, and for
  /// lossless codecs the samples themselves.
  func checkSound(
    _ written: any CutSource, _ index: Int, _ findings: inout Findings
  ) throws(MediaError) {
    guard let made = tracks[index].made, let cut = tracks[index].audio else { return }
    let decoder = try written.decoder(ofTrack: index, limits: limits.demuxer)
    let packets = written.tracks[index].coded.packets
    var count = SampleCount(
      heard: cut.hiddenStart..<cut.hiddenStart + made.sampleCount, sums: made.sum != nil)
    for place in packets.indices {
      if isCancelled() { throw MediaError.cancelled }
      let bytes = try written.bytes(ofTrack: index, place)
      var result = try decoder.send(bytes, packets[place])
      while result == .full {
        try count.drain(decoder.value)
        result = try decoder.send(bytes, packets[place])
      }
      try count.drain(decoder.value)
      guard result == .accepted, !count.isDamaged else {
        throw failure(
          "packet \(place) of track \(index + 1) does not decode", index, place)
      }
    }
    decoder.value.finish()
    try count.drain(decoder.value)
    // The Opus decoder discards the pre-skip by itself.
    let isSkipped = written.tracks[index].facts.codec == .opus
    let expected = made.sampleCount + cut.hiddenEnd + (isSkipped ? 0 : cut.hiddenStart)
    // A Vorbis block can be longer than its audible part, and the first is not heard.
    let codec = written.tracks[index].facts.codec
    let isRight =
      switch codec {
      case .vorbis: (made.sampleCount..<made.sampleCount + 8192).contains(count.position)
      case .pcmBluRay:
        // FFmpeg's encoder fills up the last packet, which lasts 5 ms.
        (expected..<expected + Int64(written.tracks[index].facts.audio?.sampleRate ?? 0) / 200 + 1)
          .contains(count.position)
      default: count.position == expected
      }
    guard isRight else {
      throw failure(
        "track \(index + 1) decodes to \(count.position) samples, not \(expected)", index)
    }
    guard made.sum == nil || made.sum == count.sum else {
      throw failure("the samples of track \(index + 1) differ from those of the source", index)
    }
    findings.decoded(tracks[index].packets.indices, index)
  }
}

/// Counts decoded samples, and computes a checksum of the audible ones.
private struct SampleCount {
  let heard: Range<Int64>
  let sums: Bool
  var position: Int64 = 0
  var sum = SampleSum()
  var isDamaged = false

  init(heard: Range<Int64>, sums: Bool) {
    self.heard = heard
    self.sums = sums
  }

  mutating func drain(_ decoder: borrowing Decoder) throws(MediaError) {
    do throws(LibavError) {
      let sound = try DecodedAudio()
      while true {
        switch decoder.receive(into: sound) {
        case .frame(let facts):
          isDamaged = isDamaged || facts.isDamaged
          add(sound)
        case .failed: isDamaged = true
        case .needsInput, .ended: return
        }
      }
    } catch {
      throw MediaError(cutting: error)
    }
  }

  private mutating func add(_ sound: borrowing DecodedAudio) {
    let end = position + Int64(sound.sampleCount)
    let part = Range(uncheckedBounds: (position, end)).clamped(to: heard)
    if sums, !part.isEmpty {
      let places = Int(part.lowerBound - position)..<Int(part.upperBound - position)
      isDamaged = !sum.add(sound, places) || isDamaged
    }
    position = end
  }
}
