import CSystem
import Glibc

/// The raw command line from the system: `CommandLine.arguments` repairs invalid UTF-8, and a repaired name
/// opens nothing.
package enum ProcessArguments {
  /// The words after the program's name.
  package static var all: [[UInt8]] {
    let known = trim_argument_count()
    // Swift's own implementation reads /proc.
    let arguments = known > 0 ? nil : CommandLine.unsafeArgv
    return (1..<max(1, known > 0 ? known : CommandLine.argc)).compactMap { index in
      let word = arguments.map { UnsafePointer($0[Int(index)]) } ?? trim_argument(index)
      return word.map { word in Array(UnsafeRawBufferPointer(start: word, count: strlen(word))) }
    }
  }
}
