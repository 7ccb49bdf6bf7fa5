import CommandLineKit
import MediaEngine
import Trimming

extension OutputContainer {
  /// Creates the container that an output's file name implies.
  ///
  /// - Throws: `UsageError`, with the supported extensions.
  init(output name: [UInt8], command: String) throws(UsageError) {
    guard let container = OutputContainer(fileName: name) else {
      let known = Self.allCases.map(\.rules.ending).joined(separator: ", ")
      throw UsageError(
        "Unknown extension: '\(ForeignText.shown(name))'. Use one of \(known).", command: command)
    }
    self = container
  }
}
