/// The language codes of a media header.
enum Language {
  /// Three letters of ISO 639-2; `nil` when undetermined.
  ///
  /// Values from 0x400 on are three letters of 5 bits each (ISO 14496-12, 8.4.2); lower ones are
  /// Macintosh language codes (QuickTime File Format, Language Code Values); 0x7FFF is
  /// "unspecified".
  static func code(_ value: UInt16) -> String? {
    guard value != 0x7FFF else { return nil }
    guard value >= 0x400 else { return macintosh(Int(value)) }
    let letters = [10, 5, 0].map { UInt8(value >> $0 & 0x1F) + 0x60 }
    guard letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return nil }
    let text = String(decoding: letters, as: UTF8.self)
    return text == "und" ? nil : text
  }

  private static func macintosh(_ code: Int) -> String? {
    let codes = code < 128 ? lowCodes : highCodes
    let index = code < 128 ? code : code - 128
    return index < codes.count ? String(codes[index]) : nil
  }

  private static let lowCodes =
    ("eng fra deu ita nld swe spa dan por nor heb jpn ara fin ell isl mlt tur hrv zho urd hin tha "
    + "kor lit pol hun est lav sme fao fas rus zho nld gle sqi ron ces slk slv yid srp mkd bul ukr "
    + "bel uzb kaz aze aze hye kat mol kir tgk tuk mon mon pus kur kas snd bod nep san mar ben asm "
    + "guj pan ori mal kan tam tel sin mya khm lao vie ind tgl msa msa amh tir orm som swa kin run "
    + "nya mlg epo").split(separator: " ")
  private static let highCodes =
    "cym eus cat lat que grn aym tat uig dzo jav".split(separator: " ")
}
