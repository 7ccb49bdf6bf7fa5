import CommandLineKit

extension CommandTable {
  static let studio = CommandSpec(
    name: "studio",
    abstract: "Trim in a browser of this machine, with sound, to the exact frame.",
    discussion: [
      "Prints an address that lets one browser in, and opens the desktop's where there is one. "
        + "It answers this machine alone; from another, 'ssh -L 8000:127.0.0.1:PORT' leads to it.",
      "Without a name it lists the media files of this folder. Ctrl-C or Quit on the page ends it.",
    ],
    arguments: [
      ArgumentSpec(
        name: "file", help: "Media files, and folders that hold some.", isOptional: true,
        isRepeated: true, kind: .file)
    ],
    options: [
      OptionSpec(
        long: "port", arity: .value("number", .text), help: "The port to listen on.",
        standard: "one that is free"),
      OptionSpec(
        long: "listen", arity: .value("address", .text),
        help: "An address of this machine that others reach; they then read what is not encrypted.",
        standard: "127.0.0.1"),
      OptionSpec(long: "no-open", help: "Open no browser; print the address alone."),
      OptionSpec(
        long: "output-folder", arity: .value("folder", .file),
        help: "Where results are written.", standard: "beside each file"),
      OptionSpec(
        long: "idle-exit", arity: .value("time", .text),
        help: "End when no page has been open for so long."),
    ] + OptionSpec.screen,
    exitStatuses: [
      "0 Ended by Quit on the page, or with --idle-exit.",
      "66 There is no media file.",
      "69 There is no libmicrohttpd, no FFmpeg, or the port is taken.",
      "130 Ended by Ctrl-C.",
    ])
}
