/// A transformation matrix as headers store it: 16.16 numbers, the last column 2.30.
///
/// Row by row (ISO 14496-12, 8.2.2), which is also the layout of FFmpeg's display matrix.
package struct ISOMatrix: Hashable, Sendable {
  /// Nine numbers.
  package let elements: [Int32]

  package static let identity = ISOMatrix(checked: [
    1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30,
  ])

  private init(checked elements: [Int32]) { self.elements = elements }

  /// `nil` unless there are nine numbers.
  package init?(_ elements: some Collection<Int32>) {
    guard elements.count == 9 else { return nil }
    self.elements = Array(elements)
  }

  init(_ fields: inout FieldReader) {
    var elements: [Int32] = []
    for _ in 0..<9 { elements.append(fields.i32()) }
    self.elements = elements
  }
}

extension BoxWriter {
  mutating func matrix(_ matrix: ISOMatrix) {
    for element in matrix.elements { i32(element) }
  }
}
