import Support
import Testing

@testable import Rendering

@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given a transport stream whose PES packets begin with the tail of the previous picture` {
  /// The same four seconds twice; FFmpeg writes them so that every PES packet begins with a picture.
  private func clips(
    keysApart distance: Int, in folder: ScratchFolder
  ) async throws -> (aligned: PictureTrack, moved: PictureTrack) {
    let path = folder.path(of: "aligned.ts")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x128:r=25:d=4", "-c:v", "libx264",
      "-x264-params", "slices=4:bframes=1:keyint=\(distance):b-pyramid=none:log-level=none", path,
    ])
    let moved = try folder.write(UnalignedStream.make(of: try fileBytes(path)), to: "clip.ts")
    return (try PictureTrack(Array(path.utf8)), try PictureTrack(Array(moved.utf8)))
  }

  @Test(arguments: [25, 1])
  func `when seeking to a keyframe then its packet begins with it`(_ distance: Int) async throws {
    let folder = try ScratchFolder()
    let (aligned, moved) = try await clips(keysApart: distance, in: folder)
    #expect(aligned.table.keys.count == 100 / distance)
    for key in aligned.table.keys.indices.reversed() {
      var one = try PacketCursor(aligned)
      var other = try PacketCursor(moved)
      let index = moved.table.keys[key].index
      let areThere = (try one.enter(atKey: key), try other.enter(atKey: key))
      #expect(areThere == (true, true))
      let held = other.held
      #expect(held == index)
      // An access unit delimiter before it may be in the tail.
      let known = one.withPacketBytes { Array($0.suffix(100)) }
      let found = other.withPacketBytes { Array($0.suffix(100)) }
      #expect(found == known)
    }
  }

  @Test(arguments: [25, 1])
  func `when frames are fetched in any order then each is the one on screen`(
    _ distance: Int
  ) async throws {
    let folder = try ScratchFolder()
    let (aligned, moved) = try await clips(keysApart: distance, in: folder)
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

@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given H.264 with intra refresh that takes several GOPs to recover` {
  @Test(arguments: ["mp4", "ts"])
  func `when frames are fetched in any order then each is the one on screen`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip." + ending)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=6", "-c:v", "libx264",
      "-x264-params", "slices=4:keyint=25:intra-refresh=1:log-level=none", path,
    ])
    let track = try PictureTrack(Array(path.utf8))
    let reader = try FrameReader(track, size: .width(64))
    var known: [Picture] = []
    while let shown = try reader.next() { known.append(shown.picture) }
    #expect(known.count == 150)
    let grabber = try FrameGrabber(track)
    for number in [122, 90, 60, 142, 25, 0] {
      let shown = try grabber.picture(ofFrame: number, size: .width(64))
      #expect(shown.frame.number == number)
      #expect(shown.picture.pixels == known[number].pixels, "frame \(number)")
    }
  }
}
