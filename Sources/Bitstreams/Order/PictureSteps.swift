/// How pictures follow each other in time and in decode order.
package enum PictureSteps {
  /// The lower median of the steps between consecutive times; `nil` for fewer than two times.
  package static func typicalStep(of times: some Sequence<Int64>) -> Int64? {
    let steps = sortedSteps(of: times)
    return steps.isEmpty ? nil : steps[(steps.count - 1) / 2]
  }

  /// The step that more than half of all steps share, if any.
  package static func usualStep(of times: some Sequence<Int64>) -> Int64? {
    let steps = sortedSteps(of: times)
    guard !steps.isEmpty else { return nil }
    let middle = steps[(steps.count - 1) / 2]
    return middle > 0 && 2 * steps.count(where: { $0 == middle }) > steps.count ? middle : nil
  }

  /// The step that all times share, if any.
  package static func constantStep(of times: some Sequence<Int64>) -> Int64? {
    let steps = sortedSteps(of: times)
    guard let least = steps.first, least == steps.last, least > 0 else { return nil }
    return least
  }

  /// The number of pictures that a decoder must wait for before it can output the first one.
  ///
  /// - Parameter shown: the decode-order index of each picture, in presentation order.
  package static func reorderDepth(of shown: [Int]) -> Int {
    zip(shown, shown.indices).reduce(0) { max($0, $1.0 - $1.1) }
  }

  private static func sortedSteps(of times: some Sequence<Int64>) -> [Int64] {
    zip(times, times.dropFirst()).map { $1 &- $0 }.sorted()
  }
}
