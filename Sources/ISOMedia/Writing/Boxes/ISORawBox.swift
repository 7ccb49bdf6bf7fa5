/// A box as bytes, which a cut carries over without parsing it.
package struct ISORawBox: Hashable, Sendable {
  package let type: FourCC
  /// Header and content.
  package let bytes: [UInt8]

  /// - Parameter payload: what follows the header; below 4 GiB.
  package init(_ type: FourCC, payload: some Collection<UInt8>) {
    self.type = type
    var writer = BoxWriter()
    writer.reserve(payload.count + 8)
    writer.box(type) { $0.raw(payload) }
    bytes = writer.bytes
  }

  /// What follows the header.
  package var payload: ArraySlice<UInt8> { bytes.dropFirst(8) }

  init(_ box: Box) { self.init(box.type, payload: box.payload.bytes) }

  init(_ type: FourCC, _ content: (inout BoxWriter) -> Void) {
    var writer = BoxWriter()
    writer.box(type, content)
    self.type = type
    bytes = writer.bytes
  }

  var view: ByteView { ByteView(Array(payload), fileOffset: 0) }
}

extension [ISORawBox] {
  /// The first box of a type.
  package func first(_ type: FourCC) -> ISORawBox? { first { $0.type == type } }
}
