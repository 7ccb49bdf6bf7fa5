import CommandLineKit
import Glibc

/// Opens the desktop's browser.
///
/// Everyone on a machine can see the arguments of all programs: the browser is given a file that
/// only its owner can read, which redirects to the address.
struct BrowserOpener {
  private let file: [CChar]
  private var process = pid_t()

  /// `nil` where there is no desktop, or the browser cannot be opened.
  init?(_ address: String, _ environment: Environment) {
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else {
      return nil
    }
    let program = "xdg-open"
    let folder = environment["XDG_RUNTIME_DIR"] ?? environment["TMPDIR"] ?? "/tmp"
    var name = Array("\(folder)/trim-studio-XXXXXX.html".utf8CString)
    // Created for this user only (mode 0600).
    let descriptor = mkstemps(&name, 5)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let page = Array(
      "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=\(address)\">\n".utf8)
    let written = page.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    file = name
    guard written == page.count, Self.start(program, file, &process) else {
      cleanUp()
      return nil
    }
  }

  /// Removes the file: its token has been used, or is void.
  func cleanUp() {
    unlink(file)
    // The opener has finished long ago; the browser itself is not our child process.
    if process > 0 { waitpid(process, nil, WNOHANG) }
  }

  /// Starts it with its output discarded.
  private static func start(
    _ program: String, _ file: [CChar], _ process: inout pid_t
  ) -> Bool {
    guard let name = strdup(program) else { return false }
    defer { free(name) }
    guard let argument = strdup(file) else { return false }
    defer { free(argument) }
    var actions = posix_spawn_file_actions_t()
    guard posix_spawn_file_actions_init(&actions) == 0 else { return false }
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [Int32(0), 1, 2] {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    return posix_spawnp(&process, name, &actions, nil, [name, argument, nil], environ) == 0
  }
}
