/// The page and its resources, embedded in the program.
enum StaticPage {
  static func response(_ name: String) -> HTTPResponse? {
    guard let (type, bytes) = content(name) else { return nil }
    // A newer version of the program on the same port may have a different page.
    return HTTPResponse(200, type: type, .bytes(bytes), fields: [("Cache-Control", "no-cache")])
  }

  private static func content(_ name: String) -> (type: String, bytes: [UInt8])? {
    let script = "text/javascript; charset=utf-8"
    return switch name {
    case "index.html": ("text/html; charset=utf-8", PackageResources.index_html)
    case "studio.css": ("text/css; charset=utf-8", PackageResources.studio_css)
    case "icon.svg": ("image/svg+xml", PackageResources.icon_svg)
    case "studio.js": (script, PackageResources.studio_js)
    case "arrival.js": (script, PackageResources.arrival_js)
    case "beginning.js": (script, PackageResources.beginning_js)
    case "wire.js": (script, PackageResources.wire_js)
    case "times.js": (script, PackageResources.times_js)
    case "deck.js": (script, PackageResources.deck_js)
    case "player.js": (script, PackageResources.player_js)
    case "stream.js": (script, PackageResources.stream_js)
    case "track.js": (script, PackageResources.track_js)
    case "result.js": (script, PackageResources.result_js)
    case "timeline.js": (script, PackageResources.timeline_js)
    case "controls.js": (script, PackageResources.controls_js)
    case "keys.js": (script, PackageResources.keys_js)
    case "folders.js": (script, PackageResources.folders_js)
    case "list.js": (script, PackageResources.list_js)
    case "lists.js": (script, PackageResources.lists_js)
    case "markers.js": (script, PackageResources.markers_js)
    case "sounds.js": (script, PackageResources.sounds_js)
    case "find.js": (script, PackageResources.find_js)
    default: nil
    }
  }
}
