import CSystem

/// A hash that is the same in every process, for the names of state files.
enum StateHash {
  static func text(_ bytes: [UInt8]) -> String {
    var hash = trim_hash()
    trim_hash_begin(&hash)
    trim_hash_add(&hash, bytes, bytes.count)
    return String(trim_hash_end(&hash), radix: 16)
  }
}
