#if FFmpeg
  import CFFmpeg
  import CSystem
  import LateFFmpeg
  import Synchronization

  #if canImport(Darwin)
    import Darwin
  #else
    import Glibc
  #endif

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
      if let failure { return .failed(failure) }
      // One encoder talks to stderr past FFmpeg's log; errors only.
      _ = unsafe setenv("SVT_LOG", "1", 0)
      LibavLog.install()
      return .loaded
    }()

    /// How often FFmpeg was asked for on this thread while it was kept out.
    package static var refusals: UInt64 { trim_bar_refusals() }

    /// Does work that may turn out to need FFmpeg, without it.
    ///
    /// - Parameter work: stays on its thread.
    /// - Returns: whether FFmpeg was asked for meanwhile, and refused; what was done is then worth
    ///   nothing.
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

    /// - Throws: ``LibavError`` of kind `unavailable`.
    package static func load() throws(LibavError) {
      if trim_bar_refuses() != 0 {
        throw LibavError(.unavailable, "FFmpeg is not let into this process")
      }
      if case .failed(let reason) = outcome { throw LibavError(.unavailable, reason) }
    }

    /// Debian's packages of the versions that this was built for.
    package static let debianPackages =
      "libavformat\(LIBAVFORMAT_VERSION_MAJOR) libavcodec\(LIBAVCODEC_VERSION_MAJOR) "
      + "libavutil\(LIBAVUTIL_VERSION_MAJOR) libswscale\(LIBSWSCALE_VERSION_MAJOR)"

    private static let allocations = Mutex(Allocations())

    /// How large one allocation may be.
    private struct Allocations {
      /// `nil` until somebody bounds them.
      var bound: Int?
      var needs: [Int] = []

      func apply() {
        if let bound { av_max_alloc(max(bound, needs.max() ?? 0)) }
      }
    }

    /// While it lives, one allocation may be so large in spite of the bound: for what this program
    /// itself decided on, never for what a file says.
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

    /// Bounds every single allocation of FFmpeg's (`av_max_alloc`).
    ///
    /// The bound is the process's, so the first one stays: a later probe must not move it under
    /// one that is running.
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
#endif
