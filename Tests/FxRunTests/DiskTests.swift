import FxTestSupport
import Glibc
import Testing

/// Full disks, and folders and files without permissions.
@Suite struct DiskTests {
  private let folder = Folder()
  private let sound = Sound([Signal.noise(40_000), Signal.noise(40_000, seed: 2)])

  private static let isRoot = geteuid() == 0

  /// A file system in memory, unmounted at the end of the test.
  private final class Mount {
    let path: String
    let isMounted: Bool

    init(_ path: String, _ options: String) {
      self.path = path
      mkdir(path, 0o755)
      isMounted = mount("tmpfs", path, "tmpfs", 0, options) == 0
    }

    func makeReadOnly() { _ = mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) }

    func grow() { _ = mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=8m") }

    deinit { if isMounted { umount2(path, Int32(MNT_DETACH)) } }
  }

  private static let canMount: Bool = {
    let folder = Folder()
    return Mount(folder.file("probe"), "size=64k").isMounted
  }()

  private func expectNothing(in disk: Mount) throws {
    let left = try Program.run(["-A", disk.path], executable: "/bin/ls").text
    #expect(left == "")
  }

  @Test(.enabled(if: canMount, "mounting a small disk is for root alone"))
  func `a full disk ends the render, and no file is left there`() throws {
    let disk = Mount(folder.file("disk"), "size=64k")
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", sound)
    for name in ["out.wav", "out.flac", "out.aiff"] {
      let outcome = try folder.run("chain.json", "in.wav", "-o", "disk/\(name)")
      #expect(outcome.exitCode == 5)
      #expect(outcome.errorText.contains("disk/\(name): the disk is full; free some space"))
      try expectNothing(in: disk)
    }
  }

