import Glibc

/// libFuzzer's entry, in the runtime that has no main of its own.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Calls one part of trim with bytes that nobody made; `TRIM_FUZZ_TARGET` names it, the arguments
/// are libFuzzer's.
///
/// Nothing is expected of an answer, only that there is one: a trap, an overflow, a report of the
/// address sanitizer or a limit of the fuzzer ends the run.
@main
enum Fuzzing {
  private static let target = getenv("TRIM_FUZZ_TARGET")
    .flatMap { FuzzTarget(rawValue: String(cString: $0)) }

  // Written in the call itself, the closure makes the compiler of Swift 6.3.1 crash.
  private static let callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32 = {
    bytes, size in
    target?.run([UInt8](UnsafeBufferPointer(start: bytes, count: size)))
    return 0
  }

  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    _ = runDriver(&count, &arguments, callback)
  }
}
