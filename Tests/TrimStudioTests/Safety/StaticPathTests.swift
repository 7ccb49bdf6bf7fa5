import Testing

@testable import TrimStudio

@Suite struct `Given the page's own files` {
  private func text(_ name: String) throws -> String {
    let response = try #require(StaticPage.response(name), "\(name) is embedded")
    guard case .bytes(let bytes) = response.body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `then every script that the page loads is served to a browser before it is admitted`()
    throws
  {
    var (known, waiting): (Set<String>, [String]) = ([], ["index.html"])
    while let name = waiting.popLast() {
      guard known.insert(name).inserted else { continue }
      let found = try text(name).matches(of: /["\/]([a-z]+\.(?:js|css))"/).map { String($0.1) }
      waiting += found
    }
    known.remove("index.html")
    #expect(known.count > 10)
    #expect(known.isSubset(of: StaticPath.names))
  }
}
