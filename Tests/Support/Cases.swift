import Foundation

/// Files of the kinds that people report as cut or read wrong, found through `TRIM_CASES`, and always
/// optional.
package enum Cases {
  package static let folder: String? = {
    guard let folder = ProcessInfo.processInfo.environment["TRIM_CASES"], !folder.isEmpty,
      FileManager.default.fileExists(atPath: folder)
    else { return nil }
    return folder
  }()

  /// The message of tests that are skipped without them.
  package static let absence = "no folder of reported cases: set TRIM_CASES to it"

  package static func path(_ name: String) -> String { (folder ?? "") + "/" + name }
}
