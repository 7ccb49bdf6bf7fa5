import ExactTime

/// What an admitted request is for.
enum Route: Sendable, Equatable {
  case page(String)
  case exchangeToken
  /// A browser has been admitted, with a cookie.
  case entered(String)
  case files
  /// What is in a folder; `nil` for the outermost.
  case folder(Int?)
  /// A file of a folder becomes one of the studio's.
  case openFile
  /// The arrival of a page; `nil` if it does not state which file.
  case arrival(Int?)
  case quit
  /// A resource of one file.
  case file(Int, FileRoute)

  /// The media of a file, or of a previewed result.
  enum Shown: Sendable, Equatable {
    case media
    case still(MediaTime, width: Int, height: Int)
    case segment(StudioPictures.Kind, StudioPictures.Coding, MediaTimeRange)
  }

  enum FileRoute: Sendable, Equatable {
    /// Whether it can be opened.
    case check
    /// The data that does not change while it is open.
    case opening
    /// The reading progress.
    case reading
    /// A resource of its beginning, while it is being read.
    case look(Shown)
    case events(page: String)
    case input
    case text
    case shown(Shown)
    case strip(MediaTimeRange, count: Int, height: Int)
    case levels(MediaTimeRange, count: Int)
    case result(Int)
    /// What is in a folder for outputs; `nil` for the outermost.
    case folder(Int?)
    /// Makes a folder for outputs.
    case makeFolder
    /// The exact frame at an instant, as a file to keep.
    case snapshot(MediaTime)
    /// A segment, or the levels, of another audio track than the one that is heard by default.
    case soundSegment(track: Int, StudioPictures.Coding, MediaTimeRange)
    case soundLevels(track: Int, MediaTimeRange, count: Int)
    /// Looks for something.
    case find
    /// Stops looking.
    case endFind
    /// What was found.
    case findings
    /// A piece of a list that becomes parts.
    case importList
    /// Writes the parts as a list.
    case exportList
    /// Adds parts of another file of the studio.
    case addSource
    /// Saves the work beside the output.
    case saveProject
    /// Makes a preview of the current selection before it is written.
    case makePreview
    /// Ends the preview.
    case endPreview
    /// A resource of the preview with a number.
    case preview(Int, Shown)
  }

  static let widestStill = 3840
  static let mostTiles = 60
  static let mostLevels = 4000
  /// The maximum length of a preview segment.
  static let longestSegment = MediaDuration(10)

  /// Returns `nil` if there is nothing at the address.
  init?(_ request: AdmittedRequest) {
    let isPost = request.method == .post
    switch request.path {
    case [] where !isPost: self = .page("index.html")
    case let path where StaticPath.isOne(path) && !isPost: self = .page(path[0])
    case ["session"] where isPost: self = .exchangeToken
    case ["files"] where !isPost: self = .files
    case ["folders"] where !isPost: self = .folder(nil)
    case let path where path.count == 2 && path[0] == "folders" && !isPost:
      guard let number = Query.number(path[1]) else { return nil }
      self = .folder(number)
    case ["open"] where isPost: self = .openFile
    case ["arrival"] where !isPost:
      let query = Query(values: request.query)
      guard query.values["file"] == nil || query.file != nil else { return nil }
      self = .arrival(query.file)
    case ["quit"] where isPost: self = .quit
    case let path where path.count >= 3 && path[0] == "files":
      guard let id = Int(path[1]), "\(id)" == path[1],
        let route = FileRoute(Array(path[2...]), isPost: isPost, Query(values: request.query))
      else { return nil }
      self = .file(id, route)
    default: return nil
    }
  }
}

