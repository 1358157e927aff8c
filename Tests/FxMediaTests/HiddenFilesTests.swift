@testable import FxMedia
import FxTestSupport
import Testing

/// Finding unfinished files of processes in folders with many other files.
struct HiddenFilesTests {
  private let folder = TemporaryFolder()

  private var path: String { "\(folder.path)/" }

  @Test func `are recognized by a dot and a number among other files`() {
    for name in [".a.wav.12", ".a.wav.12.3", "a.wav.12", ".a.wav", ".a.wav.12x", ".1", "b"] {
      _ = folder.write(name, [1])
    }
    let names = HiddenFiles.names(in: path, isFresh: true)
    #expect(names.sorted() == [".a.wav.12", ".a.wav.12.3"])
    #expect(HiddenFiles.names(in: path + "none/", isFresh: true) == [])
  }

  @Test func `a folder's listing is cached until a fresh one is asked for`() {
    func names(isFresh: Bool) -> [String] {
      HiddenFiles.names(in: path, isFresh: isFresh, patience: .infinity)
    }
    #expect(names(isFresh: false) == [])
    _ = folder.write(".a.wav.12", [1])
    #expect(names(isFresh: false) == [])
    #expect(names(isFresh: true) == [".a.wav.12"])
    #expect(names(isFresh: false) == [".a.wav.12"])
    #expect(HiddenFiles.names(in: path, isFresh: false, patience: 0) == [".a.wav.12"])
  }
}
