import ISOMedia
import MediaFacts

extension ISOCodecNames {
  static let sounds = table([
    (.aac, "mp4a"),
    (.ac3, "ac-3,sac3"),
    (.ac4, "ac-4"),
    (.adpcmIMAQT, "ima4"),
    (.alac, "alac"),
    (.amrNB, "samr"),
    (.amrWB, "sawb"),
    (.dts, "dtsc,dtsh,dtsl,dtse,DTS "),
    (.dvAudio, "vdva,dvca"),
    (.eac3, "ec-3"),
    (.evrc, "sevc"),
    (.flac, "fLaC"),
    (.gsm, "agsm"),
    (.iamf, "iamf"),
    (.ilbc, "ilbc"),
    (.mace3, "MAC3"),
    (.mace6, "MAC6"),
    (.mp1, ".mp1"),
    (.mp2, ".mp2"),
    (.mp3, ".mp3,mp3 "),
    (.mpegH3DAudio, "mhm1"),
    (.nellymoser, "nmos,NELL"),
    (.opus, "Opus"),
    (.pcmALaw, "alaw"),
    (.pcmMuLaw, "ulaw"),
    (.qcelp, "sqcp,Qclp,Qclq"),
    (.qdm2, "QDM2"),
    (.qdmc, "QDMC"),
    (.smv, "ssmv"),
    (.speex, "spex,SPXN"),
    (.trueHD, "mlpa"),
  ])

  /// Codecs by WAV format tag (RFC 2361), which follows `ms` in QuickTime.
  static let waves: [UInt16: Codec] = [
    0x0002: .adpcmMS, 0x0006: .pcmALaw, 0x0007: .pcmMuLaw, 0x0011: .adpcmIMAWAV,
    0x0031: .gsmMS, 0x0032: .gsmMS, 0x0050: .mp2, 0x0055: .mp3, 0x00FF: .aac,
    0x0160: .wmaV1, 0x0161: .wmaV2, 0x0162: .wmaPro, 0x0163: .wmaLossless, 0x2000: .ac3,
    0x2001: .dts, 0x566F: .vorbis, 0xF1AC: .flac,
  ]
}
