import CommandLineKit

extension CommandTable {
  static let studio = CommandSpec(
    name: "studio",
    abstract: "Trim in a browser on this machine, with audio, to the exact frame.",
    discussion: [
      "Prints a one-time address, and opens it in the desktop's browser if there is one. "
        + "Without --listen, the studio answers only this machine; from another, use 'ssh -L 8000:127.0.0.1:PORT'.",
      "Without a name it lists the media files of this folder. Ctrl-C or Quit on the page ends it.",
    ],
    arguments: [
      ArgumentSpec(
        name: "file", help: "Media files, saved projects, or folders that contain media files.",
        isOptional: true,
        isRepeated: true, kind: .file)
    ],
    options: [
      OptionSpec(
        long: "port", arity: .value("number", .text), help: "The port to listen on.",
        standard: "one that is free"),
      OptionSpec(
        long: "listen", arity: .value("address", .text),
        help: "An address of this machine that others can reach; traffic is not encrypted.",
        standard: "127.0.0.1"),
      OptionSpec(
        long: "address", arity: .value("host:port", .text),
        help: "What browsers call it where a container or a tunnel forwards to it: printed, and "
          + "answered. '--listen 0.0.0.0' needs it.",
        standard: "where it listens"),
      OptionSpec(long: "no-open", help: "Open no browser; only print the address."),
      OptionSpec(
        long: "output-folder", arity: .value("folder", .file),
        help: "Where results are written.", standard: "next to each file"),
      .projectSource, .noState,
      OptionSpec(
        long: "idle-exit", arity: .value("time", .text),
        help: "End when no page has been open for this long."),
    ] + OptionSpec.screen,
    exitStatuses: [
      "0 Ended by Quit on the page, or by --idle-exit.",
      "66 No media file was found.",
      "69 libmicrohttpd or FFmpeg is missing, or the port is taken.",
      "130 Ended by Ctrl-C.",
    ])
}
