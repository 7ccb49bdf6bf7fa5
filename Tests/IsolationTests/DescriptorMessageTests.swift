import CSystem
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given descriptors for another process` {
  /// More than the system passes in one message (253 on Linux).
  @Test(arguments: [1, 128, 129, 300])
  func `when they are sent then all arrive in order, before the last byte`(_ count: Int) throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let sent = (0..<count).map { place in
      let descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
      // By which each is known.
      lseek(descriptor, place, SEEK_SET)
      return descriptor
    }
    let message = Array("a request".utf8)
    #expect(trim_send(ends[0], message, message.count, sent, Int32(count)) == 0)
    for descriptor in sent { close(descriptor) }
    var (bytes, found): ([UInt8], [Int32]) = ([], [])
    defer { for descriptor in found { close(descriptor) } }
    while bytes.count < message.count {
      var room = [UInt8](repeating: 0, count: 64)
      var came = [Int32](repeating: -1, count: Int(TRIM_MOST_DESCRIPTORS))
      var number: Int32 = 0
      let received = trim_receive(ends[1], &room, room.count, &came, &number)
      try #require(received > 0)
      bytes += room[..<received]
      found += came[..<Int(number)]
    }
    #expect(bytes == message)
    #expect(found.map { lseek($0, 0, SEEK_CUR) } == Array(0..<count))
  }

  @Test func `when there are more lots than bytes then nothing is sent`() {
    var descriptors = [Int32](repeating: 0, count: 2 * Int(TRIM_MOST_DESCRIPTORS))
    #expect(trim_send(-1, [1], 1, &descriptors, Int32(descriptors.count)) == EINVAL)
  }
}