  @Test(.enabled(if: canMount, "mounting a small disk is for root alone"))
  func `a batch on a full disk stops and continues later`() throws {
    let disk = Mount(folder.file("disk"), "size=200k")
    try folder.write("chain.json", emptyChain)
    mkdir(folder.file("in"), 0o755)
    for number in 0..<4 { try folder.write("in/\(number).wav", sound) }
    func batch() throws -> Program.Outcome {
      try folder.run(
        "batch", "chain.json", "in", "-o", "disk/{name}.wav", "--log", "log.jsonl", "-j", "1")
    }
    let full = try batch()
    #expect(full.exitCode == 75)
    #expect(full.errorText.contains("the disk is full"))
    let kept = try Program.run(["-A", disk.path], executable: "/bin/ls").text
    #expect(!kept.contains("partial"))
    disk.grow()
    let rest = try batch()
    #expect(rest.exitCode == 0, "\(rest.errorText)")
    #expect(
      try Program.run(["-A", disk.path], executable: "/bin/ls").text
        == "0.wav\n1.wav\n2.wav\n3.wav\n")
  }

  @Test(arguments: ["out.wav", "out.flac"])
  func `a limit on the size of files ends the render like a full disk`(_ name: String) throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", sound)
    let line = "ulimit -f 64; exec '\(Program.path)' chain.json in.wav -o \(name)"
    let outcome = try Program.run(["-c", line], executable: "/bin/sh", in: folder.path)
    #expect(outcome.exitCode == 5)
    #expect(outcome.errorText.contains("\(name): it has become too large"))
    #expect(folder.names == ["chain.json", "in.wav"])
  }

  @Test(.enabled(if: canMount, "mounting a small disk is for root alone"))
  func `if one of two files has no room, neither is left`() throws {
    let disk = Mount(folder.file("disk"), "size=64k")
    try folder.write(
      "chain.json",
      """
      { "version": 1,
        "nodes": {
          "in": { "source": "main" }, "a": { "sink": "main" }, "b": { "sink": "disk/b.wav" } },
        "connections": ["in -> a", "in -> b"] }
      """)
    try folder.write("in.wav", sound)
    let outcome = try folder.run("chain.json", "in.wav", "-o", "out.wav")
    #expect(outcome.exitCode == 5)
    #expect(outcome.errorText.contains("disk/b.wav: the disk is full"))
    #expect(folder.names == ["chain.json", "disk", "in.wav"])
    try expectNothing(in: disk)
  }

  @Test(.enabled(if: canMount, "mounting a small disk is for root alone"))
  func `a read-only disk is reported before anything is rendered`() throws {
    let disk = Mount(folder.file("disk"), "size=64k")
    disk.makeReadOnly()
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", sound)
    let outcome = try folder.run("chain.json", "in.wav", "-o", "disk/out.wav")
    #expect(outcome.exitCode == 5)
    #expect(outcome.errorText.contains("disk/out.wav: the file system is read-only"))
  }

  @Test(.enabled(if: !isRoot, "root may read and write everything"))
  func `files that may not be read or written are reported`() throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", sound)
    try folder.write("secret.wav", sound)
    chmod(folder.file("secret.wav"), 0)
    let unread = try folder.run("chain.json", "secret.wav", "-o", "out.wav")
    #expect(unread.exitCode == 4)
    #expect(unread.errorText.contains("secret.wav: no permission to read it"))
    try folder.write("kept.wav", "kept")
    chmod(folder.file("kept.wav"), 0o444)
    let unwritten = try folder.run("chain.json", "in.wav", "-o", "kept.wav")
    #expect(unwritten.exitCode == 5)
    #expect(unwritten.errorText.contains("kept.wav: no permission to write"))
    mkdir(folder.file("closed"), 0o555)
    let closed = try folder.run("chain.json", "in.wav", "-o", "closed/out.wav")
    #expect(closed.exitCode == 5)
    #expect(closed.errorText.contains("closed/out.wav: no permission to write"))
    let chain = try folder.write("secret.json", emptyChain)
    chmod(chain, 0)
    #expect(try folder.run("secret.json", "in.wav", "-o", "out.wav").exitCode == 2)
    #expect(!folder.names.contains("out.wav"))
  }

  @Test(arguments: [
    ["-o", "a.wav", "--output", "b=a.wav"], ["-o", "a.wav", "--output", "b=./a.wav"],
    ["-o", "fixed.wav", "--output", "b=a.wav"], ["-o", "a.wav", "--output", "b=link.wav"],
    ["-o", "-", "--output", "b=-"],
  ])
  func `two outputs do not go into the same file or stream`(_ arguments: [String]) throws {
    try folder.write(
      "chain.json",
      """
      { "version": 1,
        "nodes": {
          "in": { "source": "main" }, "out": { "sink": "main" }, "b": { "sink": "b" },
          "fixed": { "sink": { "file": "fixed.wav" } } },
        "connections": ["in -> out", "in -> b", "in -> fixed"] }
      """)
    try folder.write("in.wav", sound)
    try folder.write("a.wav", "before")
    symlink("a.wav", folder.file("link.wav"))
    let before = folder.names
    let outcome = try Program.run(["chain.json", "in.wav"] + arguments, in: folder.path)
    #expect(outcome.exitCode == 5)
    #expect(outcome.errorText.contains("another output"))
    #expect(outcome.output.isEmpty)
    #expect(folder.names == before)
  }

  @Test func `a render replaces an existing file only when it is complete`() throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", sound)
    try folder.write("out.wav", "before")
    chmod(folder.file("out.wav"), 0o600)
    try folder.write("cut.flac", "fLaC but no more than that")
    #expect(try folder.run("chain.json", "cut.flac", "-o", "out.wav").exitCode == 4)
    #expect(try folder.bytes("out.wav") == Array("before".utf8))
    #expect(try folder.run("chain.json", "in.wav", "-o", "out.wav", "--bits", "32").exitCode == 0)
    #expect(try folder.sound("out.wav") == sound)
    var status = stat()
    stat(folder.file("out.wav"), &status)
    #expect(status.st_mode & 0o777 == 0o600)
  }
}
