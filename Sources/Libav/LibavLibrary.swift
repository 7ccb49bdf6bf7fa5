import CFFmpeg
import CSystem
import Glibc
import LateFFmpeg
import Synchronization

/// FFmpeg's libraries, loaded when the first function of this module needs them.
package enum LibavLibrary {
  private enum Outcome {
    case loaded
    case failed(String)
  }

  private static let outcome: Outcome = {
    let failure = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 300) {
      buffer -> String? in
      guard let base = buffer.baseAddress else { return nil }
      unsafe base.initialize(repeating: 0, count: 300)
      return unsafe trim_ffmpeg_load(base, 299) == 0 ? nil : unsafe String(cString: base)
    }
    if let failure {
      guard trim_ffmpeg_is_starved() == 0, let other else {
        return .failed(failure)
      }
      return .failed(mismatch(with: other))
    }
    // One encoder writes to stderr, bypassing FFmpeg's log: limit it to errors.
    _ = unsafe setenv("SVT_LOG", "1", 0)
    LibavLog.install()
    return .loaded
  }()

  /// How often FFmpeg was requested on this thread while it was blocked.
  package static var refusals: UInt64 { trim_bar_refusals() }

  /// Does work without FFmpeg that may turn out to need it.
  ///
  /// - Parameter work: stays on its thread.
  /// - Returns: whether FFmpeg was requested meanwhile and refused; the result is then
  ///   worthless.
  package static func isMissed<Failure: Error>(
    by work: () throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    let before = trim_bar_refusals()
    trim_bar_raise()
    defer { trim_bar_lower() }
    do throws(Failure) {
      try work()
    } catch {
      if trim_bar_refusals() == before { throw error }
    }
    return trim_bar_refusals() != before
  }

  /// Does a part of such work for which FFmpeg may be used.
  package static func unbarred<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    trim_bar_lower()
    defer { trim_bar_raise() }
    return try work()
  }

  /// - Throws: ``LibavError`` of kind `unavailable`, or `noResources` where the libraries are there.
  package static func load() throws(LibavError) {
    if trim_bar_refuses() != 0 {
      throw LibavError(.unavailable, "FFmpeg is not allowed in this process")
    }
    if case .failed(let reason) = outcome {
      throw LibavError(trim_ffmpeg_is_starved() != 0 ? .noResources : .unavailable, reason)
    }
  }

  /// Debian's packages of the versions that this was built for.
  package static let debianPackages =
    "libavformat\(LIBAVFORMAT_VERSION_MAJOR) libavcodec\(LIBAVCODEC_VERSION_MAJOR) "
    + "libavutil\(LIBAVUTIL_VERSION_MAJOR) libswscale\(LIBSWSCALE_VERSION_MAJOR)"

  /// The FFmpeg that this was built for.
  private static let release = LIBAVFORMAT_VERSION_MAJOR - 54

  /// The file names of the libraries that are opened first.
  package static let tried: [String] = {
    var names: [String] = []
    while let name = unsafe trim_ffmpeg_tried(Int32(names.count)) {
      unsafe names.append(String(cString: name))
    }
    return names
  }()

  /// The version of an FFmpeg on this system that this was not built for, such as `9.0.2-4`.
  ///
  /// - Parameter folder: where to look for it; `nil` for where libraries are loaded from.
  package static func otherVersion(in folder: String? = nil) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 100) { buffer -> String? in
      guard let base = buffer.baseAddress else { return nil }
      unsafe base.initialize(repeating: 0, count: 100)
      guard unsafe trim_ffmpeg_find_other(folder, base, 99) == 0 else { return nil }
      return unsafe String(cString: base)
    }
  }

  /// The same where libraries are loaded from: found once, before a sandbox hides them.
  package static let other = otherVersion()

  /// Why another version's libraries are not used: their structures differ.
  package static func mismatch(with other: String) -> String {
    "this system has FFmpeg \(other), and this build of trim is for FFmpeg \(release)"
  }

  /// What to do where the libraries cannot be loaded.
  package static var advice: String {
    let packages = "apt-get install \(debianPackages)"
    return if other != nil {
      "Install the trim that is made for this release of Debian, or FFmpeg \(release) where there "
        + "is one: \(packages)"
    } else {
      "Install FFmpeg's libraries: \(packages)"
    }
  }

  private static let allocations = Mutex(Allocations())

  /// How large one allocation may be.
  private struct Allocations {
    /// `nil` until a limit is set.
    var bound: Int?
    var needs: [Int] = []

    func apply() {
      if let bound { av_max_alloc(max(bound, needs.max() ?? 0)) }
    }
  }

  /// While it exists, one allocation may be this large despite the limit: for sizes that this
  /// program chose, never for sizes from a file.
  package final class Allowance: Sendable {
    private let bytes: Int

    package init(bytes: Int) {
      self.bytes = bytes
      allocations.withLock {
        $0.needs.append(bytes)
        $0.apply()
      }
    }

    deinit {
      allocations.withLock { allocations in
        if let place = allocations.needs.firstIndex(of: bytes) {
          allocations.needs.remove(at: place)
        }
        allocations.apply()
      }
    }
  }

  /// Limits the size of each FFmpeg allocation (`av_max_alloc`).
  ///
  /// The limit applies to the process, so the first one stays: a later probe must not change it
  /// for one that is running.
  package static func limitAllocations(to bytes: Int) throws(LibavError) {
    try load()
    allocations.withLock { allocations in
      guard allocations.bound == nil else { return }
      allocations.bound = bytes
      allocations.apply()
    }
  }

  /// The versions found at run time, or `nil` when the libraries cannot be loaded.
  package static func versions() -> [(name: String, version: String)]? {
    guard (try? load()) != nil else { return nil }
    func text(_ version: UInt32) -> String {
      "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
    }
    return [
      ("FFmpeg", unsafe String(cString: av_version_info())),
      ("libavformat", text(avformat_version())), ("libavcodec", text(avcodec_version())),
      ("libavutil", text(avutil_version())),
    ]
  }
}
