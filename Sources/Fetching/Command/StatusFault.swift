/// What a status of an answer (RFC 9110, 15) means for whoever wants the file.
enum StatusFault {
  static func of(_ status: Int) -> FetchFault {
    switch status {
    case 401:
      FetchFault(
        .permissionDenied, "its server wants credentials (401)",
        hint: "Pass them with --header-file, or in TRIM_HTTP_HEADERS.")
    case 403:
      FetchFault(
        .permissionDenied, "its server refuses it (403)",
        hint: "A signed address is valid for a limited time only.")
    case 404: FetchFault(.inputMissing, "its server has no such file (404)")
    case 410: FetchFault(.inputMissing, "its server no longer has this file (410)")
    case 408: FetchFault(.serverBusy, "its server did not wait for the request (408)")
    case 425: FetchFault(.serverBusy, "its server is not ready for the request (425)")
    case 429: FetchFault(.serverBusy, "its server takes no more requests for now (429)")
    case 500...599: FetchFault(.serverBusy, "its server failed (\(status))")
    default: FetchFault(.answerInvalid, "its server answers with status \(status)")
    }
  }

  static func isPassing(_ status: Int) -> Bool {
    switch status {
    case 408, 425, 429, 500, 502, 503, 504, 507...599: true
    default: false
    }
  }
}
