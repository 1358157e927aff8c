import Foundation
@testable import FxChecks
import FxKit
import Testing

@Suite struct SoundFileTests {
  private let folder = CaseFolder()

  private let sound = Sound(
    channels: [[0, 0.1, -1.5, 1e-9], [0.5, -0.0, 0.25, 0.3]], sampleRate: 44100)

  @Test func `a float WAV keeps all bits, beyond full scale too, and its folder is created`()
    throws
  {
    let path = "\(folder.path)/a/b/sound.wav"
    try sound.write(toFile: path)
    let read = try Sound(contentsOfFile: path)
    #expect(read.sampleRate == 44100)
    #expect(
      read.channels.map { $0.map(\.bitPattern) } == sound.channels.map { $0.map(\.bitPattern) })
  }

  @Test func `a FLAC file has 24 bits`() throws {
    let path = "\(folder.path)/sound.flac"
    let quiet = Sound(channels: [[0, 0.1, -0.3, 0.7]], sampleRate: 48000)
    try quiet.write(toFile: path)
    let read = try Sound(contentsOfFile: path).channels[0]
    #expect(read != quiet.channels[0])
    for (one, other) in zip(read, quiet.channels[0]) { #expect(abs(one - other) <= 0x1p-23) }
  }

  @Test func `a write to a device does not replace it`() {
    let failure = #expect(throws: ChainFailure.self) {
      try WholeFile.write("text", to: "/dev/full")
    }
    #expect(failure?.kind == .output)
    var status = stat()
    #expect(stat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test
  func `a missing file and a file that cannot be written are reported by name`() {
    let failure = #expect(throws: ChainFailure.self) {
      try Sound(contentsOfFile: "\(folder.path)/none.wav")
    }
    #expect(failure?.kind == .input)
    #expect(failure?.message.contains("none.wav") == true)
    let other = #expect(throws: ChainFailure.self) {
      try WholeFile.write("text", to: "\(folder.path)")
    }
    #expect(other?.kind == .output)
    #expect((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) == [])
  }
}
