import Support
import Testing

@testable import ISOMedia

@Suite(.timeLimit(.minutes(5))) struct `Given damaged files that are cut` {
  /// Reads, changes and writes everything; any trap ends the test run.
  private func rewrite(_ bytes: [UInt8]) {
    guard let source = try? ISOSourceBoxes(reading: InMemoryBytes(bytes)) else { return }
    for track in source.tracks {
      for entry in track.sampleEntries {
        _ = entry.setting(box: "btrt", to: [1, 2, 3])
        _ = entry.removing(box: "avcC")
        _ = try? entry.replacingDecoderConfiguration(with: [1])
      }
      for group in track.groups { _ = group.description(ofSample: 5) }
    }
    guard var clip = try? WrittenClip.output(of: bytes) else { return }
    clip.movie.removeFreeformTags(named: "iTunSMPB")
    for index in clip.tracks.indices {
      clip.tracks[index].boxes.removeFreeformTags(named: "iTunSMPB")
    }
    _ = try? ISOFileLayout(clip)
    _ = try? ISOFragmentedLayout(clip)
  }

  private static let specimens = [
    Clips.rich.bytes, Clips.manyFragments.bytes, Clips.chaptered.bytes,
  ]

  @Test(arguments: 0..<3, [UInt64](1...4))
  func `then flipped bytes never trap`(specimen: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let sound = Self.specimens[specimen]
    for _ in 0..<100 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: bytes.indices, using: &generator)
        bytes[place] =
          [0, 0xFF, 0x7F, 0x80, UInt8.random(in: 0...255, using: &generator)]
          .randomElement(using: &generator) ?? 0
      }
      rewrite(bytes)
    }
  }

  @Test(arguments: 0..<3)
  func `then a file truncated anywhere never traps`(specimen: Int) {
    let sound = Self.specimens[specimen]
    for count in stride(from: 0, to: sound.count, by: max(1, sound.count / 150)) {
      rewrite(Array(sound.prefix(count)))
    }
  }
}
