extension CodedHeaderCase {
  static let hevc: [CodedHeaderCase] = [
    CodedHeaderCase(
      "Main", codec: "hevc",
      configuration:
        "0101600000009000000000003cf000fcfdf8f800000f03a00001001840010c01ffff0160"
        + "0000030090000003000003003c959409a100010029420101016000000300900000030000"
        + "03003ca00a080c1f3e595952930bc05a02000007d20000ea6010a2000100064401c073c1"
        + "89",
      profile: "Main", level: "2.0",
      size: [320, 180], aspect: "1", pixelFormat: "yuv420p",
      colors: [nil, nil, nil], range: "tv", fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "Main 10 with HLG colours", codec: "hevc",
      configuration:
        "0102200000009000000000003cf000fcfdfafa00000f03200001001840010c01ffff0220"
        + "0000030090000003000003003c959409210001002c420101022000000300900000030000"
        + "03003ca00a080c1f3b6595952930bc05a84890482000007d20000ea60122000100064401"
        + "c073c189",
      profile: "Main 10", level: "2.0",
      size: [320, 180], aspect: "1", pixelFormat: "yuv420p10le",
      colors: ["bt2020", "arib-std-b67", "bt2020nc"], range: "tv", fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "4:2:2, ten bits", codec: "hevc",
      configuration:
        "0104080000009d08000000003cf000fcfefafa00000f03200001001740010c01ffff0408"
        + "000003009d0800000300003c95940921000100294201010408000003009d080000030000"
        + "3cb00a080c1f1ad965654a4c2f01680800001f480003a9804022000100064401c073c189",
      profile: "Rext", level: "2.0",
      size: [320, 180], aspect: "1", pixelFormat: "yuv422p10le",
      colors: [nil, nil, nil], range: "tv", fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "4:4:4, twelve bits", codec: "hevc",
      configuration:
        "0104080000009808000000003cf000fcfffcfc00000f03200001001740010c01ffff0408"
        + "00000300980800000300003c959409210001002a42010104080000030098080000030000"
        + "3c9001410183e34a52caca94985e02d01000003e90000753008022000100084401c07318"
        + "301890",
      profile: "Rext", level: "2.0",
      size: [320, 180], aspect: "1", pixelFormat: "yuv444p12le",
      colors: [nil, nil, nil], range: "tv", fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "monochrome", codec: "hevc",
      configuration:
        "0104080000009fc8000000003cf000fcfcf8f800000f03200001001740010c01ffff0408"
        + "000003009fc800000300003c95940921000100284201010408000003009fc80000030000"
        + "3cc02820307c6e595952930bc05b02000007d20000ea601022000100064401c073c189",
      profile: "Rext", level: "2.0",
      size: [320, 180], aspect: "1", pixelFormat: "gray",
      colors: [nil, nil, nil], range: "pc", fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "RGB", codec: "hevc",
      configuration:
        "0104080000009e08000000003cf000fcfff8f800000f03200001001740010c01ffff0408"
        + "000003009e0800000300003c959409210001002c4201010408000003009e080000030000"
        + "3c9001410183e372caca94985e02dc0808001000003e90000753008022000100084401c0"
        + "7318301890",
      profile: "Rext", level: "2.0",
      size: [320, 180], aspect: "1", pixelFormat: "gbrp",
      colors: [nil, nil, "gbr"], range: "pc", fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "full range and scaling lists", codec: "hevc",
      configuration:
        "0101600000009000000000003cf000fcfdf8f800000f03200001001840010c01ffff0160"
        + "0000030090000003000003003c959409210001002a420101016000000300900000030000"
        + "03003ca00a080c1f3e5959529385e02d8100000303e9000075300822000100064401c073"
        + "c189",
      profile: "Main", level: "2.0",
      size: [320, 180], aspect: "1", pixelFormat: "yuvj420p",
      colors: [nil, nil, nil], range: "pc", fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "Dolby Vision of an iPhone", codec: "hevc",
      configuration:
        "010220000000b000000000005df000fcfdfafa00000b03a00001001840010c01ffff0220"
        + "00000300b0000003000003005d15c090a100010023420101022000000300b00000030000"
        + "03005da00280802d1362057b9165535091209008a2000100094401c02864b86414c9",
      profile: "Main 10", level: "3.1",
      size: [1280, 720], aspect: nil, pixelFormat: "yuv420p10le",
      colors: ["bt2020", "arib-std-b67", "bt2020nc"], range: "tv", fieldOrder: "progressive",
      frameRate: nil),
    CodedHeaderCase(
      "an iPhone's film", codec: "hevc",
      configuration:
        "010220000000b0000000000078f000fcfdfafa00000b03a00001001840010c01ffff0220"
        + "00000300b0000003000003007815c090a100010024420101022000000300b00000030000"
        + "030078a003c0801107cad8815ee45954d424482402a2000100084401c02cb86414c9",
      profile: "Main 10", level: "4.0",
      size: [1920, 1080], aspect: nil, pixelFormat: "yuv420p10le",
      colors: ["bt2020", "arib-std-b67", "bt2020nc"], range: "tv", fieldOrder: "progressive",
      frameRate: nil),
    CodedHeaderCase(
      "the reference encoder's film", codec: "hevc",
      configuration:
        "0101600000008000000000005df000fcfdf8f800000f03200001001840010c01ffff0160"
        + "0000030080000003000003005d95c0902100010028420101016000000300800000030000"
        + "03005da00280802d16595e4932bc040400000fa4000177002022000100064401c173d189",
      profile: "Main", level: "3.1",
      size: [1280, 720], aspect: "1", pixelFormat: "yuv420p",
      colors: [nil, nil, nil], range: "tv", fieldOrder: "progressive",
      frameRate: "24000/1001"),
    CodedHeaderCase(
      "DASH", codec: "hevc",
      configuration:
        "010220000000b0000000000078f000fcfdfafa00000b03200001001840010c01ffff0220"
        + "00000300b0000003000003007815c0902100010024420101022000000300b00000030000"
        + "030078a003c0801107cad8815ee45954d42448240222000100084401c02cb86414c9",
      profile: "Main 10", level: "4.0",
      size: [1920, 1080], aspect: nil, pixelFormat: "yuv420p10le",
      colors: ["bt2020", "arib-std-b67", "bt2020nc"], range: "tv", fieldOrder: "progressive",
      frameRate: nil),
  ]
}
