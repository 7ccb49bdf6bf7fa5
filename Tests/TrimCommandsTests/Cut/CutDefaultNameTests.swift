import Support
import Testing

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(1)))
struct `Given trim cut without a name for the output` {
  private static let picture = "-f lavfi -i testsrc2=s=160x96:r=25:d=1"

  /// The contents of a file in a container that trim does not write, and the container they go to.
  @Test(arguments: [
    ("a.tta", "-f lavfi -i sine=d=1 -c:a tta", "a-trimmed.mka"),
    ("a.flv", picture + " -c:v libx264", "a-trimmed.flv"),
    ("a.mpg", picture + " -c:v mpeg2video", "a-trimmed.mpg"),
    ("a.vob", picture + " -c:v mpeg2video", "a-trimmed.vob"),
    (
      "a.mxf",
      "-f lavfi -i testsrc2=s=320x192:r=25:d=1 -c:v dnxhd -profile:v dnxhr_lb "
        + "-pix_fmt yuv422p", "a-trimmed.mkv"
    ),
    ("a.mkv", picture + " -c:v ffv1 -g 1", "a-trimmed.mkv"),
    ("a.gif", picture, "a-trimmed.mov"),
    // This extension promises Opus (RFC 7845, 9); Ogg holds other codecs under its own extension.
    ("a.opus", "-f lavfi -i sine=d=1 -c:a libopus", "a-trimmed.opus"),
    ("a.opus", "-f lavfi -i sine=d=1 -c:a flac -f ogg", "a-trimmed.ogg"),
    ("a.oga", "-f lavfi -i sine=d=1 -c:a flac -f ogg", "a-trimmed.oga"),
    // Its extension is not that of its container.
    ("a.webm", picture + " -c:v libx264 -f matroska", "a-trimmed.mp4"),
    // The same name typed gives MP4, which carries over what describes the source's PCM.
    (
      "A.MP4",
      picture + " -f lavfi -i sine=d=1 -c:v libx264 -c:a pcm_s16be -f mov -brand mp42",
      "A-trimmed.MP4"
    ),
    ("a.insv", picture + " -c:v libx264 -f mp4", "a-trimmed.mp4"),
    ("Vol. 2", picture + " -c:v libx264 -f mp4", "Vol. 2-trimmed.mp4"),
  ])
  func `then it goes into a container that can hold the file's contents`(
    _ name: String, _ words: String, _ output: String
  ) async throws {
    let folder = try ScratchFolder()
    _ = try Program.shell(
      "ffmpeg -v error \(words) \"$1\"", [Array(folder.path(of: name).utf8)])
    let run = try await BuiltTool.run("cut", name, "--to", "0.5", "-n", folder: folder.path)
    expectHarmless(run, statuses: [0])
    #expect(run.outText.hasPrefix("\(output): would be"), "\(run.outText)")
  }
}
