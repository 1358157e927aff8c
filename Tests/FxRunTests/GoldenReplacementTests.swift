import Foundation
import FxTestSupport
import Testing

/// `fxrun test --update` compares each sound file that it replaces.
@Suite struct GoldenReplacementTests {
  private let folder = Folder()

  init() throws {
    try write(gain: -6)
    try folder.write(
      "voice.test.json",
      #"{ "version": 1, "input": { "signal": "noise" }, "duration": "50 ms", "channels": 1 }"#)
    let made = try folder.run("test", "--update")
    guard made.exitCode == 0 else { throw ProgramFailure(made.errorText) }
  }

  private func write(gain: Double) throws {
    try folder.write(
      "voice.json",
      """
      { "version": 1, "tail": "none", "chain": [
        { "id": "level", "unit": "gain", "parameters": { "gain": \(gain) } } ] }
      """)
  }

  private var manifest: String { folder.file("golden/voice.golden.json") }

  @Test func `without a manifest the sound is still compared`() throws {
    try FileManager.default.removeItem(atPath: manifest)
    try write(gain: -5)
    let differs = try folder.run("test")
    #expect(differs.exitCode == 7)
    #expect(differs.text.contains("FAIL  voice  1.00 dB louder, nothing else\n"), "\(differs.text)")
    #expect(
      differs.text.contains(
        "warning: golden/voice.golden.json is missing, so that only the sound is compared\n"),
      "\(differs.text)")
    let updated = try folder.run("test", "--update")
    #expect(updated.exitCode == 0)
    #expect(updated.text.contains("diff  voice  1.00 dB louder, nothing else\n"), "\(updated.text)")
    #expect(updated.text.contains("golden/voice.golden.json is missing"))
    #expect(updated.text.contains("\n1 changed ("))
    #expect(try folder.run("test").exitCode == 0)
  }

  @Test func `a sound without a manifest that has not changed is no new golden`() throws {
    try FileManager.default.removeItem(atPath: manifest)
    let outcome = try folder.run("test")
    #expect(outcome.exitCode == 7)
    #expect(
      outcome.text.contains("new   voice  has no manifest, but an unchanged sound\n"),
      "\(outcome.text)")
    let updated = try folder.run("test", "--update")
    #expect(
      updated.text.contains("new   voice  has no manifest, but an unchanged sound\n"),
      "\(updated.text)")
  }

  @Test(arguments: ["", "{", "not a manifest", #"{ "golden": 1 }"#])
  func `a damaged manifest does not hide a change of the sound`(_ text: String) throws {
    try folder.write("golden/voice.golden.json", text)
    try write(gain: -5)
    let updated = try folder.run("test", "--update")
    #expect(updated.exitCode == 0, "\(updated.text)")
    #expect(updated.text.contains("diff  voice  1.00 dB louder, nothing else\n"), "\(updated.text)")
    #expect(updated.text.contains("this is no manifest of a golden"), "\(updated.text)")
  }

  @Test func `a sound that does not belong to its manifest is compared before it is replaced`()
    throws
  {
    var sound = try folder.sound("golden/voice.wav")
    sound.channels[0] = sound.channels[0].map { $0 / 2 }
    try folder.write("golden/voice.wav", sound)
    let updated = try folder.run("test", "--update")
    #expect(updated.exitCode == 0)
    #expect(updated.text.contains("diff  voice  6.02 dB louder, nothing else\n"), "\(updated.text)")
    #expect(updated.text.contains("is not the sound that its manifest was written with"))
  }

  @Test func `a sound that cannot be read is replaced with a warning`() throws {
    try folder.write("golden/voice.wav", "noise")
    let updated = try folder.run("test", "--update")
    #expect(updated.exitCode == 0)
    #expect(
      updated.text.contains("it cannot be compared with the new golden\n"), "\(updated.text)")
    #expect(try folder.run("test").exitCode == 0)
  }

  @Test(arguments: ["golden/voice.golden.json", "golden/voice.wav"], [[], ["--update"]])
  func `a pointer of Git LFS is named and never replaced`(_ file: String, _ arguments: [String])
    throws
  {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 9728\n"
    try folder.write(file, pointer)
    try write(gain: -5)
    let outcome = try Program.run(["test"] + arguments, in: folder.path)
    #expect(outcome.exitCode == 4, "\(outcome.text)")
    #expect(
      outcome.text.contains("FAIL  voice  \(file): this is a pointer of Git LFS"), "\(outcome.text)"
    )
    #expect(outcome.text.contains("'git lfs pull' fetches"), "\(outcome.text)")
    #expect(try folder.bytes(file) == Array(pointer.utf8))
  }
}
