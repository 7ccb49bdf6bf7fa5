import CommandLineKit
import ExactTime
import JSON
import Testing

private func line(_ value: JSONValue) -> String {
  String(decoding: JSONWriter.write(value, .line).dropLast(), as: UTF8.self)
}

@Suite struct `Given a JSON value` {
  @Suite struct `When it is written` {
    @Test(
      arguments: [
        (JSONValue.null, "null"), (.bool(true), "true"), (.integer(Int64(-5)), "-5"),
        (.integer(Int64(1) << 53), "9007199254740992"),
        (.integer(Int64(1) << 53 + 1), "\"9007199254740993\""),
        (.integer(Int64.max), "\"9223372036854775807\""),
        (.integer(Int64.min), "\"-9223372036854775808\""), (.array([]), "[]"),
        (.object([JSONValue.Member]()), "{}"),
        (.object(["b": .integer(1), "a": .array([.null])]), "{\"b\":1,\"a\":[null]}"),
      ] as [(JSONValue, String)])
    func `then order is kept and no integer loses a digit`(_ value: JSONValue, _ text: String) {
      #expect(line(value) == text)
    }

    @Test(arguments: [
      ("a\"b\\c/", "\"a\\\"b\\\\c/\""), ("\n\r\t\u{8}", "\"\\n\\r\\t\\u0008\""),
      ("\u{1B}\u{7F}\u{9B}", "\"\\u001b\\u007f\\u009b\""), ("\u{202E}", "\"\\u202e\""),
      ("\u{E0041}", "\"\\udb40\\udc41\""), ("é東👍", "\"é東👍\""),
    ])
    func `then text is escaped like any foreign text`(_ text: String, _ json: String) {
      #expect(line(.string(text)) == json)
    }

    @Test(arguments: [
      (Rational(121, 2), "{\"value\":\"121/2\",\"seconds\":60.5}"),
      (Rational(1001, 30000), "{\"value\":\"1001/30000\",\"seconds\":0.033366667}"),
      (Rational(60), "{\"value\":\"60\",\"seconds\":60}"),
      (Rational(-1, 3), "{\"value\":\"-1/3\",\"seconds\":-0.333333333}"),
      (Rational(.max, 1), "{\"value\":\"9223372036854775807\",\"seconds\":9223372036854775807}"),
      (
        Rational(.min, .max),
        "{\"value\":\"-9223372036854775808/9223372036854775807\",\"seconds\":-1}"
      ),
    ])
    func `then a time has its exact value and decimal seconds`(_ value: Rational, _ json: String) {
      #expect(line(.time(value)) == json)
    }

    @Test func `then bytes become base64`() {
      let samples = ["", "f", "fo", "foo", "foob", "fooba", "foobar"]
      let encoded = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]
      #expect(samples.map { Base64.encode(Array($0.utf8)) } == encoded)
    }
  }
}

@Suite struct `Given an exact number` {
  @Suite struct `When it is written as decimal text` {
    @Test(arguments: [
      (Rational(1, 2), 0, "0"), (Rational(3, 2), 0, "2"), (Rational(1, 3), 3, "0.333"),
      (Rational(2, 3), 3, "0.667"), (Rational(-1, 10000), 3, "0.000"), (Rational(-3, 2), 1, "-1.5"),
      (Rational(59_999_999, 1_000_000), 3, "60.000"),
    ])
    func `then the last digit is rounded`(_ value: Rational, _ places: Int, _ text: String) {
      #expect(DecimalText.fixed(value, places: places) == text)
    }

    @Test(arguments: [
      (Int64(0), "0 B"), (999, "999 B"), (1000, "1.0 kB"), (24_097_552, "24.0 MB"),
      (.max, "9.2 EB"), (-1500, "-1.5 kB"),
    ])
    func `then sizes are short`(_ count: Int64, _ text: String) {
      #expect(ByteCount.text(count) == text)
    }
  }
}
