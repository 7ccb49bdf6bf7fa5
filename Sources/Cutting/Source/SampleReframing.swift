/// How the samples of a track are changed for any container, and their description with them.
protocol SampleReframing {
  var configuration: [UInt8] { get }

  func sample(_ bytes: [UInt8]) -> [UInt8]
}
