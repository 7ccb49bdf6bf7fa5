/// The header fields of every response, so that a browser lets no other site use it.
enum SafetyFields {
  static let all: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        + "media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ), ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), usb=()"),
  ]
}

extension HTTPResponse {
  /// The response with these fields; the browser caches data only if the response allows it.
  package var safe: HTTPResponse {
    var response = self
    response.fields += SafetyFields.all
    if !fields.contains(where: { $0.name == "Cache-Control" }) {
      response.fields.append(("Cache-Control", "no-store"))
    }
    return response
  }
}
