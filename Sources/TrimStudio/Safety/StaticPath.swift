/// The paths of the page and its resources: the same for everyone, and without secrets.
enum StaticPath {
  static let names: Set<String> = [
    "studio.css", "studio.js", "arrival.js", "beginning.js", "wire.js", "times.js", "deck.js",
    "stream.js", "track.js", "player.js", "result.js", "timeline.js", "controls.js", "keys.js",
    "folders.js", "list.js", "lists.js", "markers.js", "sounds.js", "find.js",
    "icon.svg",
  ]

  static func isOne(_ path: [String]) -> Bool {
    path.isEmpty || path.count == 1 && names.contains(path[0])
  }
}
