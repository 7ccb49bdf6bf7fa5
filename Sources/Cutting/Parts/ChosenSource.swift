/// What a plan is made for: one source, or several that are joined.
enum ChosenSource {
  case one(any CutSource)
  case joined(JoinedSource)

  var source: any CutSource {
    switch self {
    case .one(let source): source
    case .joined(let source): source
    }
  }

  /// The several; `nil` for one.
  var joined: JoinedSource? {
    guard case .joined(let source) = self else { return nil }
    return source
  }
}
