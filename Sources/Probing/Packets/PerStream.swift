/// An optional value per stream, in an array because it is accessed for every packet.
package struct PerStream<Value> {
  private var values: [Value?] = []

  package init() {}

  /// - Parameter stream: its number, which FFmpeg counts from 0.
  package subscript(stream: Int) -> Value? {
    get { values.indices.contains(stream) ? values[stream] : nil }
    // In place, because the value may be as long as the stream.
    _modify {
      while values.count <= stream { values.append(nil) }
      yield &values[stream]
    }
  }

  package subscript(stream: Int, default value: Value) -> Value {
    get { self[stream] ?? value }
    set { self[stream] = newValue }
  }
}

extension PerStream: Sendable where Value: Sendable {}

/// A set of streams.
package struct StreamSet: Sendable {
  private var members = PerStream<Bool>()

  package init() {}

  package func contains(_ stream: Int) -> Bool { members[stream] == true }

  /// - Returns: whether it was not there before.
  @discardableResult
  package mutating func insert(_ stream: Int) -> Bool {
    if contains(stream) { return false }
    members[stream] = true
    return true
  }

  package mutating func remove(_ stream: Int) { members[stream] = nil }
}
