import Rendering
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Given a transport stream whose PES packets begin with the end of a picture` {
  @Test(arguments: [1, 20, 118])
  func `when frames are fetched in any order then each is the one on screen`(
    _ moved: Int
  ) throws {
    let aligned = try PictureTrack(Array(SampleFilms.path("broadcast.ts").utf8))
    let folder = try ScratchFolder()
    let bytes = try fileBytes(SampleFilms.path("broadcast.ts"))
    let path = try folder.write(UnalignedStream.make(of: bytes, moving: moved), to: "film.ts")
    let track = try PictureTrack(Array(path.utf8))
    #expect(track.frameCount == aligned.frameCount)
    let (one, other) = (try FrameGrabber(aligned), try FrameGrabber(track))
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      let number = Int.random(in: 0..<aligned.frameCount, using: &random)
      let known = try one.picture(ofFrame: number, size: .width(64))
      let shown = try other.picture(ofFrame: number, size: .width(64))
      #expect(shown.frame == known.frame)
      #expect(shown.picture.pixels == known.picture.pixels, "frame \(number)")
    }
  }
}
