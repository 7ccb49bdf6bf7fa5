extension CodedHeaderCase {
  static let h264: [CodedHeaderCase] = [
    CodedHeaderCase(
      "an open GOP of x264", codec: "h264",
      configuration:
        "0164000dffe100186764000dacd941419f9f011000003e90000ea600f142996001000468"
        + "ef8fcbfdf8f800",
      profile: "High", level: "1.3",
      size: [320, 180], aspect: "1", pixelFormat: "yuv420p",
      colors: [nil, nil, nil], range: nil, fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "ten bits with HDR colours", codec: "h264",
      configuration:
        "016e000dffe1001b676e000da6cb40a0cfcf80b5091009400000fa40003a9803c50aa801"
        + "000468ce0fc8fdfafa00",
      profile: "High 10", level: "1.3",
      size: [320, 180], aspect: "1", pixelFormat: "yuv420p10le",
      colors: ["bt2020", "smpte2084", "bt2020nc"], range: "tv", fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "4:2:2", codec: "h264",
      configuration:
        "017a000dffe10017677a000dbcb40a0cfc6e022000007d20001d4c01e2855401000468ce"
        + "0fc8fef8f800",
      profile: "High 4:2:2", level: "1.3",
      size: [320, 180], aspect: "1", pixelFormat: "yuv422p",
      colors: [nil, nil, nil], range: nil, fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "4:2:2, intra only, ten bits", codec: "h264",
      configuration:
        "017a100dffe10015677a100db6cb82833f1b808800001f48000753002001000468ce0fc8"
        + "fefafa00",
      profile: "High 4:2:2 Intra", level: "1.3",
      size: [320, 180], aspect: "1", pixelFormat: "yuv422p10le",
      colors: [nil, nil, nil], range: nil, fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "4:4:4", codec: "h264",
      configuration:
        "01f4000dffe1001867f4000d919681419f8dc04400000fa40003a9803c50aa8001000568"
        + "ce0f1920fff8f800",
      profile: "High 4:4:4 Predictive", level: "1.3",
      size: [320, 180], aspect: "1", pixelFormat: "yuv444p",
      colors: [nil, nil, nil], range: nil, fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "RGB", codec: "h264",
      configuration:
        "01f4000dffe1001b67f4000d919681419f8dc05b8101002000007d20001d4c01e2855401"
        + "000468ce0fc8fff8f800",
      profile: "High 4:4:4 Predictive", level: "1.3",
      size: [320, 180], aspect: "1", pixelFormat: "gbrp",
      colors: [nil, nil, "gbr"], range: "pc", fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "monochrome", codec: "h264",
      configuration:
        "0164000dffe100186764000df2d02833f1b80b6400000fa40003a9803c50aa8001000468"
        + "ce0fc8fcf8f800",
      profile: "High", level: "1.3",
      size: [320, 180], aspect: "1", pixelFormat: "yuvj420p",
      colors: [nil, nil, nil], range: "pc", fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "full range", codec: "h264",
      configuration:
        "0142c00dffe100176742c00dda05067e7c05b2000007d20001d4c01e28554001000468ce"
        + "0fc8",
      profile: "Constrained Baseline", level: "1.3",
      size: [320, 180], aspect: "1", pixelFormat: "yuvj420p",
      colors: [nil, nil, nil], range: "pc", fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "Constrained Baseline at level 1.1", codec: "h264",
      configuration:
        "0142c00bffe100166742c00bda05067e7c04400000fa40003a9803c50aa801000468ce0f"
        + "c8",
      profile: "Constrained Baseline", level: "1.1",
      size: [320, 180], aspect: "1", pixelFormat: "yuv420p",
      colors: [nil, nil, nil], range: nil, fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "start codes in Matroska", codec: "h264",
      configuration:
        "0000016742402895b81e0089f970110000030001000003003c8da1c32e0000000168ce3c"
        + "80",
      profile: "Constrained Baseline", level: "4.0",
      size: [1920, 1080], aspect: "1", pixelFormat: "yuv420p",
      colors: [nil, nil, nil], range: nil, fieldOrder: "progressive",
      frameRate: "30"),
    CodedHeaderCase(
      "a pixel aspect of its own", codec: "h264",
      configuration:
        "0164001effe1001d6764001eacd940a03dbff001000091000003000100000300320f162d"
        + "9601000668ebe3cb22c0fdf8f800",
      profile: "High", level: "3.0",
      size: [640, 480], aspect: "16/9", pixelFormat: "yuv420p",
      colors: [nil, nil, nil], range: nil, fieldOrder: "progressive",
      frameRate: "25"),
    CodedHeaderCase(
      "an iPhone's film", codec: "h264",
      configuration: "0164001fffe1000f2764001fac56805005ba6a0202020401000428ee3cb0fdf8f800",
      profile: "High", level: "3.1",
      size: [1280, 720], aspect: nil, pixelFormat: "yuv420p",
      colors: ["bt709", "bt709", "bt709"], range: "tv", fieldOrder: "progressive",
      frameRate: nil),
    CodedHeaderCase(
      "a Blu-ray-like TS with HRD", codec: "h264",
      configuration:
        "00000167640028ad949248308244840444444e2a1e0a8500ddc1c604081227150f054280"
        + "6ee0e30204091924c610489050064032809801b342238a403470c6188628447148068e18"
        + "c310c1d80f0088fbc062000007d20001d4c1d18001edc0002b347fffc68c000f6e000159"
        + "a3fffe140000000168de3c6524920c209121011111138a8782a14037707181020489c543"
        + "c150a01bb838c081024649318412241401900ca026006cd088e2900d1c3186218a111c52"
        + "01a38630c4318000",
      sample:
        "0000000109100000000167640028ad949248308244840444444e2a1e0a8500ddc1c60408"
        + "1227150f0542806ee0e30204091924c610489050064032809801b342238a403470c61886"
        + "28447148068e18c310c1d80f0088fbc062000007d20001d4c1d18001edc0002b347fffc6"
        + "8c000f6e000159a3fffe140000000168de3c6524920c209121011111138a8782a1403770"
        + "7181020489c543c150a01bb838c081024649318412241401900ca026006cd088e2900d1c"
        + "3186218a111c5201a38630c431800000000106001180005d2a00001de200005d2a00001d"
        + "e2408000000001060109000003000003000003000214800000000106052417ee8c60f84d"
        + "11d98cd60800200c9a664d44504d0318002012011926091835e001030591800000000106"
        + "0601c480000000016588850044a2fc7e788bea1a0001035563d6597e350a00f8",
      profile: "High", level: "4.0",
      size: [1920, 1080], aspect: "1", pixelFormat: "yuv420p",
      colors: [nil, nil, nil], range: nil, fieldOrder: "tt",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "a GoPro film", codec: "h264",
      configuration:
        "014d402affe1002d274d402af606a1ed80b7010101400000fa40003a983880001312c000"
        + "7a119f7b831000026258000f4233ef700801000428ee3c80",
      profile: "Main", level: "4.2",
      size: [848, 480], aspect: "1", pixelFormat: "yuvj420p",
      colors: ["bt709", "bt709", "bt709"], range: "pc", fieldOrder: "progressive",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "Flash video", codec: "h264",
      configuration:
        "01640034ffe1001a67640034acd9404405be5f0110000003001000004b00f18319600100"
        + "0668ebe3cb22c0",
      profile: "High", level: "5.2",
      size: [1080, 720], aspect: "1", pixelFormat: "yuv420p",
      colors: [nil, nil, nil], range: nil, fieldOrder: "progressive",
      frameRate: "600"),
    CodedHeaderCase(
      "a cropped 1080p", codec: "h264",
      configuration:
        "0142c028ffe100196742c028d900780227e584000003000400000300f03c60c920010005"
        + "68cb83cb20",
      profile: "Constrained Baseline", level: "4.0",
      size: [1920, 1080], aspect: nil, pixelFormat: "yuv420p",
      colors: [nil, nil, nil], range: nil, fieldOrder: "progressive",
      frameRate: "30"),
    CodedHeaderCase(
      "interlaced, top field first", codec: "h264",
      configuration:
        "0164001fffe1001b6764001facd940b424dff802000168800001f4800075300f8b16cb01"
        + "000468fe8fcbfdf8f800",
      sample:
        "00000005060101328000001248419a225888ffccdc4bd0f05504bc91f7f7f001a796b06d"
        + "8a8c915d849ebd350fa7657d2a5cbbbb8a71996d71c317ff6705ac87",
      profile: "High", level: "3.1",
      size: [720, 576], aspect: "64/45", pixelFormat: "yuv420p",
      colors: [nil, nil, nil], range: nil, fieldOrder: "tt",
      frameRate: "30000/1001"),
    CodedHeaderCase(
      "interlaced, bottom field first, with HRD", codec: "h264",
      configuration:
        "0000016764001eacd940b47b7fe004000362000007d20001d4c0c4c001e848003d094986"
        + "01f14299600000000168fe8fcb",
      sample:
        "0000000109f0000000010601040010a42080000001419a225888ffdfbd670544c31e0401"
        + "93d5eae122cc218577f7a7d087d25f5ca1fc6b272159389127a3d48b",
      profile: "High", level: "3.0",
      size: [720, 480], aspect: "32/27", pixelFormat: "yuv420p",
      colors: [nil, nil, nil], range: nil, fieldOrder: "bb",
      frameRate: "30000/1001"),
  ]
}
