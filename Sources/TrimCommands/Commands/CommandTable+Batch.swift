import CommandLineKit

extension CommandTable {
  static let batch = CommandSpec(
    name: "batch",
    abstract: "Run many tasks: one per line in, one row of JSON per task out, in order.",
    discussion: [
      "A task is a JSON object on one line: {\"id\": \"42\", \"op\": \"probe\", \"path\": "
        + "\"clip.mp4\"}. The op is probe, check, plan, cut, cuts, join, find, strip, wave or "
        + "timeline; the other members are \"output\" and the options of that command, with underscores; "
        + "cuts is cut with a \"list\" of what is kept or removed, and join has \"paths\". A line that is "
        + "not JSON is the path of a file to probe.",
      "Tasks run in sandboxed processes: the files of a task are opened for them, and they can "
        + "reach nothing else: no files, network or other processes. One that dies costs one row.",
      "With --results a run that is killed at any moment continues with --skip-done: an output is "
        + "recorded (a row of kind \"intent\") before it appears, and recognized later.",
    ],
    arguments: [
      ArgumentSpec(
        name: "tasks", help: "A file of tasks; standard input if none is named.",
        isOptional: true, kind: .file)
    ],
    options: [
      OptionSpec(
        long: "results", arity: .value("file", .file), help: "Also append every row to a file."),
      OptionSpec(
        long: "skip-done",
        help: "Skip what the results file lists as done, unless the source has changed."),
      OptionSpec(
        long: "shard", arity: .value("i/n", .text),
        help: "Do only part i of n, from 0/n to (n-1)/n, chosen by the path."),
      OptionSpec(
        long: "failures",
        arity: .value("what", .choices(BatchOptions.Failures.allCases.map(\.rawValue))),
        help: "count: a failed row makes the exit status 1; ok: it does not; fatal: it ends the "
          + "run.", standard: "count"),
      OptionSpec(
        long: "unordered", help: "Print each row as soon as its task is done, in any order."),
      OptionSpec(
        long: "jobs", short: "j", arity: .value("count", .text),
        help: "Tasks at once.", standard: "the number of processors"),
      OptionSpec(
        long: "timeout", arity: .value("time", .text),
        help: "Time limit of one task; after twice that, its process is killed.",
        standard: "60 s plus 1 s per 100 MB; ten times that for tasks that decode"),
      OptionSpec(
        long: "range-sockets", arity: .value("fds", .text),
        help: "Read files such as s3://bucket/key through the program that started the batch: it "
          + "answers on these sockets."),
    ],
    exitStatuses: [
      "0 Every task was done; with --failures ok, every task got its row.",
      "1 At least one task failed.",
      "66 The list of tasks is missing.",
      "73 The results file cannot be created, or contains something else.",
      "74 The results cannot be written.",
      "143 Terminated; the tasks that had begun were finished.",
    ])
}
