import Foundation
import FxChain
@testable import FxKit
import FxTestSupport
import Testing

/// A sound that an option of a unit names is a file of the chain.
@Suite struct SoundAssetTests {
  private let folder: TemporaryFolder

  init() throws { folder = TemporaryFolder() }

  private func chain(_ impulse: String, before: String = "") -> Chain {
    Chain(
      json: """
        { "version": 1, "tail": "none",
          "chain": [ \(before) { "id": "room", "unit": "convolver", "impulse": "\(impulse)" } ] }
        """, path: folder.file("chain.json"))
  }

  @Test func `is decoded and resampled to the rate of the chain`() throws {
    _ = try folder.writeSound("impulse.wav", [0, 0.5, 0, 0.25], rate: 48000)
    let renderer = try ChainRenderer(chain("impulse.wav"), channels: 1)
    let output = try renderer.render([[1, 0, 0, 0, 0, 0]])[0]
    #expect(zip(output, [0, 0.5, 0, 0.25, 0, 0]).allSatisfy { abs($0 - $1) < 1e-6 })
    // The peak at 10 ms stays at 10 ms.
    var late = [Float](repeating: 0, count: 400)
    late[220] = 0.9
    _ = try folder.writeSound("late.wav", late, rate: 22000)
    var impulse = [Float](repeating: 0, count: 960)
    impulse[0] = 1
    let heard = try ChainRenderer(chain("late.wav"), channels: 1).render([impulse])[0]
    #expect(heard.firstIndex(of: heard.max() ?? 0) == 480)
  }

  @Test(arguments: [44100, 96000])
  func `an impulse at another rate keeps the level of the signal`(_ rate: Int) throws {
    // A low-pass filter of 20 ms, and a constant signal that it raises to 0.5.
    let count = rate / 50
    let taps = (0..<count).map { index in
      Float(0.45 - 0.45 * cos(2 * Double.pi * (Double(index) + 0.5) / Double(count)))
    }
    _ = try folder.writeSound("low.wav", taps, rate: rate)
    let steady = [Float](repeating: 0.5 / taps.reduce(0, +), count: 2000)
    let heard = try ChainRenderer(chain("low.wav"), channels: 1).render([steady])[0]
    #expect(abs(heard[1500] - 0.5) < 0.001)
  }

  @Test func `is reported if it cannot be read, by a check too`() throws {
    let missing = try #require(chain("none.wav").checked().all.first)
    #expect(missing.code == .unreadableFile && missing.place != nil)
    #expect(missing.message.contains("none.wav' cannot be read: no such file"))
    try "no sound".write(toFile: folder.file("text.wav"), atomically: true, encoding: .utf8)
    #expect(chain("text.wav").checked().all.first?.code == .unreadableFile)
    #expect(chain("").checked().all.first?.message == "'impulse' names no file")
    #expect(chain(".").checked().all.first?.message.contains("it is a folder") == true)
    #expect(chain("/dev/zero").checked().all.first?.message.contains("it is a device") == true)
    #expect(
      failure { _ = try ChainRenderer(chain("none.wav")) }?.description.contains("none.wav") == true
    )
  }

  @Test func `must have the channels that its unit requires`() throws {
    _ = try folder.writeSound("stereo.wav", [0.5, 0.5], rate: 48000, channels: 2)
    #expect(chain("stereo.wav").checked(channels: 2).all.isEmpty)
    let found = try #require(chain("stereo.wav").checked(channels: 3).all.first)
    #expect(found.code == .width && found.place != nil)
    #expect(found.message.contains("has 2 channels, and 'room' has 3 channels"))
  }

  @Test func `counts against the memory limit before it is read`() throws {
    _ = try folder.writeSound("long.wav", [Float](repeating: 0.5, count: 200_000), rate: 48000)
    let found = try #require(chain("long.wav").checked(memoryLimit: 1 << 20).all.first)
    #expect(found.code == .memoryLimit && found.message.contains("'room'"))
  }

  @Test func `is used to its end if it is truncated, with a warning`() throws {
    let path = try folder.writeSound("cut.wav", [Float](repeating: 0.5, count: 1000), rate: 48000)
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.prefix(1044).write(to: URL(filePath: path))
    let compiled = try chain("cut.wav").compiled(.check())
    let found = try #require(compiled.diagnostics.all.first)
    #expect(found.code == .damagedSound && found.severity == .warning && found.place != nil)
  }

  @Test func `is one of the chain's files`() throws {
    let path = try folder.writeSound("impulse.wav", [0.5], rate: 48000)
    #expect(try chain("impulse.wav").files().contains(path))
  }
}
