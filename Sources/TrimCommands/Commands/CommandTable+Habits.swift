extension CommandTable {
  /// What fingers know from ffmpeg and other cutters, and how it is said here.
  static let habits: [String: String] = {
    let from = "The part starts at --from: --from 1:00.5."
    let end = "The part ends at --to (a time of the input) or after --for (a length)."
    let file = "The file is named without an option: trim cut clip.mp4 --from 5 --to 8."
    let mode = "To copy only, ends moved to keyframes: --mode copy."
    let force = "To replace the output if it exists: --force."
    return [
      "-ss": from, "--start": from, "--begin": from, "--in": from, "-to": end, "-t": end,
      "--end": end, "--out": end, "--duration": end, "--length": end, "-i": file, "--input": file,
      "-c": mode, "-codec": mode, "-c:v": mode, "-c:a": mode, "-vcodec": mode, "-acodec": mode,
      "-y": force, "--overwrite": force,
      "-an": "For the video only: --tracks video.", "-map": "To choose tracks: --tracks 1,2.",
    ]
  }()

  static let outputHabit = "The output is named with -o: -o clip-trimmed.mp4."
}
