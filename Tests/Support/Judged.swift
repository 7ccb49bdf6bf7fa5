import Foundation

/// Other people's files that once gave wrong results, found through `TRIM_JUDGED`, and always
/// optional.
package enum Judged {
  package static let folder: String? = {
    guard let folder = ProcessInfo.processInfo.environment["TRIM_JUDGED"], !folder.isEmpty,
      FileManager.default.fileExists(atPath: folder + "/MANIFEST.tsv")
    else { return nil }
    return folder
  }()

  /// The message of tests that are skipped without them.
  package static let absence = "no folder of judged clips: set TRIM_JUDGED to it"

  package static func path(_ name: String) -> String { (folder ?? "") + "/" + name }
}
