/// The library that speaks HTTP, as the process that fetches found it.
package struct FetchLibrary: Codable, Sendable, Hashable {
  /// Of libcurl, such as "7.88.1".
  package var version: String
  /// The library for TLS with its version; `nil` where there is none, so that `https` cannot be fetched.
  package var tls: String?
  package var hasHTTP2: Bool

  /// The Debian packages that fetching needs.
  package static let debianPackages = "libcurl4 ca-certificates"

  package init(version: String, tls: String?, hasHTTP2: Bool) {
    self.version = version
    self.tls = tls
    self.hasHTTP2 = hasHTTP2
  }
}
