import Bitstreams

extension CutDamage.Kind {
  init(_ fault: PacketFault.Kind) {
    self =
      switch fault {
      case .structure: .structure
      case .header: .header
      case .checksum: .checksum
      }
  }
}
