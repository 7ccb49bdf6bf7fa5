public import Trimming

extension FirstVisitFlag {
  /// The flag of this user on this machine: a marker file in the state directory.
  ///
  /// `$XDG_STATE_HOME/trim/visited-trimming-screen`, or under `$HOME/.local/state` where that
  /// variable is unset, empty or not absolute (XDG Base Directory Specification, 0.8). Where there
  /// is no such directory, or it cannot be written, the functions throw an error with a readable
  /// one-line description.
  public static func markerFile(environment: [String: String]) -> FirstVisitFlag {
    FirstVisitFlag(
      claim: { try marker(environment).claim() },
      reset: { try marker(environment).reset() },
      isClaimed: { try marker(environment).exists() })
  }

  private static func marker(_ environment: [String: String]) throws(StateError) -> MarkerFile {
    guard let folder = StateFolder(environment: environment) else {
      throw StateError(.noHome, "", 0)
    }
    return MarkerFile(directory: folder.path, name: "visited-trimming-screen")
  }
}
