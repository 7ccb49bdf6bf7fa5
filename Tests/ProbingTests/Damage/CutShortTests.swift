import MediaFacts
import MediaFiles
import Probing
import Support
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Given a file that ends anywhere` {
  /// Files whose headers come first and state the size of the rest.
  @Test(arguments: ["b-frames.mp4", "fragmented.mp4", "chapters.mkv"])
  func `then the place is reported, or that it cannot be read`(_ name: String) throws {
    let bytes = try SampleClips.bytes(name)
    let folder = try ScratchFolder()
    var reported = 0
    for step in 1..<50 {
      let count = bytes.count * step / 50
      let path = try folder.write(Array(bytes.prefix(count)), to: "clip")
      do throws(MediaError) {
        let facts = try Prober().probe(.file(path: Array(path.utf8)))
        let damage = facts.damage.first { $0.kind == .truncated }
        #expect(damage != nil, "\(count) of \(bytes.count) bytes")
        reported += 1
      } catch {
        #expect(error.code == .damaged || error.code == .notMedia, "\(count) bytes: \(error)")
      }
    }
    #expect(reported > 10)
  }
}
