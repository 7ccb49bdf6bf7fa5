/// The text for the first visit, which refers to controls by name, never by position or color.
enum TutorialText {
  static let lines = [
    "Everything between In and Out plays, again and again.",
    "Press i to set In here, o to set Out.",
    "Space pauses, arrows move by 1 s.",
    "Press any key to start. ? shows all keys.",
  ]
}
