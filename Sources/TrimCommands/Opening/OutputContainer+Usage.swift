import CommandLineKit
import MediaEngine
import Trimming

extension OutputContainer {
  /// The container that the name of an output asks for.
  ///
  /// - Throws: `UsageError`, with the extensions there are.
  init(output name: [UInt8], command: String) throws(UsageError) {
    guard let container = OutputContainer(fileName: name) else {
      let known = Self.allCases.map(\.rules.ending).joined(separator: ", ")
      throw UsageError(
        "Unknown extension: '\(ForeignText.shown(name))'. Use one of \(known).", command: command)
    }
    self = container
  }
}
