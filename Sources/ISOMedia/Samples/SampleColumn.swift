/// One value for each sample, in order.
///
/// Values that grow by a constant step take no memory, however many there are: an hour of PCM,
/// where every audio sample is a sample of the file, costs as little as one sample. Other values are
/// stored one by one.
///
/// Reading is inlinable: unspecialized, it would cost a type metadata lookup for each sample of a
/// file.
package struct SampleColumn<Value: FixedWidthInteger & Sendable>: Sendable {
  package private(set) var count = 0
  @usableFromInline var first: Value = 0
  @usableFromInline var step: Value = 0
  private var expected = 0
  /// Empty as long as the values are linear.
  @usableFromInline var elements: ContiguousArray<Value> = []

  package init() {}

  init(_ values: [Value]) {
    expect(values.count)
    for value in values { append(value) }
  }

  /// True when the values form an arithmetic progression.
  @inlinable package var isLinear: Bool { elements.isEmpty }

  /// The value that all samples share; `nil` when they differ or there are none.
  package var common: Value? { count > 0 && isLinear && (step == 0 || count == 1) ? first : nil }

  /// The value of a sample, counted from 0.
  @inlinable package subscript(index: Int) -> Value {
    precondition(index >= 0 && index < count, "sample \(index) of \(count)")
    return isLinear ? first &+ step &* Value(truncatingIfNeeded: index) : elements[index]
  }

  mutating func append(_ value: Value) {
    if !isLinear {
      elements.append(value)
    } else if count == 0 {
      first = value
    } else if count == 1 {
      step = value &- first
    } else if value != first &+ step &* Value(truncatingIfNeeded: count) {
      spell()
      elements.append(value)
    }
    count += 1
  }

  /// Appends `value`, `value + step`, … without visiting each where possible.
  mutating func append(_ value: Value, step newStep: Value, count newCount: Int) {
    guard newCount > 0 else { return }
    if count == 0 {
      first = value
      step = newStep
      count = newCount
      return
    }
    if count == 1 { step = value &- first }
    let continues =
      isLinear && newStep == step && value == first &+ step &* Value(truncatingIfNeeded: count)
    if continues {
      count += newCount
      return
    }
    if newCount == 1 { return append(value) }
    if isLinear { spell() }
    var value = value
    for _ in 0..<newCount {
      elements.append(value)
      value = value &+ newStep
    }
    count += newCount
  }

  mutating func append(contentsOf other: SampleColumn) {
    if other.isLinear {
      append(other.first, step: other.step, count: other.count)
    } else {
      for value in other.elements { append(value) }
    }
  }

  /// Sets the number of values to come; nothing is allocated before they stop being linear.
  mutating func expect(_ total: Int) { expected = total }

  private mutating func spell() {
    elements.reserveCapacity(max(expected, count + 1))
    var value = first
    for _ in 0..<count {
      elements.append(value)
      value = value &+ step
    }
  }
}
