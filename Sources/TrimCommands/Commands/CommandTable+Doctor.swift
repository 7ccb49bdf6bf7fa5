import CommandLineKit

extension CommandTable {
  static let doctor = CommandSpec(
    name: "doctor",
    abstract: "Show what works on this machine.",
    options: [OptionSpec(long: "json", help: "Print a JSON document.")],
    exitStatuses: [
      "0 Everything essential is there.", "69 An essential part is missing.",
    ])
}
