@testable import FxAudio
import FxTestSupport
import Glibc
import Synchronization
import Testing

/// The only opener of auxiliary files.
@Suite struct GuardedFileTests {
  private let folder = TemporaryFolder()

  private func failure(
    _ path: String, _ limits: OpeningLimits = OpeningLimits(seconds: 0.2),
    _ change: (inout GuardedFile) -> Void = { _ in }
  ) -> Failure? {
    var file = GuardedFile(path, limits)
    change(&file)
    do throws(Failure) {
      _ = try file.bytes()
      return nil
    } catch {
      return error
    }
  }

  @Test func `a regular file is read, through links too`() throws {
    let path = folder.write("a", [1, 2, 3])
    #expect(try GuardedFile(path).bytes() == [1, 2, 3])
    symlink(path, folder.file("b"))
    #expect(try GuardedFile(folder.file("b")).bytes() == [1, 2, 3])
    #expect(try GuardedFile(folder.write("c", [])).bytes().isEmpty)
    // Its size is not known before it is read.
    #expect(try GuardedFile("/proc/self/status").bytes().starts(with: "Name:".utf8))
  }

  @Test func `a pipe, a socket, a device and a folder are refused by their kind`() throws {
    mkfifo(folder.file("pipe"), 0o600)
    mknod(folder.file("socket"), S_IFSOCK | 0o600, 0)
    symlink("pipe", folder.file("link"))
    let kinds = [
      (folder.file("pipe"), "it is a pipe"), (folder.file("link"), "it is a pipe"),
      (folder.file("socket"), "it is a socket"), ("/dev/zero", "it is a device"),
      ("/dev/tty", "it is a device"), (folder.path, "it is a folder; name the file in it"),
    ]
    for (path, words) in kinds {
      let found = try #require(self.failure(path))
      #expect(found.message.hasPrefix(words), "\(path): \(found)")
    }
  }

  @Test func `a file above the limit is not read`() {
    let path = folder.write("a", [UInt8](repeating: 0, count: 101))
    #expect(failure(path) { $0.byteLimit = 100 }?.code == .outOfRange)
    #expect(failure(path) { $0.byteLimit = 101 } == nil)
    // A file that declares no size.
    #expect(failure("/proc/self/maps") { $0.byteLimit = 100 }?.code == .outOfRange)
  }

  @Test func `names that no file has are refused`() {
    for name in ["", "a\0b", folder.file("none"), folder.file("a/b")] {
      #expect(failure(name)?.code == .notFound)
    }
  }

  @Test func `a pipe without a writer ends with an error`() {
    mkfifo(folder.file("pipe"), 0o600)
    let found = failure(folder.file("pipe")) { $0.takesPipes = true }
    #expect(found?.code == .timeout)
    #expect(found?.message.contains("nothing has opened it for writing") == true)
  }

  @Test func `the caller can stop the wait`() {
    mkfifo(folder.file("pipe"), 0o600)
    let polls = Atomic<Int>(0)
    let limits = OpeningLimits(seconds: 1e6) {
      polls.wrappingAdd(1, ordering: .relaxed).newValue > 2
    }
    #expect(failure(folder.file("pipe"), limits) { $0.takesPipes = true }?.code == .interrupted)
  }

  @Test func `a call that makes no progress ends with an error`() {
    let path = folder.write("a", [1])
    let isOver = Atomic<Bool>(false)
    #expect(throws: Failure.self) {
      try GuardedFile(path, OpeningLimits(seconds: 0.1)).use { _ throws(Failure) in
        while !isOver.load(ordering: .acquiring) { usleep(1000) }
      }
    }
    isOver.store(true, ordering: .releasing)
  }
}