extension Route.FileRoute {
  fileprivate init?(_ path: [String], isPost: Bool, _ query: Query) {
    switch (path[0], path.count) {
    case ("input", 1) where isPost: self = .input
    case ("text", 1) where isPost: self = .text
    case ("events", 1) where !isPost:
      guard let page = query.page else { return nil }
      self = .events(page: page)
    case ("check", 1) where !isPost: self = .check
    case ("opening", 1) where !isPost: self = .opening
    case ("reading", 1) where !isPost: self = .reading
    case ("look", 2) where !isPost:
      guard let shown = Route.Shown(path[1], query) else { return nil }
      self = .look(shown)
    case ("strip", 1) where !isPost:
      guard let range = query.range, let count = query.count("count", to: Route.mostTiles),
        let height = query.count("height", to: 200)
      else { return nil }
      self = .strip(range, count: count, height: height)
    case ("levels", 1) where !isPost:
      guard let range = query.range, let count = query.count("count", to: Route.mostLevels) else {
        return nil
      }
      self = .levels(range, count: count)
    case ("folders", 1): self = isPost ? .makeFolder : .folder(nil)
    case ("folders", 2) where !isPost:
      guard let number = Query.number(path[1]) else { return nil }
      self = .folder(number)
    case ("snapshot", 1) where !isPost:
      guard let time = query.time("at") else { return nil }
      self = .snapshot(time)
    case ("sounds", 3) where !isPost:
      guard let track = Query.number(path[1]),
        let sound = Route.FileRoute(ofSound: track, path[2], query)
      else { return nil }
      self = sound
    case ("find", 1) where isPost: self = .find
    case ("find", 2) where isPost && path[1] == "end": self = .endFind
    case ("findings", 1) where !isPost: self = .findings
    case ("list", 1) where isPost: self = .importList
    case ("list", 2) where isPost && path[1] == "written": self = .exportList
    case ("sources", 1) where isPost: self = .addSource
    case ("project", 1) where isPost: self = .saveProject
    case ("preview", 1) where isPost: self = .makePreview
    case ("preview", 2) where isPost && path[1] == "end": self = .endPreview
    case ("preview", 3) where !isPost:
      guard let number = Query.number(path[1]), let shown = Route.Shown(path[2], query) else {
        return nil
      }
      self = .preview(number, shown)
    case ("results", 2) where !isPost:
      guard let number = Query.number(path[1]) else { return nil }
      self = .result(number)
    case (_, 1) where !isPost:
      guard let shown = Route.Shown(path[0], query) else { return nil }
      self = .shown(shown)
    default: return nil
    }
  }
}

extension Route.FileRoute {
  fileprivate init?(ofSound track: Int, _ name: String, _ query: Query) {
    switch (name, Route.Shown(name, query)) {
    case (_, .segment(.sound, let coding, let range)):
      self = .soundSegment(track: track, coding, range)
    case ("levels", _):
      guard let range = query.range, let count = query.count("count", to: Route.mostLevels) else {
        return nil
      }
      self = .soundLevels(track: track, range, count: count)
    default: return nil
    }
  }
}

extension Route.Shown {
  fileprivate init?(_ name: String, _ query: Query) {
    switch name {
    case "media": self = .media
    case "still":
      guard let time = query.time("at"), let width = query.count("width", to: Route.widestStill),
        let height = query.count("height", to: Route.widestStill)
      else { return nil }
      self = .still(time, width: width, height: height)
    case "segment":
      guard let kind = query.values["kind"].flatMap(StudioPictures.Kind.init(rawValue:)),
        let coding = query.values["as"].flatMap(StudioPictures.Coding.init(rawValue:)),
        let range = query.range, range.length <= Route.longestSegment, range.start >= .zero
      else { return nil }
      self = .segment(kind, coding, range)
    default: return nil
    }
  }
}

/// The values of a query, each accepted in one form only.
private struct Query {
  let values: [String: String]

  func time(_ name: String) -> MediaTime? {
    values[name].flatMap { Rational(exactly: $0) }.map { MediaTime(seconds: $0) }
  }

  func count(_ name: String, to most: Int) -> Int? {
    values[name].flatMap { Int($0) }.flatMap { (1...most).contains($0) ? $0 : nil }
  }

  /// An index in a list, accepted in one form only.
  static func number(_ text: String) -> Int? {
    Int(text).flatMap { (0..<1_000_000).contains($0) && "\($0)" == text ? $0 : nil }
  }

  var file: Int? { values["file"].flatMap(Query.number) }

  var range: MediaTimeRange? {
    guard let from = time("from"), let to = time("to"), from < to,
      let range = MediaTimeRange(from: from, to: to), (try? range.checkedLength()) != nil
    else { return nil }
    return range
  }

  /// A page's own name.
  var page: String? {
    values["page"].flatMap { (1...64).contains($0.utf8.count) ? $0 : nil }
  }
}
