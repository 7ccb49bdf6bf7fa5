/// Why something could not be fetched, in words that contain no query, credentials or header fields.
package struct FetchFault: Error, Sendable, Hashable {
  /// The names are those of `MediaErrorCode`, as written in JSON.
  package enum Code: String, Sendable, CaseIterable {
    /// Not an `http` or `https` address that can be asked for.
    case addressInvalid
    /// The address, or one that it leads to, is one that may not be reached.
    case addressRefused
    /// No server with that name, or none that accepts a connection.
    case serverUnreachable
    /// The server's certificate is not valid, or TLS failed.
    case tlsFailed
    /// 404 and 410.
    case inputMissing
    /// 401 and 403.
    case permissionDenied
    /// It sends no ranges where they are needed.
    case rangesMissing
    /// What the server answered contradicts HTTP or itself.
    case answerInvalid
    /// 429, a server's error or a dropped connection, after the retries.
    case serverBusy
    /// It stopped sending.
    case stalled
    /// The time for the request is used up.
    case timedOut
    /// The file was changed while it was being read.
    case inputChanged
    case cancelled
    /// libcurl or the certificates are missing, or no process can be started.
    case fetcherMissing
    /// The process that fetches cannot be sealed as required.
    case notIsolated
    case internalError
  }

  package var code: Code
  /// What happened.
  package var message: String
  /// What to do about it.
  package var hint: String?

  package init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }
}
