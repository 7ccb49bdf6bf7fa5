/// The first line of a sealed process: the layers that it has entered, and its process ID, which a starter that
/// launched only the first of several does not know.
package struct SealGreeting: Equatable {
  package var layers: SandboxLayers
  package var process: Int32

  package init(_ layers: SandboxLayers, of process: Int32) {
    self.layers = layers
    self.process = process
  }

  package var line: [UInt8] { Array("sealed \(layers.rawValue) \(process)\n".utf8) }

  /// - Parameter line: without the newline.
  package init?(_ line: ArraySlice<UInt8>) {
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[0] == "sealed", let layers = UInt32(words[1]),
      let process = Int32(words[2]), process > 1
    else { return nil }
    self.init(SandboxLayers(rawValue: layers), of: process)
  }
}
