import CommandLineKit

extension CommandTable {
  /// What fingers know from ffmpeg and other cutters, and how it is said here.
  static let habits: [String: String] = {
    let from = "The part starts at --from: --from 1:00.5."
    let end = "The part ends at --to (a time of the input) or after --for (a length)."
    let length = "How long the part is: --for 30. Where it ends: --to 1:30."
    let file = "The file is named without an option: trim cut clip.mp4 --from 5 --to 8."
    let output = "The output is named with -o: -o clip-trimmed.mp4."
    let copies = "To copy only, ends moved to keyframes: --mode copy."
    let reencodes = "To re-encode every frame: --mode reencode."
    let mode = "\(copies) \(reencodes)"
    let quality =
      "There is no setting for quality: only what must be is re-encoded, as good as the source. "
      + reencodes
    let force = "To replace the output if it exists: --force."
    let tracks = "To choose tracks: --tracks video,audio, or numbers that 'trim probe' shows."
    let type =
      "The extension of the output chooses its container: -o clip.mkv; for a pipe, "
      + "-o - --type mkv."
    let picturesOnly = "For the video only: --tracks video."
    let soundOnly = "For the sound only: --tracks audio, or an output such as clip.m4a."
    let index = "For fragments: --fragmented. The index is always written first."
    let several = "Several parts into one file: --keep 5..9 --keep 20..30 --join."
    return [
      "-ss": from, "-s": from, "--start": from, "--begin": from, "--in": from, "--seek": from,
      "--start-time": from, "-sseof": "A time from the end: --from -10.",
      "-to": end, "--end": end, "--out": end, "--stop": end, "--until": end, "--end-time": end,
      "-t": length, "-d": length, "--duration": length, "--length": length,
      "-i": file, "--input": file, "--file": file,
      "--out-file": output, "--outfile": output, "--output-file": output, "--dest": output,
      "-c": mode, "-codec": mode, "--codec": mode, "-c:v": mode, "-c:a": mode, "-vcodec": mode,
      "-acodec": mode, "--vcodec": mode, "--acodec": mode,
      "--copy": copies, "-copy": copies, "--lossless": copies, "--stream-copy": copies,
      "--reencode": reencodes, "--encode": reencodes, "--re-encode": reencodes,
      "--crf": quality, "-crf": quality, "-preset": quality, "--preset": quality,
      "--bitrate": quality, "-b:v": quality, "-b:a": quality, "-b": quality,
      "-qscale": quality, "-q:v": quality,
      "-y": force, "--yes": force, "--overwrite": force, "--replace": force,
      "-an": picturesOnly, "--no-audio": picturesOnly, "--no-video": soundOnly,
      "-map": tracks, "--track": tracks, "--streams": tracks,
      "--format": type, "--container": type,
      "--concat": several, "--merge": several, "--segments": several,
      "-movflags": index, "--movflags": index,
    ]
  }()

  /// What one file name too many means.
  static let outputHabit = "The output is named with -o: -o clip-trimmed.mp4."

  /// The command, which also says what stands here for the options of other programs: what it has no option for,
  /// `trim cut` has.
  static func answeringHabits(_ command: CommandSpec) -> CommandSpec {
    var answering = command
    answering.habit = { [options = command.options] word in
      guard let advice = habits[word] else { return nil }
      let known = options.flatMap(\.longNames)
      let named = advice.split { " :;,.()=".contains($0) }.filter { $0.hasPrefix("--") }
      return named.allSatisfy { known.contains(String($0.dropFirst(2))) }
        ? advice : "It is for 'trim cut': \(advice)"
    }
    return answering
  }
}
