import Testing

@testable import FxAudio

/// Where the files are that are installed with the program.
@Suite struct InstallationTests {
  @Test(arguments: [
    ("/usr/bin/fxrun", "/usr"), ("/opt/a b/bin/fxrun", "/opt/a b"), ("/bin/fxrun", ""),
    ("/usr/bin/fxrun (deleted)", "/usr"),
  ])
  func `files are beside the folder of the program`(_ path: String, _ prefix: String) {
    #expect(Installation.prefix(ofProgram: path) == prefix)
  }

  @Test(arguments: ["fxrun", "/fxrun", "", "bin/fxrun"])
  func `a path without two folders has none`(_ path: String) {
    #expect(Installation.prefix(ofProgram: path) == nil)
  }

  @Test func `this process has one`() {
    #expect(Installation.prefix?.hasPrefix("/") == true)
  }
}
