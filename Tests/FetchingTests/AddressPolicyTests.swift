import Fetching
import Support
import Testing

@Suite struct `Given a numeric address` {
  struct Case: CustomTestStringConvertible, Sendable {
    var text: String
    var rule: String?
    var isPrivate = false
    var testDescription: String { text }

    init(_ text: String, _ rule: String? = nil, isPrivate: Bool = false) {
      self.text = text
      self.rule = rule
      self.isPrivate = isPrivate
    }
  }

  private static let open = [
    "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
    "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255",
    "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
    "223.255.255.255", "168.63.129.15", "2606:4700:4700::1111", "2a00:1450::1", "2001:4860::8888",
    "2001:200::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
  ].map { Case($0) }

  private static let closed = [
    Case("127.0.0.1", "RFC 1122, 3.2.1.3", isPrivate: true),
    Case("127.255.255.254", "RFC 1122, 3.2.1.3", isPrivate: true),
    Case("10.0.0.1", "RFC 1918, 3", isPrivate: true),
    Case("172.16.0.1", "RFC 1918, 3", isPrivate: true),
    Case("172.31.255.255", "RFC 1918, 3", isPrivate: true),
    Case("192.168.1.1", "RFC 1918, 3", isPrivate: true),
    Case("100.64.0.1", "RFC 6598, 7", isPrivate: true),
    Case("100.127.255.255", "RFC 6598, 7", isPrivate: true),
    Case("169.254.0.1", "RFC 3927, 2.1", isPrivate: true),
    Case("198.18.0.1", "RFC 2544, C.2.2", isPrivate: true),
    Case("198.19.255.255", "RFC 2544, C.2.2", isPrivate: true),
    Case("0.0.0.0", "RFC 791, 3.2"), Case("0.1.2.3", "RFC 791, 3.2"),
    Case("169.254.169.254", "RFC 3927"), Case("169.254.170.2", "RFC 3927"),
    Case("168.63.129.16", "RFC 3927"), Case("100.100.100.200", "RFC 3927"),
    Case("192.0.0.192", "RFC 3927"), Case("192.0.0.8", "RFC 6890, 2.1"),
    Case("192.0.2.1", "RFC 5737, 3"), Case("198.51.100.7", "RFC 5737, 3"),
    Case("203.0.113.255", "RFC 5737, 3"), Case("192.88.99.1", "RFC 7526, 4"),
    Case("224.0.0.1", "RFC 1112, 4"), Case("239.255.255.255", "RFC 1112, 4"),
    Case("240.0.0.1", "RFC 1112, 4"), Case("255.255.255.255", "RFC 919, 7"),
    Case("::", "RFC 4291, 2.5.2"), Case("::1", "RFC 4291, 2.5.3", isPrivate: true),
    Case("::8.8.8.8", "RFC 4291, 2.5.5.1"),
    Case("::ffff:127.0.0.1", "RFC 1122, 3.2.1.3", isPrivate: true),
    Case("::ffff:169.254.169.254", "RFC 3927"),
    Case("64:ff9b::10.0.0.1", "RFC 1918, 3", isPrivate: true),
    Case("64:ff9b::169.254.169.254", "RFC 3927"),
    Case("64:ff9b:1::1", "RFC 8215, 3", isPrivate: true),
    Case("2002:7f00:1::1", "RFC 1122, 3.2.1.3", isPrivate: true),
    Case("2002:a9fe:a9fe::1", "RFC 3927"),
    Case("2a00:1::5efe:192.168.1.1", "RFC 1918, 3", isPrivate: true),
    Case("2a00:1::200:5efe:169.254.169.254", "RFC 3927"),
    Case("fc00::1", "RFC 4193, 3.1", isPrivate: true),
    Case("fdff:ffff::1", "RFC 4193, 3.1", isPrivate: true),
    Case("fd00:ec2::254", "RFC 3927"), Case("fd20:ce::254", "RFC 3927"),
    Case("fe80::1", "RFC 4291, 2.5.6", isPrivate: true),
    Case("febf::1", "RFC 4291, 2.5.6", isPrivate: true),
    Case("fec0::1", "RFC 3879, 4", isPrivate: true),
    Case("ff02::1", "RFC 4291, 2.7"), Case("2001::1", "RFC 2928, 2"),
    Case("2001:1ff::1", "RFC 2928, 2"), Case("2001:db8::1", "RFC 3849, 2"),
    Case("3fff:fff::1", "RFC 9637, 3"), Case("100::1", "RFC 4291, 2.4"),
    Case("5f00::1", "RFC 4291, 2.4"), Case("::ffff:0:8.8.8.8", "RFC 4291, 2.4"),
    Case("4000::1", "RFC 4291, 2.4"),
  ]

  @Test(arguments: open + closed)
  func `then one function says whether it may be reached, and by which rule not`(
    _ one: Case
  ) throws {
    let address = try #require(NetworkAddress(one.text))
    let refusal = AddressPolicy().refusal(of: address)
    #expect(refusal?.rule == one.rule)
    #expect(refusal?.isPrivate ?? false == one.isPrivate)
    let allowing = AddressPolicy(allowsPrivateNetworks: true)
    #expect((allowing.refusal(of: address) == nil) == (one.rule == nil || one.isPrivate))
  }

  @Test(arguments: ["", "1", "127.1", "0x7f000001", "1.2.3.4.5", "fe80::1%eth0", "[::1]", "a"])
  func `then what is not written as one is none`(_ text: String) {
    #expect(NetworkAddress(text) == nil)
  }
}
