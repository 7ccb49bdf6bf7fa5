/// Why a request is not answered now, although nothing is wrong with it: the same one may succeed a
/// moment later.
package struct StudioBusy: Error, Sendable {
  /// A sentence for people.
  package var message: String

  package init(_ message: String) { self.message = message }

  /// 503 (RFC 9110, 15.6.4), with the seconds after which to ask again.
  var response: HTTPResponse {
    var response = HTTPResponse(refusing: 503, message)
    response.fields.append(("Retry-After", "1"))
    return response
  }
}
