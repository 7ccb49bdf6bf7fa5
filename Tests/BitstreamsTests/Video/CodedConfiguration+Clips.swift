import ExactTime

extension CodedConfiguration {
  /// Configurations of real files and of FFmpeg's encoders, with what ffprobe 5.1 reports for each.
  static let clips: [CodedConfiguration] = [
    CodedConfiguration(
      codec: "h264",
      hex: """
        0164001fffe1001c6764001facd9405005bb016a020202800000030080000019078c18cb01000468ef8fcbfd\
        f8f800
        """,
      profile: "High", level: "3.1", width: 1280, height: 720, shape: Rational(1, 1),
      pixelFormat: "yuv420p",
      range: "tv", primaries: "bt709", transfer: "bt709", matrix: "bt709",
      fieldOrder: "progressive", reordered: 2),
    CodedConfiguration(
      codec: "h264",
      hex: """
        0000016742402895b81e0089f970110000030001000003003c8da1c32e0000000168ce3c80
        """,
      profile: "Constrained Baseline", level: "4.0", width: 1920, height: 1080,
      shape: Rational(1, 1), pixelFormat: "yuv420p",
      range: nil, primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 0),
    CodedConfiguration(
      codec: "mpeg2video",
      hex: """
        000001b378043832ffffe018000001b5144a00010000
        """,
      profile: "Main", level: "4", width: 1920, height: 1080, shape: Rational(1, 1),
      pixelFormat: "yuv420p",
      range: "tv", primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 1),
    CodedConfiguration(
      codec: "h264",
      hex: """
        0164001fffe1001d6764001facd940c8146ffc11c40c8040000003004000000f03c60c658001000668ebe3cb\
        22c0fdf8f800
        """,
      profile: "High", level: "3.1", width: 800, height: 640, shape: Rational(1137, 800),
      pixelFormat: "yuv420p",
      range: nil, primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 2),
    CodedConfiguration(
      codec: "h264",
      hex: """
        0164001fffe1001d6764001facd900c8146ffc010000b440000003004000000f23c60c658001000568ef9cb2\
        2cfdf8f800
        """,
      profile: "High", level: "3.1", width: 800, height: 640, shape: Rational(64, 45),
      pixelFormat: "yuv420p",
      range: nil, primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 2),
    CodedConfiguration(
      codec: "hevc",
      hex: """
        010220000000b000000000005df000fcfdfafa00000b03a00001001840010c01ffff022000000300b0000003\
        000003005d15c090a100010023420101022000000300b0000003000003005da00280802d1362057b91655350\
        91209008a2000100094401c02864b86414c9
        """,
      profile: "Main 10", level: "3.1", width: 1280, height: 720, shape: nil,
      pixelFormat: "yuv420p10le",
      range: "tv", primaries: "bt2020", transfer: "arib-std-b67", matrix: "bt2020nc",
      fieldOrder: nil, reordered: 2),
    CodedConfiguration(
      codec: "h264",
      hex: """
        01f40016ffe1001a67f40016919b2816024d80880000030008000003001078b16cb001000568ebe3c448
        """,
      profile: "High 4:4:4 Predictive", level: "2.2", width: 704, height: 576,
      shape: Rational(1, 1), pixelFormat: "yuv444p",
      range: nil, primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 2),
    CodedConfiguration(
      codec: "mpeg4",
      hex: """
        000001b001000001b58913000001000000012000c48d8aee051e04321443000001b24c61766335382e313334\
        2e313030
        """,
      profile: "Simple Profile", level: "1", width: 960, height: 400, shape: Rational(1, 1),
      pixelFormat: "yuv420p",
      range: nil, primaries: nil, transfer: nil, matrix: nil, fieldOrder: nil, reordered: 0),
    CodedConfiguration(
      codec: "h264",
      hex: """
        01640033ffe1001267640033ac3b702802dd2b050f0606d0a13701000568ee06e2c0
        """,
      profile: "High", level: "5.1", width: 1280, height: 720, shape: Rational(1, 1),
      pixelFormat: "yuvj420p",
      range: "pc", primaries: "bt470bg", transfer: "bt2020-12", matrix: "smpte170m",
      fieldOrder: "progressive", reordered: 0),
    CodedConfiguration(
      codec: "h264",
      hex: """
        0142c015ffe1001b6742c015da0507ec05b8283032000003000200000300f01e2c5d4001000568ce0f2c80
        """,
      profile: "Constrained Baseline", level: "2.1", width: 320, height: 240, shape: Rational(1, 1),
      pixelFormat: "yuvj420p",
      range: "pc", primaries: "bt470bg", transfer: "smpte170m", matrix: "smpte170m",
      fieldOrder: "progressive", reordered: 0),
    CodedConfiguration(
      codec: "h264",
      hex: """
        0142001effe1000f2742001eab404814f2f3501010102001000428ce3c30
        """,
      profile: "Baseline", level: "3.0", width: 568, height: 320, shape: nil,
      pixelFormat: "yuv420p",
      range: "tv", primaries: "bt709", transfer: "bt709", matrix: "bt709",
      fieldOrder: "progressive", reordered: 0),
    CodedConfiguration(
      codec: "h264",
      hex: """
        014d4014ffe10018674d4014e880a0fd80880000030008000003018078a1489001000468ebccb2
        """,
      profile: "Main", level: "2.0", width: 320, height: 240, shape: Rational(1, 1),
      pixelFormat: "yuv420p",
      range: nil, primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 1),
    CodedConfiguration(
      codec: "h264",
      hex: """
        014d402affe1002d274d402af606a1ed80b7010101400000fa40003a983880001312c0007a119f7b83100002\
        6258000f4233ef700801000428ee3c80
        """,
      profile: "Main", level: "4.2", width: 848, height: 480, shape: Rational(1, 1),
      pixelFormat: "yuvj420p",
      range: "pc", primaries: "bt709", transfer: "bt709", matrix: "bt709",
      fieldOrder: "progressive", reordered: 0),
    CodedConfiguration(
      codec: "av1",
      hex: """
        81000c000a0b000000043cffbdfff98040
        """,
      profile: "Main", level: "2.0", width: 320, height: 240, shape: nil, pixelFormat: "yuv420p",
      range: "tv", primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 0),
    CodedConfiguration(
      codec: "mpeg4",
      hex: """
        000001b0f3000001b50ee040c0cf0000010000000120008440fa28582120a21f
        """,
      profile: "Advanced Simple Profile", level: "3", width: 352, height: 288,
      shape: Rational(1, 1), pixelFormat: "yuv420p",
      range: "pc", primaries: nil, transfer: "smpte170m", matrix: "smpte170m", fieldOrder: nil,
      reordered: 0),
    CodedConfiguration(
      codec: "mpeg4",
      hex: """
        000001b008000001b50ea020202f000001000000012000c788ba9850584121463f
        """,
      profile: "Simple Profile", level: "0", width: 176, height: 144, shape: .one,
      pixelFormat: "yuv420p",
      range: "tv", primaries: "bt709", transfer: "bt709", matrix: "bt709", fieldOrder: nil,
      reordered: 0),
    CodedConfiguration(
      codec: "h264",
      hex: """
        0164001effe1001d6764001eacd940a03dbff001000091000003000100000300320f162d9601000668ebe3cb\
        22c0fdf8f800
        """,
      profile: "High", level: "3.0", width: 640, height: 480, shape: Rational(16, 9),
      pixelFormat: "yuv420p",
      range: nil, primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 2),
    CodedConfiguration(
      codec: "hevc",
      hex: """
        0101600000008000000000005df000fcfdf8f800000f03200001001840010c01ffff01600000030080000003\
        000003005d95c090210001002842010101600000030080000003000003005da00280802d16595e4932bc0404\
        00000fa4000177002022000100064401c173d189
        """,
      profile: "Main", level: "3.1", width: 1280, height: 720, shape: Rational(1, 1),
      pixelFormat: "yuv420p",
      range: "tv", primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 2),
    CodedConfiguration(
      codec: "h264",
      hex: """
        0000016742c01ed90103febff006e006d1000003000100000300300f162e480000000168cb8cb200
        """,
      profile: "Constrained Baseline", level: "3.0", width: 256, height: 110,
      shape: Rational(110, 109), pixelFormat: "yuv420p",
      range: nil, primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 0),
    CodedConfiguration(
      codec: "h264",
      hex: """
        00000167640028ad949248308244840444444e2a1e0a8500ddc1c604081227150f0542806ee0e30204091924\
        c610489050064032809801b342238a403470c6188628447148068e18c310c1d80f0088fbc062000007d20001\
        d4c1d18001edc0002b347fffc68c000f6e000159a3fffe140000000168de3c6524920c209121011111138a87\
        82a14037707181020489c543c150a01bb838c081024649318412241401900ca026006cd088e2900d1c318621\
        8a111c5201a38630c4318000
        """,
      profile: "High", level: "4.0", width: 1920, height: 1080, shape: Rational(1, 1),
      pixelFormat: "yuv420p",
      range: nil, primaries: nil, transfer: nil, matrix: nil, fieldOrder: "tt", reordered: 1),
    CodedConfiguration(
      codec: "mpeg1video",
      hex: """
        000001b30a007819ffffe084
        """,
      profile: nil, level: nil, width: 160, height: 120, shape: Rational(1, 1),
      pixelFormat: "yuv420p",
      range: "tv", primaries: nil, transfer: nil, matrix: nil, fieldOrder: nil, reordered: 1),
    CodedConfiguration(
      codec: "mpeg2video",
      hex: """
        000001b32d02402301002380000001b5148a00010000000001b5210505050b421200
        """,
      profile: "Main", level: "8", width: 720, height: 576, shape: Rational(16, 15),
      pixelFormat: "yuv420p",
      range: "tv", primaries: "bt470bg", transfer: "bt470bg", matrix: "bt470bg",
      fieldOrder: "progressive", reordered: 1),
    CodedConfiguration(
      codec: "h264",
      hex: """
        016e000affe1001b676e000adb3651c9e363f016c80000030008000003019078912cb001000668ebe3cb22c0\
        fcfafa00
        """,
      profile: "High 10", level: "1.0", width: 100, height: 50, shape: Rational(1, 1),
      pixelFormat: "yuv420p10le",
      range: "pc", primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 2),
    CodedConfiguration(
      codec: "h264",
      hex: """
        01f4000affe1001e67f4000a919b28e4f1b1f80b70202004000003000400000300c83c48965801000668ebe3\
        cb22c0fff8f800
        """,
      profile: "High 4:4:4 Predictive", level: "1.0", width: 100, height: 50, shape: Rational(1, 1),
      pixelFormat: "gbrp",
      range: "pc", primaries: nil, transfer: nil, matrix: "gbr", fieldOrder: "progressive",
      reordered: 2),
    CodedConfiguration(
      codec: "h264",
      hex: """
        017a000affe1001a677a000ab6cd947279e3f011000003000100000300320f12259601000668ebe3cb22c0fe\
        fafa00
        """,
      profile: "High 4:2:2", level: "1.0", width: 100, height: 50, shape: Rational(1, 1),
      pixelFormat: "yuv422p10le",
      range: nil, primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 2),
    CodedConfiguration(
      codec: "hevc",
      hex: """
        0104080000009e08000000001ef000fcfff8f800000f03200001001740010c01ffff0408000003009e080000\
        0300001e959809210001002d4201010408000003009e0800000300001e90069073967cb2b35c995e02dc0808\
        0010000003001000000301908022000100084401c17318311890
        """,
      profile: "Rext", level: "1.0", width: 100, height: 50, shape: Rational(1, 1),
      pixelFormat: "gbrp",
      range: "pc", primaries: nil, transfer: nil, matrix: "gbr", fieldOrder: "progressive",
      reordered: 2),
    CodedConfiguration(
      codec: "hevc",
      hex: """
        0104080000009fc8000000001ef000fcfcf8f800000f03200001001740010c01ffff0408000003009fc80000\
        0300001e95980921000100294201010408000003009fc800000300001ec0d20e72cf96566b932bc05b020000\
        03000200000300321022000100064401c173d189
        """,
      profile: "Rext", level: "1.0", width: 100, height: 50, shape: Rational(1, 1),
      pixelFormat: "gray",
      range: "pc", primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 2),
    CodedConfiguration(
      codec: "hevc",
      hex: """
        0104080000009d08000000001ef000fcfefafa00000f03200001001740010c01ffff0408000003009d080000\
        0300001e95980921000100294201010408000003009d0800000300001eb034839dced96566b932bc05a02000\
        00030020000003032122000100064401c173d189
        """,
      profile: "Rext", level: "1.0", width: 100, height: 50, shape: Rational(1, 1),
      pixelFormat: "yuv422p10le",
      range: "tv", primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 2),
    CodedConfiguration(
      codec: "hevc",
      hex: """
        0101600000009000000000001ef000fcfdf8f800000f03200001001840010c01ffff01600000030090000003\
        000003001e959809210001002a42010101600000030090000003000003001ea034839dc996566b932bc05b02\
        000003000200000300321022000100064401c173d189
        """,
      profile: "Main", level: "1.0", width: 100, height: 50, shape: Rational(1, 1),
      pixelFormat: "yuvj420p",
      range: "pc", primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 2),
    CodedConfiguration(
      codec: "hevc",
      hex: """
        0104080000009988000000003cf000fcfdfcfc00000f03200001001740010c01ffff04080000030099880000\
        0300003c9598092100010034420101040800000300998800000300003ca034839dc85296566b932bc05a0200\
        000300020000030032c0192cbc003d08000f424422000100064401c173d189
        """,
      profile: "Rext", level: "2.0", width: 100, height: 50, shape: Rational(1, 1),
      pixelFormat: "yuv420p12le",
      range: "tv", primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 2),
    CodedConfiguration(
      codec: "av1",
      hex: """
        81004c000a0d000000032e3c4daf9509100904
        """,
      profile: "Main", level: "2.0", width: 100, height: 50, shape: Rational(1, 1),
      pixelFormat: "yuv420p10le",
      range: "tv", primaries: "bt2020", transfer: "smpte2084", matrix: "bt2020nc",
      fieldOrder: "progressive", reordered: 0),
    CodedConfiguration(
      codec: "av1",
      hex: """
        81001c000a0a000000032e3c4daf92a0
        """,
      profile: "Main", level: "2.0", width: 100, height: 50, shape: Rational(1, 1),
      pixelFormat: "gray",
      range: "pc", primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 0),
    CodedConfiguration(
      codec: "av1",
      hex: """
        812000000a0a200000032e3c4daf9020
        """,
      profile: "High", level: "2.0", width: 100, height: 50, shape: Rational(1, 1),
      pixelFormat: "yuv444p",
      range: "tv", primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 0),
    CodedConfiguration(
      codec: "mpeg2video",
      hex: """
        000001b306403213ffffe018000001b5185c00010000
        """,
      profile: "4:2:2", level: "5", width: 100, height: 50, shape: Rational(1, 1),
      pixelFormat: "yuv422p",
      range: "tv", primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 1),
    CodedConfiguration(
      codec: "mpeg2video",
      hex: """
        000001b306403233ffffe018000001b5148a00010000
        """,
      profile: "Main", level: "8", width: 100, height: 50, shape: Rational(8, 9),
      pixelFormat: "yuv420p",
      range: "tv", primaries: nil, transfer: nil, matrix: nil, fieldOrder: "progressive",
      reordered: 1),
  ]
}
