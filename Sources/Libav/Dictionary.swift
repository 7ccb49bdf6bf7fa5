import CFFmpeg

/// An `AVDictionary` of options; freed with its owner.
@safe struct Options: ~Copyable {
  var pointer: OpaquePointer?

  init() { unsafe pointer = nil }

  mutating func set(_ key: String, _ value: String) {
    _ = unsafe av_dict_set(&pointer, key, value, 0)
  }

  deinit {
    var pointer = unsafe pointer
    unsafe av_dict_free(&pointer)
  }
}

/// The entries of one of FFmpeg's dictionaries, copied and bounded; text repaired to valid UTF-8.
func copiedTags(_ dictionary: OpaquePointer?) -> [(key: String, value: String)] {
  var tags: [(key: String, value: String)] = []
  var entry: UnsafeMutablePointer<AVDictionaryEntry>?
  while tags.count < 1000 {
    unsafe entry = unsafe av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
    guard let found = unsafe entry, let key = unsafe found.pointee.key,
      let value = unsafe found.pointee.value
    else { break }
    unsafe tags.append((boundedString(key), boundedString(value)))
  }
  return tags
}

/// At most 64 KiB of a C string.
private func boundedString(_ text: UnsafePointer<CChar>) -> String {
  var length = 0
  while length < 64 << 10, unsafe text[length] != 0 { length += 1 }
  let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length)
  return unsafe String(decoding: bytes, as: UTF8.self)
}
