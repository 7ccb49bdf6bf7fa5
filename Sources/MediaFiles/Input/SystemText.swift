#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the system says of an `errno`.
package func systemText(_ code: Int32) -> String { String(cString: strerror(code)) }
