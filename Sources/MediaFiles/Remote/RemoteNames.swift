/// Names that stand for addresses, which may have something in them that is not shown.
struct RemoteNames {
  /// How many addresses of lists are remembered: more than are worked on at once.
  static let mostListed = 4096

  private var addresses: [[UInt8]: [UInt8]] = [:]
  private var names: [[UInt8]: [UInt8]] = [:]
  /// The names of listed addresses, in their order, from `oldest` on.
  private var listed: [[UInt8]] = []
  private var oldest = 0

  func address(of name: [UInt8]) -> [UInt8]? { addresses[name] }

  /// How many are remembered.
  var count: Int { addresses.count }

  /// - Parameter shown: the address without what is not shown; a number distinguishes addresses for which that
  ///   is the same.
  /// - Returns: the name, and the one that is forgotten for it.
  mutating func name(
    for address: [UInt8], shown: [UInt8], isListed: Bool
  ) -> (name: [UInt8], forgotten: [UInt8]?) {
    if let name = names[address] { return (name, nil) }
    var (name, number) = (shown, 1)
    while addresses[name] != nil {
      number += 1
      name = shown + Array(" (\(number))".utf8)
    }
    names[address] = name
    addresses[name] = address
    return (name, isListed ? remember(name) : nil)
  }

  private mutating func remember(_ name: [UInt8]) -> [UInt8]? {
    guard listed.count == Self.mostListed else {
      listed.append(name)
      return nil
    }
    let forgotten = listed[oldest]
    if let address = addresses.removeValue(forKey: forgotten) { names[address] = nil }
    listed[oldest] = name
    oldest = (oldest + 1) % listed.count
    return forgotten
  }
}
