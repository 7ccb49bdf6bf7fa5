/// How the samples of a track are changed for any container, along with their description.
protocol SampleReframing {
  var configuration: [UInt8] { get }

  func sample(_ bytes: [UInt8]) -> [UInt8]
}
