import Glibc

/// The system's message for an `errno`.
package func systemText(_ code: Int32) -> String { String(cString: strerror(code)) }
