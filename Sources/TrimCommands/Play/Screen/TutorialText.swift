/// What the first visit is told, by the names of the controls and never by place or colour.
enum TutorialText {
  /// Four lines that fit a screen of 40 columns.
  static let lines = [
    "In to out plays again and again.",
    "Space pauses, arrows move by 1 s.",
    "i sets in and o out, where you are.",
    "Any key closes this, ? lists keys.",
  ]
}
