import ExactTime

extension ISOSampleEntry {
  /// Parses an entry of `stsd`; its layout depends on the handler and the format.
  init(_ box: Box, handler: FourCC?, descriptionVersion: UInt8) {
    format = box.type
    offset = box.offset
    var fields = box.fields
    fields.skip(6)
    dataReferenceIndex = fields.u16()
    switch handler {
    case "vide"?, "pict"?, "auxv"?: readVideo(&fields)
    case "soun"?: readAudio(&fields, descriptionVersion: descriptionVersion)
    default: break
    }
    if Self.encryptedFormats.contains(format) { encryption = Encryption() }
    guard video != nil || audio != nil else { return }
    collect(BoxSequence(fields.rest), depth: 0)
    readConfigurations()
  }

  /// The formats that mark encrypted samples (ISO 14496-12, 8.12).
  private static let encryptedFormats: Set<FourCC> = ["encv", "enca", "enct", "encs", "encm"]

  private mutating func readVideo(_ fields: inout FieldReader) {
    fields.skip(16)
    let width = Int(fields.u16())
    let height = Int(fields.u16())
    fields.skip(14)
    let name = fields.bytes(32)
    let depth = Int(fields.u16())
    fields.skip(2)
    guard !fields.isShort else { return }
    video = Video(width: width, height: height, depth: depth)
    video?.compressorName = Text.pascal(name)
  }

  private mutating func readAudio(_ fields: inout FieldReader, descriptionVersion: UInt8) {
    let version = fields.u16()
    fields.skip(6)
    var audio = Audio(
      channels: Int(fields.u16()), sampleSize: Int(fields.u16()), sampleRate: nil,
      version: version)
    fields.skip(4)
    let rate = Int(fields.u32() >> 16)
    audio.sampleRate = rate > 0 ? rate : nil
    guard !fields.isShort else { return }
    // ISO's own version 1 (12.2.3.2) goes with version 1 of stsd and has no further fields.
    if version == 1, descriptionVersion == 0 {
      audio.samplesPerPacket = fields.u32()
      fields.skip(4)
      audio.bytesPerFrame = fields.u32()
      fields.skip(4)
    } else if version == 2 {
      fields.skip(4)
      let rate = Double(bitPattern: fields.u64())
      audio.sampleRate = Int(exactly: rate).flatMap { $0 > 0 ? $0 : nil }
      audio.channels = Int(fields.u32())
      fields.skip(4)
      audio.sampleSize = Int(fields.u32())
      audio.formatFlags = fields.u32()
      audio.bytesPerFrame = fields.u32()
      audio.samplesPerPacket = fields.u32()
    }
    self.audio = audio
  }

  private static let mostBoxes = 64

  /// Keeps the boxes of the entry and of QuickTime's `wave`, which wraps the same kinds.
  private mutating func collect(_ children: BoxSequence, depth: Int) {
    for box in children where boxes.count < Self.mostBoxes {
      boxes.append(box)
      if box.type == "wave", depth == 0 { collect(box.children(), depth: 1) }
    }
  }

  private mutating func readConfigurations() {
    for box in boxes {
      switch box.type {
      case "esds":
        elementaryStream = elementaryStream ?? ISOElementaryStream(box.payload)
      case "sinf": readProtection(box)
      case "frma": originalFormat = originalFormat ?? box.fields.view.fourCC(0)
      case "srat": readSamplingRate(box)
      default: readVisual(box)
      }
    }
    // The format in a wrapper may be the same one: QuickTime repeats the entry's in `wave`.
    if originalFormat == format { originalFormat = nil }
  }

  private mutating func readProtection(_ box: Box) {
    var encryption = Encryption()
    for child in box.children() {
      if child.type == "frma" { originalFormat = child.payload.fourCC(0) }
      if child.type == "schm" { encryption.scheme = child.payload.fourCC(4) }
    }
    self.encryption = encryption
  }

  private mutating func readSamplingRate(_ box: Box) {
    let rate = Int(box.payload.u32(4))
    if rate > 0 { audio?.sampleRate = rate }
  }

  private mutating func readVisual(_ box: Box) {
    guard video != nil else { return }
    switch box.type {
    case "pasp":
      let ratio = try? Rational(
        checked: Int128(box.payload.u32(0)), over: Int128(box.payload.u32(4)))
      if let ratio, ratio.isPositive { video?.sampleAspectRatio = ratio }
    case "colr": readColor(box.payload)
    case "fiel":
      guard box.payload.count >= 2 else { return }
      video?.fields = Fields(count: box.payload.u8(0), order: box.payload.u8(1))
    default: break
    }
  }

  private mutating func readColor(_ payload: ByteView) {
    var fields = FieldReader(payload)
    let kind = fields.fourCC()
    guard kind == "nclx" || kind == "nclc" else { return }
    var color = Color(primaries: fields.u16(), transfer: fields.u16(), matrix: fields.u16())
    if kind == "nclx" { color.isFullRange = fields.u8() & 0x80 != 0 }
    guard !fields.isShort else { return }
    video?.color = color
  }
}
