import Foundation
import FxChain
@testable import FxKit
import FxTestSupport
import Testing

/// The impulse of a convolver: some channels of a file, and files of coefficients.
@Suite struct ImpulseFileTests {
  private let folder = TemporaryFolder()

  private func chain(_ impulse: String, _ more: String = "") -> Chain {
    Chain(
      json: """
        { "version": 2, "tail": "none",
          "chain": [ { "id": "room", "unit": "convolver", "impulse": "\(impulse)"\(more) } ] }
        """, path: folder.file("chain.json"))
  }

  /// A file with 14 channels, each an impulse of its own number in hundredths.
  private func writeLoudspeakers() throws {
    _ = try folder.writeSound(
      "14.wav", (1...14).map { Float($0) / 100 }, rate: 48000, channels: 14)
  }

  private func response(_ chain: Chain) throws -> [[Float]] {
    let renderer = try ChainRenderer(chain, channels: 2)
    return try renderer.render([[1, 0, 0, 0], [0, 0, 1, 0]])
  }

  @Test func `some channels of the file are used, in the order in which they are named`() throws {
    try writeLoudspeakers()
    let own = try response(chain("14.wav", #", "channels": [3, 1]"#))
    #expect(abs(own[0][0] - 0.03) < 1e-4 && abs(own[1][2] - 0.01) < 1e-4)
    #expect(own[0][2] == 0 && own[1][0] == 0)
    let mono = try response(chain("14.wav", #", "channels": 5"#))
    #expect(abs(mono[0][0] - 0.05) < 1e-4 && abs(mono[1][2] - 0.05) < 1e-4)
  }

  @Test func `a stereo signal goes through a file of HeSuVi to both ears`() throws {
    try writeLoudspeakers()
    let ears = try response(chain("14.wav", #", "preset": "hesuvi""#))
    let expected: [[Float]] = [[0.01, 0, 0.09, 0], [0.02, 0, 0.08, 0]]
    for (ear, values) in zip(ears, expected) {
      #expect(zip(ear, values).allSatisfy { abs($0 - $1) < 1e-4 }, "\(ear)")
    }
  }

  @Test(
    arguments: [
      ("[15]", "has 14 channels, but no channel 15, which 'channels' of 'room' names"),
      ("[1, 2, 3]", "gives 3 channels, and 'room' has 2 channels"),
      ("[0]", "'channels' is a list of whole numbers from 1 to 256"),
      ("[1.5]", "'channels' is a list of whole numbers from 1 to 256"),
      (#"["a"]"#, "'channels' of unit 'convolver' is a list of whole numbers"),
    ])
  func `a choice that the file or the signal does not fit is named`(
    _ pair: (String, String)
  ) throws {
    try writeLoudspeakers()
    let found = chain("14.wav", #", "channels": \#(pair.0)"#).checked(channels: 2).all
    #expect(found.contains { $0.message.contains(pair.1) }, "\(found.map(\.message))")
  }

  @Test func `coefficients come as a text, or as floats without a header`() throws {
    let taps: [Float] = [0.5, 0, -0.25]
    try "# from a room\r\n0.5\r\n\r\n 0 \n-2.5e-1\n".write(
      toFile: folder.file("taps.txt"), atomically: true, encoding: .utf8)
    let floats = taps.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(8 * $0)) }
    }
    let doubles = taps.flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: Double(value).bitPattern >> UInt64(8 * $0)) }
    }
    try Data(floats).write(to: URL(filePath: folder.file("taps.raw")))
    try Data(doubles).write(to: URL(filePath: folder.file("taps.F64")))
    for name in ["taps.txt", "taps.raw", "taps.F64"] {
      let heard = try response(chain(name))
      #expect(zip(heard[0], taps).allSatisfy { abs($0 - $1) < 1e-6 }, "\(name): \(heard[0])")
    }
  }

  @Test(
    arguments: [
      ("a.txt", "0.5\n0,25\n", "line 2 is no number: '0,25'"),
      ("a.txt", "0.5 0.25\n", "line 1 is no number: '0.5 0.25'"),
      ("a.txt", "0.5\nnan\n", "line 2 is no number: 'nan'"),
      ("a.txt", "0.5\n2e3\n", "line 2: 2e3 is beyond 1000"),
      ("a.txt", "\n# nothing\n", "there are no coefficients in it"),
      ("a.raw", "abcde", "its 5 bytes are no whole number of coefficients of 4 bytes"),
      ("a.raw", "\u{7f}\u{7f}\u{7f}\u{7f}", "coefficient 1 is no number, or beyond 1000"),
      ("a.f64", "", "there are no coefficients in it"),
    ])
  func `what is no coefficient is named with its place`(
    _ file: (name: String, text: String, message: String)
  ) throws {
    try file.text.write(toFile: folder.file(file.name), atomically: true, encoding: .utf8)
    let found = try #require(chain(file.name).checked().all.first)
    #expect(found.code == .unreadableFile && found.place != nil)
    #expect(found.message.contains(file.message), "\(found.message)")
  }
}
