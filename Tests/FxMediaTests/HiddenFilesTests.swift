import FxTestSupport
import Testing

@testable import FxMedia

/// Looking for files that processes have begun, in folders with many others.
struct HiddenFilesTests {
  private let folder = TemporaryFolder()

  private var path: String { "\(folder.path)/" }

  @Test func `are known by a dot and a number, whatever else is there`() {
    for name in [".a.wav.12", ".a.wav.12.3", "a.wav.12", ".a.wav", ".a.wav.12x", ".1", "b"] {
      _ = folder.write(name, [1])
    }
    let names = HiddenFiles.names(in: path, isFresh: true)
    #expect(names.sorted() == [".a.wav.12", ".a.wav.12.3"])
    #expect(HiddenFiles.names(in: path + "none/", isFresh: true) == [])
  }

  @Test func `a folder is not read for each of many files, but when somebody has to know`() {
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
