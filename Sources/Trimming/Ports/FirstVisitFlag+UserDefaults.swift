#if canImport(Darwin)
  import Foundation
  import Synchronization

  extension FirstVisitFlag {
    /// A flag in the app's user defaults, which must be written by one process only.
    ///
    /// - Parameters:
    ///   - suiteName: an app group's suite; `nil` for the standard defaults.
    ///   - key: the key of a Boolean.
    public static func userDefaults(
      suiteName: String? = nil, key: String = "hasVisitedTrimmingScreen"
    ) -> FirstVisitFlag {
      FirstVisitFlag(
        claim: {
          try claims.withLock { _ in
            let defaults = try defaults(suiteName)
            guard !defaults.bool(forKey: key) else { return false }
            defaults.set(true, forKey: key)
            return true
          }
        },
        reset: { try claims.withLock { _ in try defaults(suiteName).removeObject(forKey: key) } },
        isClaimed: { try defaults(suiteName).bool(forKey: key) })
    }

    private static let claims = Mutex(())

    private static func defaults(_ suiteName: String?) throws -> UserDefaults {
      guard let suiteName else { return .standard }
      guard let defaults = UserDefaults(suiteName: suiteName) else {
        throw VideoFailure("the user defaults “\(suiteName)” cannot be opened")
      }
      return defaults
    }
  }
#endif
