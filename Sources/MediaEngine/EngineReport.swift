import Libav

/// What reading media rests on here: for `--version`, `doctor` and reports of faults.
public struct EngineReport: Sendable, Hashable {
  public struct Library: Sendable, Hashable {
    public var name: String
    public var version: String
  }

  /// FFmpeg and its libraries as they are at run time.
  public var libraries: [Library]
  /// The container formats that are read, and no other, by FFmpeg's names.
  public var formats: [String]
  /// The decoders that are used, and no other, by FFmpeg's names.
  public var decoders: [String]

  /// Debian's packages of the libraries that this was built for; `nil` without FFmpeg.
  package static var debianPackages: String? {
    #if FFmpeg
      LibavLibrary.debianPackages
    #else
      nil
    #endif
  }

  /// Loads FFmpeg's libraries to ask them; `nil` where they cannot be loaded.
  public static func current() -> EngineReport? {
    #if FFmpeg
      guard let versions = LibavLibrary.versions() else { return nil }
      return EngineReport(
        libraries: versions.map { Library(name: $0.name, version: $0.version) },
        formats: AllowList.formats, decoders: AllowList.decoders)
    #else
      return nil
    #endif
  }
}
