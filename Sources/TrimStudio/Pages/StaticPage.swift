import StudioPage

/// The page and its resources, embedded in the program.
enum StaticPage {
  static func response(_ name: String) -> HTTPResponse? {
    guard let type = type(of: name), let bytes = bytes(name) else { return nil }
    // A newer version of the program on the same port may have a different page.
    return HTTPResponse(200, type: type, .bytes(bytes), fields: [("Cache-Control", "no-cache")])
  }

  /// A file of Resources; `nil` where there is none of this name.
  static func bytes(_ name: String) -> [UInt8]? {
    guard let file = trim_find_studio_file(name)?.pointee else { return nil }
    return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }

  private static func type(of name: String) -> String? {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "js": "text/javascript; charset=utf-8"
    default: nil
    }
  }
}
