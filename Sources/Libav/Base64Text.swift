import CFFmpeg

/// Base64 encoding of bytes (RFC 4648, 4).
package enum Base64Text {
  package static func of(_ bytes: [UInt8]) throws(LibavError) -> String {
    let size = (bytes.count + 2) / 3 * 4 + 1
    guard let count = Int32(exactly: bytes.count), let most = Int32(exactly: size) else {
      throw LibavError(.outOfMemory, "too many bytes for Base64")
    }
    var text = [CChar](repeating: 0, count: size)
    _ = unsafe text.withUnsafeMutableBufferPointer { text in
      unsafe av_base64_encode(text.baseAddress, most, bytes, count)
    }
    return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
