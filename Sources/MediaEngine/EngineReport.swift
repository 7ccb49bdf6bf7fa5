import Libav

/// The libraries that media reading depends on, for `--version`, `doctor` and bug reports.
public struct EngineReport: Sendable, Hashable {
  /// One library with the version that was loaded.
  public struct Library: Sendable, Hashable {
    /// Its name without path or file suffix, such as `libavcodec`, or `FFmpeg` for the whole.
    public var name: String
    /// The version that it reports.
    public var version: String
  }

  /// FFmpeg and its libraries as loaded at run time.
  public var libraries: [Library]
  /// The container formats that FFmpeg is always allowed to read, by FFmpeg's names.
  public var formats: [String]
  /// The further formats that FFmpeg reads in a process whose sandbox is complete.
  public var sealedFormats: [String]
  /// The only decoders that are used, by FFmpeg's names.
  public var decoders: [String]

  /// The Debian packages of the libraries that this was built for.
  package static var debianPackages: String { LibavLibrary.debianPackages }

  /// The file names of the libraries that are tried first.
  package static var tried: [String] { LibavLibrary.tried }

  /// Why libraries that are there are not used; `nil` where there are none of another version.
  package static func mismatch() -> String? {
    LibavLibrary.other.map(LibavLibrary.mismatch)
  }

  /// Loads FFmpeg's libraries and queries them; `nil` where they cannot be loaded.
  public static func current() -> EngineReport? {
    guard let versions = LibavLibrary.versions() else { return nil }
    return EngineReport(
      libraries: versions.map { Library(name: $0.name, version: $0.version) },
      formats: AllowList.formats, sealedFormats: AllowList.sealedFormats,
      decoders: AllowList.decoders)
  }
}
