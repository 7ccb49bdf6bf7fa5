import Support
import Testing

@testable import Rendering

@Suite(
  .enabled(if: EncodedFilm.isPossible, Comment(rawValue: EncodedFilm.absence)),
  .timeLimit(.minutes(1)))
struct `Given a transport stream whose PES packets begin with the last slice of the picture before` {
  /// The same four seconds twice; as FFmpeg writes them every PES packet begins with a picture.
  private func films(
    in folder: ScratchFolder
  ) async throws -> (aligned: PictureTrack, moved: PictureTrack) {
    let path = folder.path(of: "aligned.ts")
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x128:r=25:d=4", "-c:v", "libx264",
      "-x264-params", "slices=4:bframes=1:keyint=25:b-pyramid=none:log-level=none", path,
    ])
    let moved = try folder.write(UnalignedStream.make(of: try fileBytes(path)), to: "film.ts")
    return (try PictureTrack(Array(path.utf8)), try PictureTrack(Array(moved.utf8)))
  }

  @Test func `when a keyframe is gone to then its packet is whole, and begins there`() async throws {
    let folder = try ScratchFolder()
    let (aligned, moved) = try await films(in: folder)
    #expect(aligned.table.keys.count == 4)
    for key in aligned.table.keys.indices.reversed() {
      var one = try PacketCursor(aligned)
      var other = try PacketCursor(moved)
      let index = moved.table.keys[key].index
      let areThere = (try one.enter(atKey: key), try other.enter(atKey: key))
      #expect(areThere == (true, true))
      let held = other.held
      #expect(held == index)
      let known = one.withPacketBytes { Array($0) }
      let found = other.withPacketBytes { Array($0) }
      #expect(found == known)
    }
  }

  @Test func `when frames are fetched in any order then each is the one on screen`() async throws {
    let folder = try ScratchFolder()
    let (aligned, moved) = try await films(in: folder)
    #expect(moved.frameCount == 100)
    let (one, other) = (try FrameGrabber(aligned), try FrameGrabber(moved))
    var random = SeededGenerator(seed: 7)
    for number in (0..<100).shuffled(using: &random).prefix(30) {
      let known = try one.picture(ofFrame: number, size: .width(64))
      let shown = try other.picture(ofFrame: number, size: .width(64))
      #expect(shown.frame == known.frame)
      #expect(shown.picture.pixels == known.picture.pixels, "frame \(number)")
    }
  }
}
