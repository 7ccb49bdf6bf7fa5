/// A text file that names other files instead of containing media.
///
/// Recognized to tell users what their file is, whatever its name: nothing named in one is ever
/// opened.
package enum PlaylistKind: Sendable, CaseIterable {
  case hls, dash, concat, sdp, imf, pls, xspf, asx, smil

  /// The name for use in a sentence.
  package var text: String {
    switch self {
    case .hls: "an HLS or M3U playlist"
    case .dash: "a DASH manifest"
    case .concat: "an ffconcat script"
    case .sdp: "an SDP session description"
    case .imf: "an IMF composition playlist"
    case .pls: "a PLS playlist"
    case .xspf: "an XSPF playlist"
    case .asx: "an ASX playlist"
    case .smil: "a SMIL presentation"
    }
  }

  /// - Parameter bytes: the first ones of a file; a few kilobytes suffice.
  package init?(_ bytes: some Sequence<UInt8>) {
    var text = Array(bytes)[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    text = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let found = Self.allCases.first { kind in
      kind.firstWords.contains { text.starts(with: $0.utf8) }
    }
    if let found {
      self = found
      return
    }
    // An XML document is identified by its root element, after declarations and comments.
    guard text.first == UInt8(ascii: "<"),
      let kind = Self.allCases.first(where: { kind in
        kind.rootElements.contains { Self.opens($0, in: text) }
      })
    else { return nil }
    self = kind
  }

  private var firstWords: [String] {
    switch self {
    case .hls: ["#EXTM3U"]
    case .concat: ["ffconcat version"]
    case .sdp: ["v=0\r\n", "v=0\n"]
    case .pls: ["[playlist]"]
    case .dash, .imf, .xspf, .asx, .smil: []
    }
  }

  private var rootElements: [String] {
    switch self {
    case .dash: ["MPD"]
    case .imf: ["CompositionPlaylist"]
    case .xspf: ["playlist"]
    case .asx: ["asx", "ASX"]
    case .smil: ["smil"]
    case .hls, .concat, .sdp, .pls: []
    }
  }

  /// True where the element is opened, with or without a namespace prefix.
  private static func opens(_ element: String, in text: ArraySlice<UInt8>) -> Bool {
    let name = Array(element.utf8)
    var rest = text
    while let place = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(place + 1)...]
      var word = rest.prefix { !" \t\r\n/>".utf8.contains($0) }
      if let colon = word.firstIndex(of: UInt8(ascii: ":")) { word = word[(colon + 1)...] }
      if word.elementsEqual(name) { return true }
    }
    return false
  }
}

extension MediaError {
  /// Creates the error for a text that names other files.
  package init(_ playlist: PlaylistKind) {
    self.init(
      .notMedia, "it is \(playlist.text), not media",
      hint: "What it names is not opened; give the name of a media file itself.")
  }
}
