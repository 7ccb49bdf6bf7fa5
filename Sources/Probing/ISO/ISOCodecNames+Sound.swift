import ISOMedia

extension ISOCodecNames {
  static let sounds = table([
    ("aac", "mp4a"),
    ("ac3", "ac-3,sac3"),
    ("ac4", "ac-4"),
    ("adpcm_ima_qt", "ima4"),
    ("alac", "alac"),
    ("amr_nb", "samr"),
    ("amr_wb", "sawb"),
    ("dts", "dtsc,dtsh,dtsl,dtse,DTS "),
    ("dvaudio", "vdva,dvca"),
    ("eac3", "ec-3"),
    ("evrc", "sevc"),
    ("flac", "fLaC"),
    ("gsm", "agsm"),
    ("iamf", "iamf"),
    ("ilbc", "ilbc"),
    ("mace3", "MAC3"),
    ("mace6", "MAC6"),
    ("mp1", ".mp1"),
    ("mp2", ".mp2"),
    ("mp3", ".mp3,mp3 "),
    ("mpegh_3d_audio", "mhm1"),
    ("nellymoser", "nmos,NELL"),
    ("opus", "Opus"),
    ("pcm_alaw", "alaw"),
    ("pcm_mulaw", "ulaw"),
    ("qcelp", "sqcp,Qclp,Qclq"),
    ("qdm2", "QDM2"),
    ("qdmc", "QDMC"),
    ("smv", "ssmv"),
    ("speex", "spex,SPXN"),
    ("truehd", "mlpa"),
  ])

  /// Codecs by WAV format tag (RFC 2361), which follows `ms` in QuickTime.
  static let waves: [UInt16: String] = [
    0x0002: "adpcm_ms", 0x0006: "pcm_alaw", 0x0007: "pcm_mulaw", 0x0011: "adpcm_ima_wav",
    0x0031: "gsm_ms", 0x0032: "gsm_ms", 0x0050: "mp2", 0x0055: "mp3", 0x00FF: "aac",
    0x0160: "wmav1", 0x0161: "wmav2", 0x0162: "wmapro", 0x0163: "wmalossless", 0x2000: "ac3",
    0x2001: "dts", 0x566F: "vorbis", 0xF1AC: "flac",
  ]
}
