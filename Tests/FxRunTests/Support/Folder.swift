import Foundation
import FxTestSupport

/// A folder for one test's files, removed when the test ends.
final class Folder {
  private let folder = TemporaryFolder()

  var path: String { folder.path }

  func file(_ name: String) -> String { folder.file(name) }

  /// Names of all files, hidden ones too, except the cache of processes whose home it is.
  var names: [String] { folder.names.filter { $0 != ".cache" } }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String { folder.write(name, bytes) }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

  /// A sound as a WAV file of 32-bit floats, or of 16 bits.
  @discardableResult
  func write(_ name: String, _ sound: Sound, bits: Int = 32) throws -> String {
    try write(name, sound.wave(bits: bits))
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: name.hasPrefix("/") ? name : file(name))))
  }

  /// The text of a file.
  func read(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

  func sound(_ name: String) throws -> Sound { try Sound(wave: try bytes(name)) }

  /// Runs fxrun in this folder.
  func run(
    _ arguments: String..., environment: [String: String] = [:], input: Program.Input = .nothing
  ) throws -> Program.Outcome {
    try Program.run(arguments, in: path, environment: environment, input: input)
  }
}

extension Fixture {
  static let mp3s = ["voice.mp3", "mono-vbr.mp3", "no-tag.mp3", "free-format.mp3"]
}

/// A chain that does nothing.
let emptyChain = #"{ "version": 1, "chain": [], "tail": "none" }"#
