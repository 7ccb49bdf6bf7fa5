/// A request as received, with nothing decoded.
package struct HTTPRequest: Sendable, Equatable {
  package var method: String
  /// The path and the query after `?`.
  package var target: String
  /// Fields with lowercase names, in the order received; a name may occur twice.
  package var fields: [Field]
  package var body: [UInt8]

  package struct Field: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name.lowercased()
      self.value = value
    }
  }

  package init(
    _ method: String, _ target: String, fields: [Field] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.fields = fields
    self.body = body
  }

  /// Every value of a field.
  package func values(_ name: String) -> [String] {
    fields.filter { $0.name == name }.map(\.value)
  }

  /// The value of a field that occurs once; `nil` for none or several.
  package func single(_ name: String) -> String? {
    let values = values(name)
    return values.count == 1 ? values[0] : nil
  }
}
